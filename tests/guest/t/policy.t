#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: another module's policies are listed, switched to and back under load, and can go afterwards
# guest: --mem 192M --disk 128M,rate=20,fs=ext2 --disk 128M,rate=10,fs=ext4
# helpers: writer policies.ko
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

policy() { get_vm writeback_policy; }
available() { get_vm writeback_available_policies; }
users() { cat /sys/module/policies/refcnt; }

# since: verdicts since the last call
last=() nothing=0 kick=0 pace=0 wait=0
since() {
	local now=() name n=0
	read -r -a now <<<"$(stats verdict_nothing verdict_kick verdict_pace verdict_wait)"
	for name in nothing kick pace wait; do
		printf -v "$name" %d $((now[n] - last[n]))
		n=$((n + 1))
	done
	last=("${now[@]}")
}

is "at first" "$(available)" "ratios bdflush"
ok "a module with two policies loads" insmod policies.ko
is "both are listed" "$(available)" "ratios bdflush free strict"
is "... and not in force" "$(policy)" ratios
is "... nor held" "$(users)" 0
fails "the engine can't be removed under it" rmmod pdflush

thresholds 2 4 6
pids=()
for n in 0 1; do
	./writer forever /mnt/$n/file 100 2>/dev/null &
	pids+=($!)
done
sleep 2

ok "strict is switched to, under load" set_vm writeback_policy=strict
is "... is in force" "$(policy)" strict
is "... its module is held" "$(users)" 1
fails "... and can't be removed" rmmod policies
since
sleep 2
since
ok "... its verdicts are carried out: pace" [ "$pace" -gt 10 ]
is "... nothing, wait" "$nothing $wait" "0 0"

ok "free is switched to" set_vm writeback_policy=free
is "... its module is held once" "$(users)" 1
sleep 0.3	# for callers that were held
since
sleep 0.3
since
ok "... nobody is asked for anything" [ "$nothing" -gt 10 ]
is "... kick, pace, wait" "$kick $pace $wait" "0 0 0"
fails "an unknown one" set_vm writeback_policy=fre
is "... changes nothing" "$(policy) $(users)" "free 1"
ok "the one in force once more" set_vm writeback_policy=free
is "... is still held once" "$(users)" 1

ok "back to ratios" set_vm writeback_policy=ratios
is "... the module is not held" "$(users)" 0
sleep 1
since
sleep 1
since
ok "... writers are held by its rules" [ $((pace + wait)) -gt 5 ]

switched=0
for ((n = 0; n < 200; n++)); do
	for name in strict free bdflush ratios; do
		set_vm writeback_policy=$name && switched=$((switched + 1))
	done
done
is "800 switches under load" $switched 800
is "... leave nothing held" "$(users)" 0
ok "the module can be removed" rmmod policies
is "... and its policies are gone" "$(available)" "ratios bdflush"
fails "... and can't be chosen" set_vm writeback_policy=strict

# a detach with another's policy in force lets it go
insmod policies.ko
set_vm writeback_policy=strict
start_detach
ok "a detach ends with another's policy in force" wait_until 60 is_gone
is "... which is let go" "$(users)" 0
fails "the engine stays while the other module uses it" rmmod pdflush
ok "the other module goes" rmmod policies
ok "then the engine" wait_until 10 rmmod pdflush
for pid in "${pids[@]}"; do
	ok "a writer is still at it" alive "$pid"
done
kill -9 "${pids[@]}"
done_testing
