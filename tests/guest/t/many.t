#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: twelve disks with a writer each, at their own speed; umount of some under load
# guest: --mem 256M --disk 32M,fs=ext2,rate=4 --disk 32M,fs=ext2,rate=4 --disk 32M,fs=ext2,rate=4
# guest: --disk 32M,fs=ext4,rate=4 --disk 32M,fs=ext4,rate=4 --disk 32M,fs=ext4,rate=4
# guest: --disk 32M,fs=ext2,rate=2 --disk 32M,fs=ext2,rate=2 --disk 32M,fs=ext2,rate=2
# guest: --disk 32M,fs=ext4,rate=1 --disk 32M,fs=ext4,rate=1 --disk 32M,fs=ext4,rate=0.5
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

rates=(4 4 4 4 4 4 2 2 2 1 1 0.5)
pids=()
for n in "${!rates[@]}"; do
	./writer forever "/mnt/$n/file" 20 &
	pids+=($!)
done
sleep 10
busy=()
for n in "${!rates[@]}"; do
	busy+=("$(disk "$n" busy_ms)")
done
read -r dirtyable sync_thresh <<<"$(stats dirtyable sync_thresh)"
began=$(uptime_ms)
most=0 threads=0
for ((i = 0; i < 100; i++)); do
	now=$(pending)
	((now <= most)) || most=$now
	now=$(stats threads)
	((now <= threads)) || threads=$now
	sleep 0.1
done
took=$(($(uptime_ms) - began))
for n in "${!rates[@]}"; do
	# its share of the time in percent
	between "disk $n, ${rates[n]} MB/s: percent of the time at work" \
		$((($(disk "$n" busy_ms) - busy[n]) * 100 / took)) 75 101
done
between "pages dirty or on their way at most" "$most" 1000 $((sync_thresh + dirtyable * 3 / 100))
is "one thread a device" "$(tail -n +2 $pdflush/devices | grep -o '[0-9]*$' | sort | uniq -d)" ""
# More than the least there are, and no more than one to a device and one that waits. How many it
# takes is the queues' affair: a full one keeps its disk at work while its thread is elsewhere.
between "threads at most" "$threads" 3 13

# Half of them go
for n in 0 2 4 6 8 10; do
	kill -9 "${pids[n]}"
done
sleep 0.2
for n in 0 2 4 6 8 10; do
	ok "umount /mnt/$n under load" timeout 100 umount "/mnt/$n"
done
busy[1]=$(disk 1 busy_ms)
before=$(uptime_ms)
sleep 3
between "the others are busy: disk 1, percent" \
	$((($(disk 1 busy_ms) - busy[1]) * 100 / ($(uptime_ms) - before))) 75 101
for n in 1 3 5 7 9 11; do
	ok "writer $n is still at it" alive "${pids[n]}"
done
kill -9 "${pids[@]}" 2>/dev/null
ok "sync ends" timeout 120 sync
done_testing
