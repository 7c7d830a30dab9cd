#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: the pool freezes and thaws with the machine
# guest: --mem 192M --disk 256M,rate=20,fs=ext4
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

if ! grep -q freezer /sys/power/pm_test 2>/dev/null; then
	skip "this kernel has no test of the freezer"
	done_testing
fi
echo freezer >/sys/power/pm_test
# its busy wait takes the emulator minutes
echo 0 >/sys/module/suspend/parameters/pm_test_delay

freeze() { echo freeze >/sys/power/state; }

ok "idle, all tasks freeze and thaw" freeze
./writer forever /mnt/0/file 100 >/dev/null &
sleep 3
before=$(stats verdict_pace) sent=$(stats pages_by_pdflush)
ok "under load, too" freeze
sleep 3
ok "... and the writer goes on, held as before" [ "$(stats verdict_pace)" -gt "$before" ]
ok "... by threads of the pool" [ "$(stats pages_by_pdflush)" -gt "$sent" ]
kill -9 $!
wait
ok "sync ends" timeout 60 sync
is "two threads or more are there" "$(($(stats threads) >= 2))" 1
done_testing
