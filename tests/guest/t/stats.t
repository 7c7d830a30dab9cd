#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: /proc/pdflush has every documented name, and its counters add up to what was written
# guest: --mem 192M --disk 256M,rate=20,fs=ext4,depth=1 --disk 128M,rate=10,fs=ext2
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

names="verdict_nothing verdict_kick verdict_pace verdict_wait stalled_ms stall_max_ms
	pages_by_pdflush
	pages_by_kupdate pages_by_others threads threads_born threads_died operations
	operations_refused background_thresh async_thresh sync_thresh dirtyable dirty writeback
	devices held"
for name in $names; do
	ok "stats has $name" grep -qE "^$name [0-9]+$" $pdflush/stats
done
is "stats has lines of a name and a number only" "$(grep -cvE '^[a-z_]+ [0-9]+$' $pdflush/stats)" 0
is "each name once" "$(cut -d' ' -f1 $pdflush/stats | sort | uniq -d)" ""
is "the head of devices" "$(head -n 1 $pdflush/devices | tr -s ' ')" \
	"device dirty writeback write_MB/s thread"
is "the head of stalls" "$(head -n 1 $pdflush/stalls | tr -s ' ')" " from_us stalls"
is "stalls: from 0, then powers of two" \
	"$(tail -n +2 $pdflush/stalls | head -n 5 | tr -s ' ' | cut -d' ' -f2 | tr '\n' ' ')" \
	"0 2 4 8 16 "

is "devices is empty but for its head" "$(wc -l <$pdflush/devices)" 1

# quiet: ends when all is written
quiet() {
	sync
	wait_until 30 at_most 0 pending
}

pages() { stats pages_by_pdflush pages_by_kupdate pages_by_others; }

# adds_up NAME COMMAND...: sets pdflush, kupdate and others to what it made them write
adds_up() {
	local name=$1 before a b c x y z all
	shift
	quiet
	before=$(vmstat nr_written)
	read -r a b c <<<"$(pages)"
	"$@"
	quiet
	all=$(($(vmstat nr_written) - before))
	read -r x y z <<<"$(pages)"
	by_pdflush=$((x - a)) by_kupdate=$((y - b)) by_others=$((z - c))
	diag "$name: $all pages, by pdflush $by_pdflush, kupdate $by_kupdate, others $by_others"
	between "$name: the sum is what was written, in percent" \
		$(((by_pdflush + by_kupdate + by_others) * 100 / all)) 99 101
}

thresholds 4 8 12
fast() { ./writer write /mnt/0/fast 60 1 >/dev/null; }
adds_up "a fast writer" fast
between "... by pdflush, all but what sync found" $by_pdflush 12000 15400
between "... and that" $by_others 0 3400

thresholds 30 40 50
set_vm dirty_expire_centisecs=200 dirty_writeback_centisecs=100
sync
old() {
	./writer write /mnt/0/old 10 2 >/dev/null
	./writer write /mnt/1/old 10 2 >/dev/null
	sleep 6
}
adds_up "old data" old
between "... by kupdate" $by_kupdate 5120 5300
between "... by others" $by_others 0 60
is "... by pdflush" $by_pdflush 0

set_vm dirty_expire_centisecs=3000
synced() {
	./writer write /mnt/0/synced 10 3 >/dev/null
	sync
	./writer write /mnt/1/synced 10 3 >/dev/null
	sync /mnt/1/synced
}
adds_up "sync and fsync" synced
between "... by others" $by_others 5120 5300
is "... by pdflush and kupdate" "$by_pdflush $by_kupdate" "0 0"

# all at once
thresholds 4 8 12
set_vm dirty_expire_centisecs=100
mixed() {
	./writer forever /mnt/0/mixed 60 &
	for _ in 1 2 3 4 5; do
		./writer write /mnt/1/mixed 4 4 >/dev/null
		sync /mnt/1/mixed
	done
	kill -9 $!
}
adds_up "all at once" mixed

# ---- Devices

thresholds 2 4 6
./writer forever /mnt/0/device 40 &
pid=$!
sleep 5
is "a busy disk is listed once" "$(grep -c '^slow0 ' $pdflush/devices)" 1
by_pool() {
	local thread
	thread=$(device_of 0 thread)
	[ "$thread" != - ] && grep -qx pdflush "/proc/$thread/comm"
}
ok "... written by a thread of the pool" wait_until 5 by_pool
between "... which writes 20 MB/s" "$(device_of 0 write_MB/s | cut -d. -f1)" 17 21
between "... its pages on their way" "$(device_of 0 writeback)" 1 $((7 * 256))
# paced or waiting for 5 s, it is hardly ever not held
somebody() { at_least 1 stats held; }
ok "who is held is counted" wait_until 10 somebody
kill -9 $pid
quiet
# room enough that reclaim does not write
drop_caches
sleep 1
thresholds 40 50 60
set_vm dirty_expire_centisecs=3000
./writer write /mnt/1/mixed 10 5 >/dev/null
between "what is dirty is told: in all" "$(stats dirty)" 2560 2600
between "... of the disk" "$(device_of 1 dirty)" 2560 2600
between "... as by vmstat" "$(vmstat nr_dirty)" 2560 2600
is "... nothing is on its way" "$(stats writeback) $(device_of 1 writeback)" "0 0"
quiet
is "all clean: dirty, writeback" "$(stats dirty writeback)" "0 0"
sleep 2
is "... nobody is held" "$(stats held)" 0
is "... no thread at a disk" "$(tail -n +2 $pdflush/devices | grep -vc -- '-$')" 0

# ---- Stalls

sum_of_stalls() {
	local n held=0
	while read -r _ n; do
		[ "$n" = stalls ] || held=$((held + n))
	done <$pdflush/stalls
	echo $held
}
read -r p w <<<"$(stats verdict_pace verdict_wait)"
is "the histogram has every hold" "$(sum_of_stalls)" $((p + w))
ok "the longest is no longer than all" [ "$(stats stall_max_ms)" -le "$(stats stalled_ms)" ]

# ---- A second life starts at 0

detach
# shellcheck disable=SC2119
attach
is "after another attach counters start at 0" \
	"$(stats verdict_pace verdict_wait stalled_ms pages_by_pdflush pages_by_kupdate \
		threads_died)" \
	"0 0 0 0 0 0"
done_testing
