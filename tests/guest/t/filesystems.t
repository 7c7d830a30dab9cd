#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: ext2, ext3, ext4, xfs and btrfs each take 2 x memory and give it back
# guest: --mem 192M --disk 512M,rate=60,fs=ext2 --disk 512M,rate=60,fs=ext3
# guest: --disk 512M,rate=60,fs=ext4 --disk 640M,rate=60,fs=xfs --disk 640M,rate=60,fs=btrfs
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

mb=384
for n in 0 1 2 3 4; do
	fs=$(stat -f -c %T /mnt/$n)
	before=$(stats verdict_pace)
	ok "disk $n, $fs: writes 2 x memory" ./writer write /mnt/$n/file $mb $n
	ok "... its writer was paced" [ "$(stats verdict_pace)" -gt "$before" ]
	drop_caches
	ok "... reads the same, cold" ./writer check /mnt/$n/file $mb $n
	rm /mnt/$n/file
done
ok "the engine wrote most of it" [ "$(stats pages_by_pdflush)" -gt $((mb * 256 * 5 / 2)) ]
done_testing
