#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: policies switched 100 times under dbench 8: nothing is lost, nobody is stuck
# guest: --mem 256M --disk 700M,rate=40,fs=ext4
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

# Low enough that writers of either policy are held.
set_vm dirty_background_ratio=5 dirty_async_ratio=10 dirty_sync_ratio=15
mkdir /mnt/0/dbench
dbench -D /mnt/0/dbench -t 12 8 >/run/dbench 2>&1 &
dbench=$!
# data that can be told again: a file every second
keep() {
	local n
	for ((n = 0; ; n++)); do
		./writer write "/mnt/0/kept$n" 1 $n >/dev/null || return
		echo $n >/run/kept
		sleep 1
	done
}
keep &
keeper=$!

switched=0 held=0
for ((n = 0; n < 50; n++)); do
	set_vm writeback_policy=bdflush && switched=$((switched + 1))
	echo "5 500 0 0 100 300 10 2 0" >$vm/bdflush
	case $((n % 5)) in
	1) killall -STOP kupdated ;;
	2) echo 2.4.8 >/sys/module/pdflush/parameters/bdflush_rules ;;
	3) echo 2.4.19 >/sys/module/pdflush/parameters/bdflush_rules ;;
	esac
	sleep 0.1
	set_vm writeback_policy=ratios && switched=$((switched + 1))
	sleep 0.1
done
is "100 switches" $switched 100
held=$(stats verdict_pace)
ok "writers were held ($held times)" [ "$held" -gt 20 ]
ok "dbench comes to its end" wait_until 60 ended $dbench
ok "... without an error" wait $dbench
ok "... and says what it did" grep -q '^Throughput' /run/dbench
kill $keeper
wait $keeper 2>/dev/null
drop_caches
read -r kept </run/kept
ok "files were kept" [ "$kept" -ge 3 ]
wrong=0
for ((n = 0; n <= kept; n++)); do
	./writer check "/mnt/0/kept$n" 1 $n >/dev/null || wrong=$((wrong + 1))
done
is "... and hold what was written" $wrong 0
is "interval and age are the kernel's" \
	"$(get_vm dirty_writeback_centisecs dirty_expire_centisecs)" "500 3000"
is "no thread is left" "$(pgrep -x bdflush)$(pgrep -x kupdated)" ""
sleep 3
ok "what is dirty goes on being written" at_most 3000 pending
done_testing
