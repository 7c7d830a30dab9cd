#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: data older than dirty_expire_centisecs is on disk, unless the interval is 0
# guest: --mem 192M --disk 64M,rate=20,fs=ext4 --disk 64M,rate=20,fs=ext2
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

# What is to stay dirty here stays below the threshold.
thresholds 40 60 80

# dirty_files NAME: 4 MB on each disk
dirty_files() {
	local n
	for n in 0 1; do
		before[n]=$(written_to $n)
		./writer write "/mnt/$n/$1" 4 7 >/dev/null
	done
}

kb_on_disk() { echo $(($(written_to "$1") - before[$1] >> 10)); }

none_on_disk() {
	between "$1: KB on disk 0" "$(kb_on_disk 0)" 0 512
	between "$1: KB on disk 1" "$(kb_on_disk 1)" 0 512
}

all_on_disk() {
	between "$1: KB on disk 0" "$(kb_on_disk 0)" 4096 5000
	between "$1: KB on disk 1" "$(kb_on_disk 1)" 4096 5000
}

before=()
set_vm dirty_writeback_centisecs=100 dirty_expire_centisecs=500
sync
sleep 1
read -r others kupdate <<<"$(stats pages_by_others pages_by_kupdate)"
dirty_files first
sleep 4
none_on_disk "not old yet"
# until it is old, the next round, and the time that the disk takes
sleep 3
all_on_disk "old"
sleep 3
between "pages by kupdate" $(($(stats pages_by_kupdate) - kupdate)) 2048 2148
is "none by pdflush" "$(stats pages_by_pdflush)" 0
# inodes and bitmaps are the block device's own pages: old data in their turn; the journal is ext4's
between "pages by others" $(($(stats pages_by_others) - others)) 0 64

# old data of a file that is being appended to is written, too
sleep 10
read -r kupdate <<<"$(stats pages_by_kupdate)"
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
	dd if=/dev/zero bs=64k count=4 oflag=append conv=notrunc of=/mnt/1/log 2>/dev/null
	sleep 1
done
between "a log that grows: pages by kupdate" $(($(stats pages_by_kupdate) - kupdate)) 300 900

set_vm dirty_writeback_centisecs=0
sync
sleep 1
dirty_files off
sleep 60
none_on_disk "interval 0: off"
set_vm dirty_writeback_centisecs=100
sleep 2
all_on_disk "switched on"

set_vm dirty_writeback_centisecs=0
sync
sleep 1
dirty_files off2
sleep 3
# a change of the interval while it is not 0 writes at once, so only the age may change here
set_vm dirty_expire_centisecs=100
sleep 10
none_on_disk "the age does not switch it on"
set_vm dirty_writeback_centisecs=200 dirty_expire_centisecs=300
sleep 2
all_on_disk "switched on once more"

# devices that have been clean for long are forgotten; and found again
no_devices() { [ "$(stats devices)" = 0 ]; }
ok "clean devices are forgotten" wait_until 90 no_devices
dirty_files late
sleep 7
all_on_disk "dirty after a long rest"
ok "the devices are known again" [ "$(stats devices)" = 2 ]

# as much again for inodes and bitmaps, and the journal
sleep 12
# the host looks at the images
(done_testing)
power_cut $?
