#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ingest.sh ftp|dd[+SECONDS] MB [BACKGROUND ASYNC SYNC]: one run of the demo, in the guest, begun so
# much later.
#
# Lets MB megabytes arrive in a file on disk 0, with the engine at these percentages, or with the
# kernel's own engine. What arrives by FTP is on disk 2. For the demo on the host it prints
#	progress PERCENT
#	result NAME VALUE
# and puts what watch.c has seen on disk 1: a serial line would be slow.
set -euo pipefail
tracing=/sys/kernel/tracing
file=/mnt/0/file

result() { echo "result $1 $2"; }

# As Andrew Morton typed it, August 2002
set_thresholds() {
	cd /proc/sys/vm
	echo "$1" > dirty_background_ratio
	echo "$2" > dirty_async_ratio
	echo "$3" > dirty_sync_ratio
	cd "$OLDPWD"
}

# The longest write(2) of each task; how long the kernel's own engine has held it; what the kernel's
# flusher has written and why.
start_tracing() {
	local events=$tracing/events
	echo 'hist:keys=common_pid:start=common_timestamp.usecs' \
		>$events/syscalls/sys_enter_write/trigger
	# shellcheck disable=SC2016 # the trigger's own variables
	echo 'hist:keys=common_pid:us=common_timestamp.usecs-$start:onmax($us).save(common_pid)' \
		>$events/syscalls/sys_exit_write/trigger
	# shellcheck disable=SC2016
	echo 'hist:keys=common_pid:vals=pause:ms=pause:onmax($ms).save(common_pid) if pause > 0' \
		>$events/writeback/balance_dirty_pages/trigger
	echo 1 >$events/writeback/writeback_start/enable
	echo 1 >$events/writeback/writeback_written/enable
}

# hist EVENT PID FIELD: a value of a task in an event's histogram
hist() {
	gawk -v pid="$2" -v field="$3:" '
		/^\{/ { mine = $3 == pid }
		mine { for (i = 1; i < NF; i++) if ($i == field) value = $(i + 1) }
		END { print value + 0 }' "$tracing/events/$1/hist"
}

# Pages that the kernel's flusher has written above the background threshold, when they were old,
# and all other of the $1.
stock_pages() {
	sed 's/=/ /g' $tracing/trace | gawk -v all="$1" '
		/writeback_(start|written):/ {
			for (i = 1; i < NF; i++) {
				if ($i == "nr_pages") left = $(i + 1)
				if ($i == "reason") reason = $(i + 1)
			}
			if (/writeback_written:/ && left < before[$1])
				by[reason] += before[$1] - left
			before[$1] = left
		}
		END {
			background = by["background"] + 0
			periodic = by["periodic"] + 0
			print "result pages_by_pdflush", background
			print "result pages_by_kupdate", periodic
			print "result pages_by_others", all - background - periodic
		}'
}

written() { sed -n 's/^nr_written //p' /proc/vmstat; }

# "PID BLOCKED_MS" of the task of that name that has written the most
writer() {
	gawk -v name="$1" '$1 == "task" && $2 == name && $5 > most { most = $5; it = $3 " " $4 }
		END { print it }' /run/watched
}

# Seconds since watch began
at() { gawk -v from="$started" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.3f\n", to - from }'; }

receive_by_ftp() {
	guest-ftpd start
	dd if=/dev/disk/2 bs=1M count="$1" iflag=direct status=none |
		curl --silent --show-error --limit-rate 10M --upload-file - ftp://127.0.0.1/0/file
	guest-ftpd stop
}

write_by_dd() {
	dd if=/dev/zero of=$file bs=1M count="$1" status=none
}

# Read back cold. The disk is made fast: this is no longer what is measured.
same_content() {
	local source=/dev/zero bytes=$(($2 << 20))
	[ "$1" = dd ] || source=/dev/disk/2
	echo 0 >/sys/block/slow0/slow/rate
	echo 0 >/sys/block/slow0/slow/seek_ms
	echo 3 >/proc/sys/vm/drop_caches
	[ "$(stat -c %s $file)" = $bytes ] && cmp -n $bytes $file $source
}

main() {
	local what=${1%+*} delay=0 mb=$2 name=dd watch before pid blocked
	[[ $1 != *+* ]] || delay=${1#*+}
	shift 2
	[ $# = 0 ] || set_thresholds "$@"
	start_tracing
	before=$(written)
	started=$EPOCHREALTIME
	chrt -f 10 ./watch 100 $file $((mb << 20)) slow0 >/run/watched 2>/dev/ttyS1 &
	watch=$!
	sleep 1
	sleep "$delay"

	result begun "$(at)"
	case $what in
	ftp)
		name=vsftpd
		receive_by_ftp "$mb"
		;;
	dd) write_by_dd "$mb" ;;
	esac
	result ended "$(at)"
	sync $file
	result synced "$(at)"
	sleep 0.3
	kill $watch
	wait $watch

	read -r pid blocked <<<"$(writer $name)"
	result blocked_ms "$blocked"
	result write_max_us "$(hist syscalls/sys_exit_write "$pid" max)"
	if [ $# = 0 ]; then
		result held_ms "$(hist writeback/balance_dirty_pages "$pid" pause)"
		result held_max_ms "$(hist writeback/balance_dirty_pages "$pid" max)"
		stock_pages $(($(written) - before))
	else
		sed 's/^stalled_ms/held_ms/; s/^stall_max_ms/held_max_ms/; s/^/result /' \
			/proc/pdflush/stats
	fi
	dd of=/dev/disk/1 bs=64k conv=fsync status=none </run/watched
	if same_content "$what" "$mb"; then
		result content ok
	else
		result content DIFFERS
	fi
}

main "$@"
