#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: the guest itself: disks keep their times, each file system mounts, FTP works, a disk can go
# guest: --engine off --mem 160M --disk 64M,rate=20,fs=none --disk 64M,rate=10,seek=10,fs=none
# guest: --disk 64M,fs=ext2 --disk 64M,fs=ext3 --disk 64M,fs=ext4 --disk 300M,fs=xfs
# guest: --disk 128M,fs=btrfs --disk 32M,rate=0.5,depth=4,fs=none --disk 64M,rate=4,fs=ext4
. ./lib.sh

write_direct() { dd if=/dev/zero of="/dev/disk/$1" oflag=direct status=none "${@:2}"; }
read_direct() { dd if="/dev/disk/$1" of=/dev/null iflag=direct status=none "${@:2}"; }

memory=$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)
between "memory, kB of 160 MB" "$memory" 105000 163840
is "no engine" "$(ls /sys/kernel/livepatch)" ""
is "we are root" "$(id -u)" 0
is "we are in" "$PWD" /root
is "the disks" "$(cd /sys/block && echo slow*)" "$(echo slow{0..8})"

# Times of a disk that does 20 MB/s
between "40 MB at 20 MB/s, ms" "$(took_ms write_direct 0 bs=1M count=40)" 1990 2040
is "sectors written" "$(disk 0 written_sectors)" 81920
between "and the disk was busy, ms" "$(disk 0 busy_ms)" 1999 2001
between "40 MB read, ms" "$(took_ms read_direct 0 bs=1M count=40)" 1990 2040
disk 0 rate 80
between "40 MB at 80 MB/s, ms" "$(took_ms write_direct 0 bs=1M count=40)" 495 560
disk 0 rate 0
between "40 MB without a limit, ms" "$(took_ms write_direct 0 bs=1M count=40)" 0 150
is "no limit reads as" "$(disk 0 rate)" 0
fails "no rate at all" disk 0 rate fast
fails "no rate below 0" disk 0 rate -1

# 10 MB/s and 10 ms a seek: 50 x (4 KB: 0.4 ms, and 10 ms)
backwards() {
	local n
	for ((n = 50; n > 0; n--)); do
		write_direct 1 bs=4k count=1 seek=$((n * 16))
	done
}
busy=$(disk 1 busy_ms)
backwards
between "50 seeks, ms" $(($(disk 1 busy_ms) - busy)) 515 525
busy=$(disk 1 busy_ms)
write_direct 1 bs=4k count=50
between "50 blocks in a row, ms" $(($(disk 1 busy_ms) - busy)) 19 40
is "a disk that seeks turns" "$(cat /sys/block/slow1/queue/rotational)" 1
is "one that does not does not" "$(cat /sys/block/slow0/queue/rotational)" 0

# Half a MB/s, several at once, in a queue of 4
is "half a MB/s" "$(disk 7 rate)" 0.500
is "the queue" "$(sed -n 's/^nr_tags=//p' /sys/kernel/debug/block/slow7/hctx0/tags)" 4
four_at_once() {
	local n
	for n in 0 1 2 3; do
		write_direct 7 bs=64k count=1 seek=$((n * 16)) &
	done
	wait
}
between "4 x 64 KB at once, ms" "$(took_ms four_at_once)" 495 530

# A stall
disk 0 rate 20
disk 0 stalled 1
write_direct 0 bs=1M count=1 &
sleep 3
ok "a stalled disk holds its writer" kill -0 $!
disk 0 stalled 0
began=$(now_ms)
wait $!
between "then the write takes what it takes, ms" $(($(now_ms) - began)) 30 80

# File systems
for n in 2:ext2 3:ext3 4:ext4 5:xfs 6:btrfs; do
	fs=${n#*:} dir=/mnt/${n%:*}
	is "mounted as $fs" "$(sed -n "s,^[^ ]* $dir \([^ ]*\) .*,\1,p" /proc/mounts)" "$fs"
	ok "a user may write on $fs" setpriv --reuid user --regid user --clear-groups \
		dd if=/dev/zero of="$dir/file" bs=1M count=4 conv=fsync status=none
done
ok "ext3 has its data ordered" grep -q ' /mnt/3 ext3 .*data=ordered' /proc/mounts

# Flush: what is synced is on the disk, however it came there
head -c 2000000 /dev/urandom >/tmp/data
cp /tmp/data /mnt/8/data
sync -f /mnt/8
sync
drop_caches
ok "synced data is there" cmp /tmp/data /mnt/8/data
between "fsync of 4 KB on an idle disk of 4 MB/s, ms" \
	"$(took_ms dd if=/dev/zero of=/mnt/8/small bs=4k count=1 conv=fsync status=none)" 1 100

# FTP
guest-ftpd start
ok "FTP upload" curl -sS -T /tmp/data ftp://127.0.0.1/8/up
ok "what came is what was sent" cmp /tmp/data /mnt/8/up
guest-ftpd stop

# Unplugging a disk that is in use
dd if=/dev/zero of=/mnt/8/file bs=1M count=16 status=none
sync &
sleep 1
ok "a disk in use is pulled out" unplug_disk 8
wait
fails "then its file system fails" dd if=/dev/zero of=/mnt/8/other bs=1M count=1 conv=fsync
ok "and can be unmounted" umount /mnt/8

for tool in fio dbench strace killall unshare taskset losetup btrfs xfs_io e2fsck bc; do
	ok "there is $tool" command -v $tool
done
ok "fio runs" fio --name=t --filename=/tmp/fio --size=1M --output=/dev/null
ok "fio does io_uring" \
	fio --name=t --filename=/mnt/4/fio --size=1M --ioengine=io_uring --output=/dev/null
ok "dbench runs" dbench -t 2 -D /mnt/4 2
done_testing
