#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: a minute of writers, attach, detach, settings and policies on four real CPUs
# guest: --engine off --mem 256M --timing real --cpus 4 --disk 128M,rate=20,fs=ext4
# guest: --disk 128M,rate=10,fs=ext2 --disk 320M,rate=20,fs=xfs --disk 64M,rate=5,fs=ext4
# helpers: pdflush.ko policies.ko writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

seconds=${1:-60}
end=$((SECONDS + seconds))

# one_of WORD...
one_of() { echo "${@:RANDOM % $# + 1:1}"; }

# sets anything, in any state: files of the engine may not be there
settings() {
	local file
	while ((SECONDS < end)); do
		for file in dirty_background_ratio dirty_ratio dirty_async_ratio \
			dirty_sync_ratio; do
			echo $((RANDOM % 30 + 1)) >"$vm/$file"
		done
		for file in dirty_background_bytes dirty_bytes dirty_sync_bytes; do
			echo $(((RANDOM % 20 + 1) << 20)) >"$vm/$file"
		done
		echo $((RANDOM % 4 * 50)) >"$vm/dirty_writeback_centisecs"
		echo $((RANDOM % 10 * 50)) >"$vm/dirty_expire_centisecs"
		echo $((RANDOM % 6 + 1)) >"$vm/nr_pdflush_threads_min"
		echo $((RANDOM % 10 + 1)) >"$vm/nr_pdflush_threads_max"
		sleep 0.0$((RANDOM % 10))
	done 2>/dev/null
}

policies() {
	while ((SECONDS < end)); do
		one_of ratios bdflush strict free >"$vm/writeback_policy"
		sleep 0.0$((RANDOM % 10))
	done 2>/dev/null
}

readers() {
	while ((SECONDS < end)); do
		cat "$pdflush"/* "$vm"/*dirty* "$vm"/*pdflush* "$vm"/writeback_* >/dev/null
		sleep 0.05
	done 2>/dev/null
}

syncers() {
	while ((SECONDS < end)); do
		dd if=/dev/zero of=/mnt/3/small bs=16k count=$((RANDOM % 20 + 1)) conv=fsync
		one_of sync "sync -f /mnt/1" "sync /mnt/2/file" "rm -f /mnt/3/small" >/tmp/what
		sh /tmp/what
		sleep 0.$((RANDOM % 5))
	done 2>/dev/null
}

stallers() {
	local n
	while ((SECONDS < end)); do
		n=$((RANDOM % 4))
		disk "$n" stalled 1
		sleep 0.$((RANDOM % 10))
		disk "$n" stalled 0
		sleep 0.5
	done
}

# memory cgroups that come, write and go: with each the kernel makes and drops a record of a disk
groups() {
	local n=0 group
	echo "+memory +io" >/sys/fs/cgroup/cgroup.subtree_control
	while ((SECONDS < end)); do
		group=/sys/fs/cgroup/group$((n += 1))
		mkdir "$group"
		echo 16M >"$group/memory.max"
		(
			echo "$BASHPID" >"$group/cgroup.procs"
			exec ./writer write "/mnt/$((n % 4))/group" 4 1
		)
		rmdir "$group" && echo "$n" >/tmp/groups
	done >/dev/null 2>&1
}

# Tasks that an attach waits for: a line each, its name and where it is
holders() {
	local task state
	for task in /proc/[0-9]*/task/*; do
		read -r state <"$task/patch_state"
		[ "$state" != 0 ] || echo "$(<"$task/comm"): $(tr '\n' ' ' <"$task/stack")"
	done 2>/dev/null
}

# A writer whom the stock engine holds, by limits of a megabyte, is its own to let go: with more
# room it does, and then the engine must be attached.
attach_under_load() {
	local held
	within 120 insmod /root/pdflush.ko || return
	wait_until 60 is_attached && return
	held=$(holders)
	diag "waited for: $held"
	! grep -v ' balance_dirty_pages+' <<<"$held" || return
	set_vm dirty_background_ratio=60 dirty_ratio=80
	wait_until 60 is_attached
}

# within SECONDS COMMAND...: also if it comes to block for good, which is told then
within() {
	local seconds=$1 pid
	shift
	"$@" &
	pid=$!
	wait_until "$seconds" ended $pid || {
		diag "$* has not ended after $seconds s: $(tr '\n' ' ' <"/proc/$pid/stack")"
		for pid in $(pgrep 'pdflush|kupdated'); do
			diag "$(<"/proc/$pid/comm"): $(tr '\n' ' ' <"/proc/$pid/stack")"
		done
		diag "$(dmesg | tail -n 20)"
		bail_out "$* blocks"
	}
	wait $pid
}

names=$(ls $vm)
writers=()
for n in 0 0 1 2 2 3; do
	./writer forever "/mnt/$n/file$RANDOM" 25 2>/tmp/errors &
	writers+=($!)
done
helpers=()
for job in settings policies readers syncers stallers groups; do
	$job &
	helpers+=($!)
done

attached=0 detached=0 rounds=0
while ((SECONDS < end)); do
	attach_under_load && attached=$((attached + 1))
	within 60 insmod policies.ko
	sleep $((RANDOM % 6))
	within 60 start_detach
	wait_until 60 is_gone
	within 60 rmmod policies
	wait_until 10 within 60 rmmod pdflush && detached=$((detached + 1))
	rounds=$((rounds + 1))
	((detached == rounds)) || break
done
diag "$rounds rounds, $(cat /tmp/groups) groups"
is "attached each time" $attached $rounds
is "detached each time" $detached $rounds
for pid in "${helpers[@]}"; do
	ok "a helper ends" wait_until 60 ended "$pid"
done
for n in 0 1 2 3; do
	disk "$n" stalled 0
done
for pid in "${writers[@]}"; do
	ok "a writer is still at it" alive "$pid"
done
kill -9 "${writers[@]}"
set_vm dirty_writeback_centisecs=500
ok "sync ends" timeout 60 sync
is "/proc/sys/vm lists the same names" "$(ls $vm)" "$names"
is "no thread is left" "$(pgrep -c pdflush)" 0

# and it works as on the first day
# shellcheck disable=SC2119
ok "attach" attach
thresholds 2 4 6
ok "a writer gets on" timeout 60 ./writer write /mnt/1/last 20 9
ok "... and is held" [ "$(stats verdict_pace)" -gt 0 ]
ok "detach" detach
sync
echo 3 >/proc/sys/vm/drop_caches
ok "... and what it wrote is there" ./writer check /mnt/1/last 20 9
done_testing
