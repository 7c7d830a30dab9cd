#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: sync, fsync, syncfs, umount and remount,ro end while attached, while detaching, and after
# guest: --mem 192M --disk 64M,rate=5 --disk 256M,rate=20
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

mb=1048576

run_op() {
	case $1 in
	sync) sync ;;
	fsync) sync /mnt/0/file ;;
	syncfs) sync -f /mnt/0/file ;;
	umount) umount /mnt/0 ;;
	remount,ro) mount -o remount,ro /mnt/0 ;;
	esac
}

undo_op() {
	case $1 in
	umount) mount -t ext4 /dev/disk/0 /mnt/0 ;;
	remount,ro) mount -o remount,rw /mnt/0 ;;
	esac
}

# try_op OPERATION WHEN: with 6 MB dirty on disk 0, under a writer on disk 1
try_op() {
	local op=$1 when=$2 before started
	before=$(written_to 0)
	./writer write /mnt/0/file 6 $((++seed))
	[ "$when" != "while detaching" ] || start_detach
	started=$(uptime_ms)
	run_op "$op" &
	ok "$op $when: ends" wait_until 50 ended $!
	wait $!
	is "$op $when: says it went well" $? 0
	diag "took $(($(uptime_ms) - started)) ms"
	between "$op $when: MB on disk" $((($(written_to 0) - before) / mb)) 6 9
	undo_op "$op"
	[ "$when" != "while detaching" ] || ok "$op $when: the detach ends, too" end_detach
}

seed=0
operations="sync fsync syncfs umount remount,ro"
thresholds 30 40 50
./writer forever /mnt/1/file 200 &
other=$!
for op in $operations; do
	try_op "$op" "while attached"
done
for op in $operations; do
	# shellcheck disable=SC2119
	is_attached || attach
	thresholds 30 40 50
	try_op "$op" "while detaching"
done
for op in $operations; do
	try_op "$op" "after"
done
ok "the other writer is still at it" alive $other
kill -9 $other
wait $other 2>/dev/null

umount /mnt/0
mount -t ext4 /dev/disk/0 /mnt/0
ok "the last contents are there" ./writer check /mnt/0/file 6 $seed
done_testing
