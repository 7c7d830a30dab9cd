#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# clients.sh run[+SECONDS] CLIENTS SECONDS BACKGROUND ASYNC SYNC: dbench on disk 0, in the guest,
#	begun so much later.
# clients.sh cost: how fast one of them is when nothing is written or held: with all operations, and
#	without reads and writes (./calls).
#
# The load is ./load, cut from dbench's own (see tests/bench/agree). Clients go through it again and
# again; SECONDS after the start they are stopped where they are. Prints
#	progress PERCENT
#	result NAME VALUE
# and puts what watch.c has seen on disk 1.
set -euo pipefail

result() { echo "result $1 $2"; }

set_thresholds() {
	cd /proc/sys/vm
	echo "$1" > dirty_background_ratio
	echo "$2" > dirty_async_ratio
	echo "$3" > dirty_sync_ratio
	cd "$OLDPWD"
}

dirtied() { sed -n 's/^nr_dirtied //p' /proc/vmstat; }

# Bytes that tasks of that name have read and written
moved() {
	local pid
	for pid in $(pgrep -x "$1"); do
		cat "/proc/$pid/io"
	done | awk '$1 == "rchar:" || $1 == "wchar:" { sum += $2 } END { printf "%.0f\n", sum }'
}

# start LOAD CLIENTS: returns when they have begun
start() {
	dbench -t 3600 -D /mnt/0 -c "$1" "$2" >/run/dbench &
	disown		# it will be killed, and the shell would say so
	until grep -q 'releasing clients' /run/dbench; do
		sleep 0.01
	done
}

run() {
	local delay=$1 clients=$2 seconds=$3 watch before second
	shift 3
	set_thresholds "$@"
	before=$(dirtied)
	chrt -f 10 ./watch 100 /dev/null 1 slow0 >/run/watched 2>/dev/null &
	watch=$!
	sleep 1
	sleep "$delay"
	start load "$clients"
	for ((second = 0; second < seconds; second += 5)); do
		sleep 5
		echo "progress $(((second + 5) * 100 / seconds))"
	done
	result moved_mb $(($(moved dbench) >> 20))
	result dirtied_pages $(($(dirtied) - before))
	sed 's/^stalled_ms/held_ms/; s/^/result /' /proc/pdflush/stats
	pkill -9 -x dbench
	kill $watch
	wait $watch
	dd of=/dev/disk/1 bs=64k conv=fsync status=none </run/watched
}

case $1 in
run | run+*)
	delay=${1#run}
	delay=${delay#+}
	shift
	run "${delay:-0}" "$@"
	;;
cost)
	set_thresholds 90 95 98
	for name in load calls; do
		start $name 1
		sleep 5
		pkill -9 -x dbench
		# lines of the load, and MB/s
		awk -v name=$name '/ MB\/sec / && $2 { lines = $2; mb = $3; seconds = $6 } END {
			print "result", name "_lines_per_s", lines / seconds
			print "result", name "_mb_per_s", mb
		}' /run/dbench
	done
	;;
esac
