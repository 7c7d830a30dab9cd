#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: what is dirty at a detach is written by the stock engine when its time has come
# guest: --engine off --mem 160M --disk 64M,rate=20 --disk 64M,rate=20,fs=ext2
# helpers: pdflush.ko writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

mb=1048576

# dirty_files NAME: 4 MB on each disk, to stay dirty for the moment
dirty_files() {
	local n
	for n in 0 1; do
		before[n]=$(written_to $n)
		./writer write "/mnt/$n/$1" 4 7 >/dev/null
	done
}

# on_disk N: have the 4 MB got there?
on_disk() { [ $(($(written_to "$1") - before[$1])) -ge $((4 * mb)) ]; }
on_both() { on_disk 0 && on_disk 1; }

still_dirty() {
	local n
	for n in 0 1; do
		between "$1: KB on disk $n" $(($(written_to $n) - before[n] >> 10)) 0 512
	done
}

before=()
# all that is to be dirty here stays below the thresholds, with either engine
set_vm dirty_background_ratio=40 dirty_ratio=60
attach_high() { attach background=40 async=60 sync=80; }

attach_high
set_vm dirty_writeback_centisecs=100 dirty_expire_centisecs=800
# a change of the interval wakes the flushers, with either engine; the stock one gives a device
# the more of its thresholds, the more it has written
dirty_files warm
sync
sleep 1
dirty_files a
between "pages dirty before" "$(vmstat nr_dirty)" 2048 3000
between "ms of a detach" "$(took_ms detach)" 0 4000
still_dirty "a detach itself writes nothing"
# ... and a second for the writing
ok "written within expire + interval" wait_until 10 on_both

# switched off while attached, switched on by a later hand
attach_high
set_vm dirty_writeback_centisecs=0
dirty_files b
sleep 10
still_dirty "interval 0: nothing is written"
detach
sleep 10
still_dirty "interval 0 after the detach, too"
set_vm dirty_writeback_centisecs=100
ok "switched on after the detach: written" wait_until 10 on_both

# off while attached, on again before the detach; the data is younger
attach_high
set_vm dirty_writeback_centisecs=0
sleep 3
set_vm dirty_writeback_centisecs=100
dirty_files c
detach
ok "off and on while attached: written after the detach" wait_until 10 on_both

# dirty since before the attach
set_vm dirty_writeback_centisecs=200 dirty_expire_centisecs=600
dirty_files d
attach_high
still_dirty "an attach itself writes nothing"
detach
ok "dirty before the attach: written after the detach" wait_until 9 on_both

# stock goes on from there, not once only
dirty_files e
ok "and so is what is dirtied later" wait_until 9 on_both
done_testing
