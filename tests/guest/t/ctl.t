#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: pdflushctl on the real engine: attach, look, set, trace, detach
# guest: --engine off --mem 192M --disk 128M,rate=20,fs=ext2 --disk 64M,rate=5,fs=ext2,depth=1
# guest: --add /lib/terminfo/v/vt100
# helpers: pdflush.ko pdflush_trace.ko pdflushctl terminal writer
# helpers: profiles/akpm profiles/2.4.19 profiles/2.5.31
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

export PDFLUSHCTL_PROFILES=/root/profiles
mkdir profiles v
mv akpm 2.4.19 2.5.31 profiles/
mv vt100 v/
export TERMINFO=/root TERM=vt100

ctl() { ./pdflushctl "$@"; }

# gives STATUS WORDS...: what pdflushctl ends with; out and err have what it said
gives() {
	local want=$1 status
	shift
	ctl "$@" >out 2>err
	status=$?
	[ "$status" = "$want" ] && return
	echo "status $status, not $want"
	cat out err
	return 1
}

# prints PATTERN WORDS...
prints() {
	local pattern=$1
	shift
	gives 0 "$@" && grep -qE -- "$pattern" out && return
	cat out err
	return 1
}

said() { grep -qE -- "$1" err || { cat err; return 1; }; }
no_trace() { [ ! -e /sys/kernel/livepatch/pdflush ] && [ ! -e /sys/module/pdflush ]; }
attach_ours() { gives 0 attach --module /root/pdflush.ko "$@"; }

# ---- Before

ok "doctor: this kernel can take it" prints "^Nothing stands in the way" doctor
ok "... all functions are there" grep -qE "ok  all [0-9]+ functions" out
ok "status without the engine" gives 3 status

# ---- Attach: refused, given up, done

ok "a refusal" gives 1 attach --module /root/pdflush.ko background=200
ok "... with the kernel's reason" said "refused: background, async and sync are percent"
ok "... nothing is left" no_trace

# a writer that stock holds and does not let go holds the transition up
set_vm dirty_background_bytes=1048576 dirty_bytes=4194304
./writer forever /mnt/1/held 40 2>/dev/null &
writer=$!
sleep 3
disk 1 stalled 1
in_stock() { grep -q balance_dirty_pages "/proc/$writer/stack"; }
ok "a writer sits in the stock engine" wait_until 20 in_stock
ok "attach gives up" gives 4 attach --module /root/pdflush.ko --timeout 4
ok "... names the writer, and the function" said "writer \($writer\) in .*balance_dirty_pages"
ok "... says what is now" said "gave up .*the stock engine is in force"
ok "... nothing is left" no_trace
disk 1 stalled 0
kill -9 $writer
wait $writer 2>/dev/null
set_vm dirty_background_ratio=10 dirty_ratio=20
sync

ok "attach" attach_ours
ok "... with the module of tracepoints" [ -e /sys/module/pdflush_trace ]
ok "... again" prints "^attached already" attach
ok "doctor: it is in force" prints "ok  the engine is loaded and in force" doctor

# ---- Looks

ok "status" prints "^pdflush +attached; policy ratios of: ratios" status
ok "... sync" grep -qE "^sync +50 % +50\.0 %" out
ok "... JSON" prints '"attached": true' status --json
ok "metrics" prints "^pdflush_up 1$" metrics
ok "no warning" prints '"warnings": \[\]' status --json

thresholds 2 4 6
./writer forever /mnt/0/a 40 2>/dev/null &
a=$!
./writer forever /mnt/1/b 40 2>/dev/null &
b=$!
sleep 4
somebody_held() { [ "$(stats held)" -gt 0 ]; }
ok "somebody is held" wait_until 10 somebody_held
ok "status: a disk, its rate, its thread" prints "^slow0 .* MB/s +([0-9]+|-)$" status
ok "... seconds of their bandwidth" grep -qE "^sync +6\.0 MB .* ms$" out
ok "watch" prints "^[0-9]" watch --csv -n 3 0.5
is "... a head and three lines" "$(wc -l <out)" 4
is "... somebody was paced or waited" "$(awk -F, 'NR > 1 && $9 + $10 > 0' out | wc -l)" 3

# ---- Trace

