#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: disks are pulled out under held writers; these end, the rest goes on, the engine can go
# guest: --mem 192M --disk 256M,rate=10,fs=ext2 --disk 256M,rate=10,fs=ext4
# guest: --disk 320M,rate=10,fs=xfs
# guest: --disk 256M,rate=10,fs=btrfs --disk 512M,rate=10,fs=ext2
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

names=(ext2 ext4 xfs btrfs "the last")
pids=()
was_held() { grep -qs hold_caller "/proc/$1/stack"; }
is_listed() { grep -q "^slow$1 " "$pdflush/devices"; }
not_listed() { ! is_listed "$1"; }

thresholds 4 8 12
# None writes a block twice: ext4 takes writes to known blocks of a lost disk for good.
for n in 0 1 2 3 4; do
	./writer write "/mnt/$n/file" 2000 1 2>"/tmp/error$n" >/dev/null &
	pids+=($!)
done
for n in 0 1 2 3 4; do
	ok "${names[n]}: its writer is held" wait_until 10 was_held "${pids[n]}"
done

# Before Linux 6.6 ext4 says nothing of a lost disk to who does not call fsync, so that its writer
# goes on, and what it writes stays dirty. It is held, shortly, as nothing will come of it, and
# costs others no more than that. Since then ext4 shuts itself down as others do.
says_nothing() {
	[ "$1" = ext4 ] && [ "$(printf "%s\n" 6.6 "$(uname -r)" | sort -V | head -n 1)" != 6.6 ]
}

lost_for_good() {
	local pid=${pids[$1]} how=$2 before
	sleep 2
	ok "$how: its writer is held yet" alive "$pid"
	before=$(written_to 4)
	sleep 3
	between "$how: KB in 3 s of a writer elsewhere" \
		$((($(written_to 4) - before) >> 10)) 3000 31000
	kill -9 "$pid"
	ok "$how: it can be killed" wait_until 1 ended "$pid"
}

# unplugged N HOW
unplugged() {
	local n=$1 how="${names[$1]} $2" pid=${pids[$1]} began
	began=$(uptime_ms)
	ok "$how: pulled out" unplug_disk "$n"
	if says_nothing "${names[n]}"; then
		lost_for_good "$n" "$how"
	else
		ok "$how: the writer ends" wait_until 60 ended "$pid"
		diag "after $(($(uptime_ms) - began)) ms"
		wait "$pid"
		is "$how: with an error" $? 1
		# what a file system says that has shut itself down differs
		ok "$how: EIO or read-only" grep -qE 'EIO|EROFS' /tmp/error"$n"
	fi
	ok "$how: umount ends" timeout 60 umount /mnt/"$n"
	ok "$how: the engine forgets it" wait_until 10 not_listed "$n"
}

unplugged 0 "writing"
disk 1 stalled 1
sleep 1
unplugged 1 "stalled"
sync /mnt/2/file &
syncing=$!
unplugged 2 "under fsync"
ok "... the fsync ends" wait_until 30 ended $syncing
thresholds 1 1 1
sleep 1
unplugged 3 "far over sync"
thresholds 4 8 12

ok "the last writer is still at it" alive "${pids[4]}"
before=$(written_to 4)
sleep 3
between "... at the speed of its disk: MB in 3 s" $((($(written_to 4) - before) >> 20)) 24 33
between "threads" "$(stats threads)" 2 8

# pulled out while the engine goes
disk 4 stalled 1
sleep 1
start_detach
sleep 0.2
ok "ext2 while detaching: pulled out" unplug_disk 4
ok "... the detach ends, and the module goes" end_detach
# the stock engine, if the writer is with it by now, holds it until the disk has written: for ever
if alive "${pids[4]}"; then
	kill -9 "${pids[4]}"
fi
ok "... the writer is gone" wait_until 10 ended "${pids[4]}"
ok "umount ends" timeout 60 umount /mnt/4
ok "sync ends" timeout 60 sync
# what writeback lost must not be taken for dirty for ever
ok "nothing is left dirty" wait_until 20 at_most 100 pending
done_testing
