#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# crowd.sh RATE WARMUP SECONDS WRITERS:BACKGROUND/ASYNC/SYNC...: in the guest, so many writers at
# once on a disk of that rate, with the kernel's own engine, then with ours. Stock's limit is SYNC;
# it brakes from halfway between BACKGROUND and that one on. Prints for each
#	crowd ENGINE WRITERS BACKGROUND/ASYNC/SYNC BYTES LEAST MOST LONGEST_US OVER
# OVER: the most that dirty + writeback was above the limit, in % of dirtyable memory.
set -euo pipefail
# shellcheck source=../guest/lib.sh
. ./lib.sh

set_thresholds() {
	local background async sync
	IFS=/ read -r background async sync <<<"$2"
	echo "$background" >/proc/sys/vm/dirty_background_ratio
	if [ "$1" = stock ]; then
		echo "$sync" >/proc/sys/vm/dirty_ratio
	else
		echo "$async" >/proc/sys/vm/dirty_async_ratio
		echo "$sync" >/proc/sys/vm/dirty_sync_ratio
	fi
}

most_over() {
	gawk '$1 == "sample" {
		over = ($3 + $4 - $7) * 100 / $8
		if (!n++ || over > worst)
			worst = over
	}
	END { printf "%.2f\n", worst }' /run/watched
}

run_crowd() {
	local engine=$1 writers=${2%:*} thresholds=${2#*:} watch figures
	set_thresholds "$engine" "$thresholds"
	disk 0 rate "$rate"
	mkdir /mnt/0/crowd
	chrt -f 10 ./watch 20 /none 1 slow0 "${thresholds##*/}" >/run/watched &
	watch=$!
	figures=$(./crowd /mnt/0/crowd "$writers" "$warmup" "$seconds")
	kill $watch
	wait $watch
	echo "crowd $engine $writers $thresholds $figures $(most_over)"
	disk 0 rate 0
	rm -r /mnt/0/crowd
	drop_caches
}

main() {
	local rate=$1 warmup=$2 seconds=$3 engine crowd done=0
	shift 3
	for engine in stock pdflush; do
		if [ $engine = pdflush ]; then
			insmod ./pdflush.ko
			wait_until 60 is_attached
		fi
		for crowd; do
			run_crowd $engine "$crowd"
			done=$((done + 1))
			echo "progress $((done * 50 / $#))"
		done
	done
}

main "$@"