instances() { ls /sys/kernel/tracing/instances; }
ok "trace" prints " slow[01] .*(pace|wait) .* for [0-9]+ pages" trace -n 40
ok "... ends of holds, too" grep -qE "held +[0-9.]+ m?s in [0-9]+ sleeps?" out
is "... so many lines" "$(wc -l <out)" 40
is "... both writers" "$(awk '{ print $3 }' out | sort -u | grep -cE "^($a|$b)$")" 2
is "... the instance is gone" "$(instances)" ""
ok "trace of a process" prints " $a " trace --pid $a -n 5
is "... of it alone" "$(awk '{ print $3 }' out | sort -u)" $a
ok "trace of a disk" prints " slow1 " trace --device slow1 -n 5
is "... of it alone" "$(awk '{ print $4 }' out | sort -u)" slow1
ok "trace of no disk" gives 1 trace --device nothing
(trap - INT; ctl trace >out 2>err) &
tracer=$!
ok "trace without an end" wait_until 20 [ -s out ]
is "... has an instance of its own" "$(instances | grep -c '^pdflushctl-[0-9]*$')" 1
pkill -INT -P $tracer pdflushctl || kill -INT $tracer
wait $tracer
is "... interrupted: status 0" $? 0
is "... the instance is gone" "$(instances)" ""

# ---- Top, and what looking costs: by a clock that counts instructions

read -r _ status _ cpu _ <<<"$(./terminal 10 screen ./pdflushctl top)"
is "top for 10 s, ended by q" "$status" 0
ok "... shows who is held" grep -qaE "writer +($a|$b)" screen
between "... takes of a CPU, in 1/10000" $((cpu / 1000)) 0 100
read -r _ status _ <<<"$(./terminal 4 screen ./pdflushctl top --events)"
is "top --events" "$status" 0
# what has not changed is not written again: a disk's name comes behind a move of the cursor
with_disks() { tr -d '\n' <screen | sed 's/.*longest  disk//' | grep -qaE "slow[01]"; }
ok "... at which disk, how long" with_disks
is "... the trace instance is gone" "$(instances)" ""
read -r _ status _ cpu _ wall <<<"$(./terminal 0 screen ./pdflushctl status)"
is "status on a terminal" "$status" 0
diag "CPU $cpu us"
between "... takes, us" "$wall" 0 20000
kill -9 $a $b
wait $a $b 2>/dev/null

# ---- Profiles

drop_caches
values() { grep -H . $vm/dirty_* $vm/writeback_policy $vm/nr_pdflush_threads_m*; }
ok "profile akpm" prints "^dirty_sync_bytes +6291456 -> 0$" profile apply akpm
is "... is in force" \
	"$(get_vm dirty_background_ratio dirty_async_ratio dirty_sync_ratio dirty_sync_bytes)" \
	"10 60 70 0"
ok "... again: nothing to do" prints "^nothing to change" profile apply akpm
ok "save" prints "^saved as /root/profiles/mine" profile save mine
before=$(values)
ok "profile 2.4.19" prints "^writeback_policy +ratios -> bdflush$" profile apply 2.4.19
is "... nine numbers" "$(tr '\t' ' ' <$vm/bdflush)" "30 500 0 0 500 3000 60 20 0"
ok "... status shows them" prints "^bdflush +30 500 0 0 500 3000 60 20 0$" status
ok "... and its thresholds" grep -qE "^async +- +60\.0 %" out
ok "back to what was saved" prints "^writeback_policy +bdflush -> ratios$" profile apply mine
is "... all of it" "$(values)" "$before"
printf 'writeback_policy = bdflush\nbdflush = 101 500 0 0 500 3000 60 20 0\n' >profiles/bad
ok "refused half way" gives 1 profile apply bad
ok "... says so" said "bdflush = 101 .*refused \(Invalid argument\); all is as it was before"
is "... and so it is" "$(values)" "$before"
ok "the policy's file is gone" [ ! -e $vm/bdflush ]
ok "profile 2.5.31" gives 0 profile apply 2.5.31
ok "... back again" gives 0 profile apply mine
is "... all of it" "$(values)" "$before"

# ---- Detach: from a disk that does not answer; done

# a queue so short that a thread of the pool has to wait for room in it
echo 4 >/sys/block/slow1/queue/nr_requests
thresholds 8 20 30
./writer forever /mnt/1/b 40 2>/dev/null &
b=$!
sleep 2
disk 1 stalled 1
sleep 2
at_disk() { [ "$(device_of 1 thread)" != - ]; }
ok "a thread is at a disk that does not answer" at_disk
ok "detach while a disk does not answer gives up" gives 4 detach --timeout 8
ok "... the stock engine is back" [ ! -e /sys/kernel/livepatch/pdflush ]
ok "... and says what it waits for" said "module leaves when a device answers"
disk 1 stalled 0
ok "... when the disk answers the module leaves" wait_until 20 no_trace
kill -9 $b
wait $b 2>/dev/null
set_vm dirty_background_ratio=10 dirty_ratio=20
ok "attach with parameters" attach_ours background=3
is "... are in force" "$(get_vm dirty_background_ratio)" 3
ok "detach" prints "^detached$" detach
ok "... nothing is left" no_trace
ok "... again: nothing to detach" gives 3 detach
done_testing
