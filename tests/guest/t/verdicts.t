#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: each verdict is reached and counted, thresholds from ratios and bytes, in force at once
# guest: --mem 256M --disk 256M,rate=5,fs=ext2
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

page=4096

# ---- Thresholds

# in_force NAME BACKGROUND ASYNC SYNC: in percent of dirtyable
in_force() {
	local d b a s
	read -r d b a s <<<"$(stats dirtyable background_thresh async_thresh sync_thresh)"
	is "$1" "$b $a $s" "$((d * $2 / 100)) $((d * $3 / 100)) $((d * $4 / 100))"
}

thresh() { stats background_thresh async_thresh sync_thresh; }

in_force "the defaults: 10, 40, 50 percent" 10 40 50
set_vm dirty_background_ratio=1 dirty_async_ratio=2 dirty_sync_ratio=3
in_force "ratios" 1 2 3
set_vm dirty_ratio=25 dirty_sync_ratio=100
in_force "ratios, async by its other name" 1 25 100
set_vm dirty_background_bytes=1 dirty_async_bytes=$page dirty_sync_bytes=$((page + 1))
is "bytes: whole pages, upward" "$(thresh)" "1 1 2"
set_vm dirty_background_bytes=$((10 << 20)) dirty_bytes=$((20 << 20)) dirty_sync_bytes=$((30 << 20))
is "bytes" "$(thresh)" "2560 5120 7680"
set_vm dirty_async_ratio=20
is "a ratio among bytes" "$(get_vm dirty_async_bytes dirty_bytes dirty_ratio)" "0 0 20"
set_vm dirty_background_ratio=50 dirty_async_ratio=20 dirty_sync_ratio=10
in_force "crossed: the sync threshold is the lid" 10 10 10
is "crossed: the files show what was written" \
	"$(get_vm dirty_background_ratio dirty_async_ratio dirty_sync_ratio)" "50 20 10"
set_vm dirty_background_ratio=15 dirty_async_ratio=10 dirty_sync_ratio=20
in_force "crossed below" 10 10 20
set_vm dirty_background_ratio=0 dirty_async_ratio=0 dirty_sync_ratio=0
is "zero" "$(thresh)" "0 0 0"
set_vm dirty_background_bytes=$((1 << 62)) dirty_bytes=$((1 << 62)) dirty_sync_bytes=$((1 << 62))
read -r d b a s <<<"$(stats dirtyable background_thresh async_thresh sync_thresh)"
is "more bytes than there are: all of dirtyable memory" "$b $a $s" "$d $d $d"

# ---- Verdicts

verdicts() { stats verdict_nothing verdict_kick verdict_pace verdict_wait; }

# since: verdicts since the last call, in nothing kick pace wait
since() {
	local now=() name n=0
	read -r -a now <<<"$(verdicts)"
	for name in nothing kick pace wait; do
		printf -v "$name" %d $((now[n] - last[n]))
		n=$((n + 1))
	done
	last=("${now[@]}")
	diag "nothing=$nothing kick=$kick pace=$pace wait=$wait"
}

# The file's blocks are there: a writer that had to read a bitmap behind the writes that are under
# way would give the disk the time to write it all.
dd if=/dev/zero of=/mnt/0/file bs=1M count=48 2>/dev/null
sync
at=0

write_more() {
	dd if=/dev/zero of=/mnt/0/file bs=64k count=$(($1 * 16)) seek=$((at * 16)) \
		conv=notrunc 2>/dev/null
	at=$((at + $1))
}

last=() nothing=0 kick=0 pace=0 wait=0
thresholds 8 16 24
read -r -a last <<<"$(verdicts)"
write_more 6
since
ok "below background: nothing" [ $nothing -gt 0 ]
is "... and nothing else" "$kick $pace $wait" "0 0 0"
is "... nobody stalled" "$(stats stalled_ms stall_max_ms)" "0 0"
is "... no thread had a job at the disk" "$(device_of 0 thread)" "-"

write_more 6
since
ok "above background: kick" [ $kick -gt 0 ]
is "... and nobody is held" "$pace $wait" "0 0"
is "... nobody stalled" "$(stats stalled_ms stall_max_ms)" "0 0"
ok "... a thread wrote" [ "$(stats pages_by_pdflush)" -gt 0 ]

write_more 12
since
ok "above async: pace" [ $pace -gt 0 ]
is "... and nobody waits" "$wait" 0
ok "... somebody stalled" [ "$(stats stalled_ms)" -gt 0 ]
between "... pages dirty or on their way are below sync" "$(pending)" 0 $((24 * 256))

set_vm dirty_sync_bytes=$((6 << 20))
write_more 4
since
ok "above sync: wait" [ $wait -gt 0 ]
# a waiter goes on at or below the threshold, then dirties its allowance
between "... until below it" "$(pending)" 0 $((6 * 256 + 300))
held=0
while read -r _ n; do
	[ "$n" = stalls ] || held=$((held + n))
done <$pdflush/stalls
read -r p w <<<"$(stats verdict_pace verdict_wait)"
is "the histogram has every caller that was held" "$held" $((p + w))

# ---- Settings count from the next check on

thresholds 40 60 80
since
write_more 12
since
between "raised: at most the check under way still held" $((pace + wait)) 0 1
thresholds 1 2 4
write_more 8
since
ok "lowered: held at once" [ $((pace + wait)) -gt 1 ]
./writer forever /mnt/0/other 50 &
sleep 2
since
ok "a writer is held again and again" [ $((pace + wait)) -gt 2 ]
thresholds 60 70 80
sleep 0.5
since
sleep 1
since
is "raised while it was held: let go" "$((pace + wait))" 0
kill -9 $!
done_testing
