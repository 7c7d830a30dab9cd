#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: two threads in the pool, more when devices block, one a device, fewer when idle
# guest: --mem 192M --disk 16M,fs=ext2,depth=1 --disk 16M,fs=ext2,depth=1 --disk 16M,fs=ext2,depth=1
# guest: --disk 16M,fs=ext2,depth=1 --disk 16M,fs=ext2,depth=1 --disk 16M,fs=ext2,depth=1
# guest: --disk 16M,fs=ext2,depth=1 --disk 16M,fs=ext2,depth=1 --disk 16M,fs=ext2,depth=1
# guest: --disk 16M,fs=ext2,depth=1
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

disks=(0 1 2 3 4 5 6 7 8 9)

threads() { get_vm nr_pdflush_threads; }
threads_are() { [ "$(threads)" = "$1" ]; }

# Each disk's thread, a line each
workers() { tail -n +2 $pdflush/devices | grep -o '[0-9]*$'; }
at_work() { workers | wc -l; }
at_work_are() { [ "$(at_work)" = "$1" ]; }

# 4 MB for a disk; its blocks are known, so that nothing has to be read
dirty_disk() { ./writer write /mnt/"$1"/file 4 "$2" >/dev/null; }

stall() {
	local value=$1 n
	shift
	for n; do
		disk "$n" stalled "$value"
	done
}

for n in "${disks[@]}"; do
	dirty_disk "$n" 1
done
sync
ok "two threads after a rest" wait_until 60 threads_are 2
is "ps shows them as pdflush" "$(ps -C pdflush -o comm= | wc -l)" 2
is "no user memory, so threads of the kernel" "$(ps -C pdflush -o vsz= | sort -u | tr -d ' ')" 0
is "min and max" "$(get_vm nr_pdflush_threads_min nr_pdflush_threads_max)" "2 8"
is "nr_pdflush_threads is for reading" "$(stat -c %a $vm/nr_pdflush_threads)" 444
fails "... by root, too" set_vm nr_pdflush_threads=5
is "... and is what stats say" "$(threads)" "$(stats threads)"

# ---- Two devices block: a third thread, for what else may come

set_vm dirty_background_ratio=0
read -r born <<<"$(stats threads_born)"
stall 1 0 1
dirty_disk 0 2
dirty_disk 1 2
ok "two stalled disks hold a thread each" wait_until 10 at_work_are 2
ok "a third is born" wait_until 10 threads_are 3
is "births are counted" "$(stats threads_born)" $((born + 1))

# ---- The others go on

before=$(written_to 9)
dirty_disk 9 2
on_disk_9() { [ $(($(written_to 9) - before)) -ge $((4 << 20)) ]; }
ok "another disk's data is written meanwhile" wait_until 3 on_disk_9

# ---- All block

stall 1 2 3 4 5 6 7 8
for n in 2 3 4 5 6 7 8; do
	dirty_disk "$n" 2
done
ok "nine stalled disks hold a thread each" wait_until 20 at_work_are 9
is "all different" "$(workers | sort -u | wc -l)" 9
before=$(written_to 9)
dirty_disk 9 3
ok "a tenth disk's data is written meanwhile" wait_until 4 on_disk_9
ok "more threads than the maximum of 8, as more devices have dirty data" [ "$(threads)" -gt 8 ]
ok "... but no more than there are devices" [ "$(threads)" -le 10 ]
# a second look, in case one disk got a second thread in the course of time
sleep 3
is "still a thread each" "$(workers | sort -u | wc -l)" 9

# ---- And shrinks

read -r died <<<"$(stats threads_died)"
stall 0 "${disks[@]}"
set_vm dirty_background_ratio=10
sync
ok "idle: back to two threads" wait_until 60 threads_are 2
ok "deaths are counted" [ "$(stats threads_died)" -ge $((died + 7)) ]
read -r born died <<<"$(stats threads_born threads_died)"
is "born - died = threads" $((born - died)) 2
is "ps shows two" "$(ps -C pdflush -o comm= | wc -l)" 2

# ---- Bounds

set_vm nr_pdflush_threads_min=5
ok "min=5: five threads, at once" wait_until 1 threads_are 5
set_vm nr_pdflush_threads_max=3
sleep 3
is "a maximum below gives way to the minimum" "$(threads)" 5
set_vm nr_pdflush_threads_min=2
for bad in 0 -1 1025 abc "" "2 3" 99999999999999999999; do
	fails "nr_pdflush_threads_min: not \"$bad\"" set_vm "nr_pdflush_threads_min=$bad"
	fails "nr_pdflush_threads_max: not \"$bad\"" set_vm "nr_pdflush_threads_max=$bad"
done
is "... and nothing changed" "$(get_vm nr_pdflush_threads_min nr_pdflush_threads_max)" "2 3"

# The maximum counts where no more devices want a thread: here the disks have been clean for long.
# (clean for half a minute: forgotten)
no_devices() { [ "$(stats devices)" = 0 ]; }
for n in "${disks[@]}"; do
	umount "/mnt/$n"
done
ok "clean devices are forgotten" wait_until 60 no_devices
for n in 0 1; do
	mount -t ext2 "/dev/disk/$n" "/mnt/$n"
	cat "/mnt/$n/file" >/dev/null
done
set_vm nr_pdflush_threads_min=5
ok "min=5 once more" wait_until 1 threads_are 5
set_vm nr_pdflush_threads_min=2
ok "min=2, max=3: three, at once" wait_until 1 threads_are 3
set_vm nr_pdflush_threads_min=1 nr_pdflush_threads_max=1 dirty_background_ratio=0
ok "min=1, max=1: down to one" wait_until 10 at_most 1 threads
stall 1 0 1
dirty_disk 0 4
dirty_disk 1 4
ok "two devices raise a maximum of 1 to two" wait_until 10 at_work_are 2
sleep 4
is "... and no more" "$(threads)" 2
set_vm nr_pdflush_threads_max=4
sleep 6
between "a maximum of 4: one more, idle" "$(threads)" 3 3
stall 0 0 1
sync
done_testing
