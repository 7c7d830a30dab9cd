#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: the policy of Documentation/writing-a-policy.rst keeps a slow disk to its share
# guest: --mem 256M --disk 256M,rate=4,fs=ext2 --disk 256M,rate=20,fs=ext2
# helpers: writer shares.ko
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

# The most that disk 0 had dirty and on its way, in pages, at 20 looks
most() {
	local look dirty writeback most=0
	for ((look = 0; look < 20; look++)); do
		dirty=$(device_of 0 dirty) writeback=$(device_of 0 writeback)
		most=$((dirty + writeback > most ? dirty + writeback : most))
		sleep 0.2
	done
	echo $most
}

thresholds 4 16 40	# sync: 10240 pages, of which a quarter is 2560
ok "it loads" insmod shares.ko
is "... and is listed" "$(get_vm writeback_available_policies)" "ratios bdflush shares"
ok "... and chosen" set_vm writeback_policy=shares

./writer forever /mnt/0/file 100 2>/dev/null &
slow=$!
sleep 5
read -r pace_before wait_before <<<"$(stats verdict_pace verdict_wait)"
quarter=$(most)
read -r pace wait <<<"$(stats verdict_pace verdict_wait)"
ok "the writer is paced" [ "$pace" -gt "$pace_before" ]
is "... and never waits" "$((wait - wait_before))" 0
ok "... at the disk's share: $quarter pages" [ "$quarter" -gt 1280 ] &&
	ok "... and no more" [ "$quarter" -le 3072 ]

dd if=/dev/zero of=/mnt/1/file bs=1M count=4 2>/dev/null
ok "another disk's writer writes less than its share" is_bigger /mnt/1/file 4000000

echo 50 >/sys/module/shares/parameters/percent
sleep 5
half=$(most)
ok "half of it, when that is asked for: $half pages" [ "$half" -gt 3072 ] &&
	ok "... and no more" [ "$half" -le 6144 ]

fails "it can't be removed while in force" rmmod shares
ok "back to ratios" set_vm writeback_policy=ratios
ok "... it can" rmmod shares
ok "the writer is still at it" alive $slow
kill -9 $slow
done_testing
