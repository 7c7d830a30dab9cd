#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# sweep-load.sh WORD...: one load on disk 0, in the guest; for sweep, feel and clients on the host.
#
#	load=dbench|dd|ftp|idle	what runs there (dbench)
#	clients=N		of dbench (32)
#	file=flush|noflush	dbench's load file: as it comes, or without its fsyncs as in 2001
#	seconds=N		for how long it is measured (30)
#	feel=yes		probes beside it, see feel-probes.sh
#	watch=yes		samples of dirty memory
#	kupdated=stopped	`killall -STOP kupdated` first
#	rules=2.4.8|2.4.19	whose rules policy bdflush follows (2.4.19)
#	NAME=VALUE		a file of /proc/sys/vm or a field of bdflush there, in this
#				order; bdflush: nine numbers, commas between
#
# Prints
#	result NAME VALUE
#	probe NAME COUNT P50 P99 MAX			ms
#	sample SECONDS DIRTY WRITEBACK BACKGROUND ASYNC SYNC	MB
# Status 2: a setting that is not there, or does not take the value.
set -euo pipefail
# shellcheck source=../guest/lib.sh
. ./lib.sh
# shellcheck source=feel-probes.sh
[ ! -e feel-probes.sh ] || . ./feel-probes.sh

vm=/proc/sys/vm
load=dbench clients=32 file=noflush seconds=30 feel='' watch='' kupdated=running
load_file=/mnt/1/client.txt
# 2.4.19's; the rest are dummies
fields=(nfract ndirty - - interval age_buffer nfract_sync nfract_stop -)

die() {
	echo "$*" >&2
	exit 2
}

result() { echo "result $1 $2"; }

set_field() {
	local n
	local -a numbers
	for n in "${!fields[@]}"; do
		[ "${fields[n]}" = "$1" ] || continue
		[ -e $vm/bdflush ] || die "$1 is a field of bdflush, which is not there"
		read -r -a numbers <$vm/bdflush
		numbers[n]=$2
		echo "${numbers[*]}" >$vm/bdflush || die "bdflush does not take $1=$2"
		read -r -a numbers <$vm/bdflush
		[ "${numbers[n]}" = "$2" ] || die "bdflush does not take $1=$2"
		return
	done
	die "neither a file in $vm nor a field of bdflush: $1"
}

set_one() {
	local now value=$2
	[ -e "$vm/$1" ] || {
		set_field "$1" "$2"
		return
	}
	[ "$1" != bdflush ] || value=${value//,/ }
	echo "$value" >"$vm/$1" || die "$1 does not take $2"
	read -r now <"$vm/$1"
	[ "${now//$'\t'/ }" = "$value" ] || die "$1 does not take $2"
}

read_words() {
	local word
	for word; do
		case $word in
		load=* | clients=* | file=* | seconds=* | feel=* | watch=* | kupdated=*)
			declare -g "$word"
			;;
		rules=*) echo "${word#*=}" >/sys/module/pdflush/parameters/bdflush_rules ;;
		*=*) set_one "${word%%=*}" "${word#*=}" ;;
		*) die "not NAME=VALUE: $word" ;;
		esac
	done
}

# The dbench of 2001 did not sync. On a disk of its own, clean before all begins.
prepare_dbench() {
	local from=/usr/share/dbench/client.txt
	if [ "$file" = noflush ]; then
		grep -v '^Flush' $from >$load_file
	else
		cp $from $load_file
	fi
	# the others' copy is not to take memory
	echo 3 >/proc/sys/vm/drop_caches
	cat $load_file >/dev/null
}

run_dbench() {
	dbench -t "$seconds" --skip-cleanup -c $load_file -D /mnt/0 "$clients" >/run/dbench
	gawk '/^Throughput/ {
		print "result throughput_mbs", $2
		sub(/.*max_latency=/, "")
		print "result max_latency_ms", $1 + 0
	}' /run/dbench
	grep -q '^Throughput' /run/dbench
}

# What arrives is counted where it arrives: in the file.
report_rate() {
	gawk -v bytes="$(stat -c %s /mnt/0/big)" -v from="$1" -v to="$2" \
		'BEGIN { print "result throughput_mbs", bytes / 1048576 / (to - from) }'
}

run_dd() {
	local from=$EPOCHREALTIME
	timeout "$seconds" dd if=/dev/zero of=/mnt/0/big bs=1M status=none || [ $? = 124 ]
	report_rate "$from" "$EPOCHREALTIME"
}

# At 10 MB/s
run_ftp() {
	local from=$EPOCHREALTIME
	guest-ftpd start
	head -c $((seconds * 10))M /dev/zero |
		curl --silent --show-error --limit-rate 10M --upload-file - ftp://127.0.0.1/0/big
	report_rate "$from" "$EPOCHREALTIME"
	guest-ftpd stop
}

run_idle() {
	sleep "$seconds"
	result throughput_mbs 0
}

sectors_written() { gawk '$3 == "slow0" { print $10 }' /proc/diskstats; }

# The longest that the engine has held a writer, and all of it
report_engine() {
	[ -e /proc/pdflush/stats ] || return 0
	gawk '$1 ~ /^(verdict_.*|stall.*_ms|pages_by_.*)$/ { print "result", $1, $2 }' \
		/proc/pdflush/stats
}

report_samples() {
	gawk '$1 == "sample" && n++ % 2 == 0 {
		dirty = ($3 + $4) / 256
		most = dirty > most ? dirty : most
		printf "sample %.1f %.1f %.1f %.1f %.1f %.1f\n", $2 / 1000, $3 / 256, $4 / 256,
			$5 / 256, $6 / 256, $7 / 256
	}
	END { printf "result most_dirty_mb %.1f\n", most }' /run/watched
}

main() {
	local watcher='' written dirtied warmup_ms=0
	read_words "$@"
	[ "$load" != dbench ] || {
		prepare_dbench
		warmup_ms=$((seconds * 200))	# a fifth
	}
	[ -z "$feel" ] || prepare_probes /mnt/0
	[ "$kupdated" = running ] || killall -STOP kupdated || die "no kupdated to stop"
	sync
	if [ -n "$watch" ]; then
		chrt -f 10 ./watch 250 /none 1 slow0 >/run/watched 2>/dev/null &
		watcher=$!
	fi
	[ -z "$feel" ] || start_probes /mnt/0
	written=$(sectors_written)
	dirtied=$(vmstat_of nr_dirtied)
	"run_$load"
	result written_kb $((($(sectors_written) - written) / 2))
	result dirtied_kb $((($(vmstat_of nr_dirtied) - dirtied) * 4))

	[ -z "$feel" ] || stop_probes "$warmup_ms"
	report_engine
	[ -z "$watcher" ] || {
		kill "$watcher"
		wait "$watcher" || true
		report_samples
	}
}

main "$@"
