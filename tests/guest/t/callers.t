#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: held writers die at once; tmpfs is never throttled; nowait writers get EAGAIN, no sleep
# guest: --mem 256M --disk 64M,fs=ext2 --disk 300M,fs=xfs
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

verdicts() { stats verdict_nothing verdict_kick verdict_pace verdict_wait; }

# ---- Nowait writers, far below all thresholds

thresholds 40 60 80
for way in nowait uring; do
	out=$(./writer $way /mnt/1/$way 4 100)
	ok "$way, far below: writes" grep -qx 'written_mb 4' <<<"$out"
	ok "... and is not refused" grep -qx 'refused 0' <<<"$out"
	rm /mnt/1/$way
done

# ---- A stalled disk with a held writer puts the machine over sync

# Its blocks are there, so nothing has to be read
dd if=/dev/zero of=/mnt/0/file bs=1M count=30 2>/dev/null
sync
thresholds 4 6 8
disk 0 stalled 1
./writer forever /mnt/0/file 30 &
hog=$!
is_held() { [ "$(state_of "$hog")" = D ] && grep -q hold_caller "/proc/$hog/stack"; }
ok "a writer to a stalled disk is held" wait_until 10 is_held
thresholds 2 3 4
ok "... over the sync threshold" at_least $((4 * 256 + 100)) pending
# it is held for good now: any further verdict is somebody else's
sleep 5
ok "... and still is" is_held

before=$(verdicts)
ms=$(took_ms dd if=/dev/zero of=/tmp/file bs=64k count=640)
ok "tmpfs: 40 MB are written, without a stall" [ "$ms" -lt 1000 ]
is "... and the engine isn't even asked" "$(verdicts)" "$before"
rm /tmp/file

for way in nowait uring; do
	read -r _ _ pace wait <<<"$(verdicts)"
	stalled=$(stats stalled_ms)
	out=$(./writer $way /mnt/1/$way 4 100)
	ok "$way, over sync: refused" grep -qx 'refused 100' <<<"$out"
	ok "... before it has written much" grep -qx 'written_mb 0' <<<"$out"
	ok "... without a sleep" grep -qx 'sleeps 0' <<<"$out"
	read -r _ _ p w <<<"$(verdicts)"
	between "... each refusal the engine's" $((p + w - pace - wait)) 50 200
	is "... no stall is counted" "$(stats stalled_ms)" "$stalled"
	diag "$out"
done

# an ordinary writer on the same healthy disk waits: it has nothing to write there but its own
before=$(uptime_ms)
timeout 5 dd if=/dev/zero of=/mnt/1/ordinary bs=64k count=160 2>/dev/null
ok "a writer to the other disk gets on" is_bigger /mnt/1/ordinary 1000000
diag "$(stat -c %s /mnt/1/ordinary) bytes in $(($(uptime_ms) - before)) ms"

# ---- The end of held writers

# dies NAME PID: killed, it is gone in half a second
dies() {
	local began
	began=$(uptime_ms)
	kill -9 "$2"
	wait_until 10 ended "$2"
	between "$1: ms until it is gone" $(($(uptime_ms) - began)) 0 500
}

dies "kill -9 of the held writer" $hog
for n in 1 2 3 4; do
	./writer forever /mnt/0/file 30 &
	hog=$!
	wait_until 10 is_held
	sleep 0.0$((n * 23))
	dies "another, $n" $hog
done
# by SIGTERM a program that doesn't catch it dies as well
./writer forever /mnt/0/file 30 &
hog=$!
ok "one more is held" wait_until 10 is_held
kill $hog
ok "... and ended by SIGTERM" wait_until 1 ended $hog
# SIGSTOP must not end a hold, nor SIGCONT
./writer forever /mnt/0/file 30 &
hog=$!
wait_until 10 is_held
kill -STOP $hog
sleep 1
kill -CONT $hog
sleep 1
ok "stopped and continued, it is held as before" is_held
dies "... and dies" $hog

# a crowd
pids=()
for n in 1 2 3 4 5 6 7 8 9 10; do
	./writer forever /mnt/0/file 30 &
	pids+=($!)
done
sleep 3
began=$(uptime_ms)
kill -9 "${pids[@]}"
for pid in "${pids[@]}"; do
	wait_until 10 ended "$pid"
done
between "ten held writers: ms until all are gone" $(($(uptime_ms) - began)) 0 1000

disk 0 stalled 0
ok "the disk goes on: sync ends" timeout 60 sync
done_testing
