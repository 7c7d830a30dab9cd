#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: an attach is not held up by writers whom the stock engine holds by lower limits than ours
# guest: --engine off --speed 125 --mem 256M --disk 128M,rate=5 --disk 128M,rate=10,fs=ext2
# helpers: pdflush.ko writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

# Nothing but being over background has anything written.
set_vm dirty_writeback_centisecs=0

# all_attached WHAT: four writers, held by the limits that are now
all_attached() {
	local writers=() n
	for n in 0 0 1 1; do
		./writer forever "/mnt/$n/file${#writers[@]}" 25 &
		writers+=($!)
	done
	sleep 3
	ok "attach with the stock limits $1" attach
	ok "... the engine holds writers by its own" wait_until 60 at_least 1 stats verdict_wait
	ok "... to be detached" detach
	kill -9 "${writers[@]}"
	wait "${writers[@]}" 2>/dev/null
	sync
}

set_vm dirty_background_bytes=$((1 << 20)) dirty_bytes=$((2 << 20))
all_attached "1 and 2 MB"
set_vm dirty_background_ratio=0 dirty_ratio=1
all_attached "0 and 1 %"
set_vm dirty_background_ratio=5 dirty_ratio=10
all_attached "5 and 10 %"
done_testing
