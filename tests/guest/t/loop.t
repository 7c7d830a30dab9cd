#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: a loop device on a file of the same disk takes 3 x memory
# guest: --mem 128M --disk 1G,rate=40,fs=ext4
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

mb=384
modprobe loop
truncate -s 500M /mnt/0/image
ok "a loop device" losetup /dev/loop0 /mnt/0/image
ok "a file system on it" mke2fs -q -t ext4 /dev/loop0
mkdir -p /tmp/inner
ok "... is mounted" mount /dev/loop0 /tmp/inner
ok "3 x memory go through it" timeout 300 ./writer write /tmp/inner/file $mb 7
ok "... under throttling" [ "$(stats verdict_pace)" -gt 0 ]
ok "sync ends" timeout 120 sync
drop_caches
ok "it reads the same, cold" timeout 300 ./writer check /tmp/inner/file $mb 7
rm /tmp/inner/file
./writer forever /tmp/inner/other 100 &
sleep 3
kill -9 $!
wait
ok "umount ends" timeout 120 umount /tmp/inner
ok "the loop device goes" losetup -d /dev/loop0
done_testing
