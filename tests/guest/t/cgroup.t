#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: memory cgroups keep to thresholds of their own, share a disk, and can go
# guest: --mem 384M --disk 1G,rate=50,fs=ext4
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

cg=/sys/fs/cgroup
for controller in memory io; do
	grep -q $controller $cg/cgroup.controllers || bail_out "no $controller controller"
done
mkdir -p $cg/small $cg/big
echo "+memory +io" >$cg/cgroup.subtree_control
echo 64M >$cg/small/memory.max

# within GROUP COMMAND...
within() {
	local group=$1
	shift
	(
		echo $BASHPID >"$cg/$group/cgroup.procs"
		exec "$@"
	)
}

# Highest number of bytes that a group had dirty or on their way, while a process lives
peak_of() {
	local most=0 now
	while alive "$2"; do
		now=$(awk '/^file_(dirty|writeback) / { sum += $2 } END { print sum }' \
			"$cg/$1/memory.stat")
		((now <= most)) || most=$now
		sleep 0.1
	done
	echo "$most"
}

within small ./writer write /mnt/0/small 200 1 >/dev/null &
pid=$!
peak=$(peak_of small $pid)
ok "a writer in a group of 64 MB writes 200 MB" wait $pid
between "... with at most half of it dirty or on its way, in MB" $((peak >> 20)) 1 34
is "... and nobody is killed" "$(awk '/^oom_kill / { print $2 }' $cg/small/memory.events)" 0
drop_caches
ok "it reads the same, cold" ./writer check /mnt/0/small 200 1

within big ./writer forever /mnt/0/big 300 >/dev/null &
sleep 5
ms=$(took_ms within small ./writer write /mnt/0/small 50 2)
# alone at the disk it would take a second
between "beside a group that writes all the time, 50 MB take, in ms" "$ms" 0 8000
killall -9 writer
wait

rm /mnt/0/big /mnt/0/small
sync
rmdir $cg/small $cg/big
drop_caches
# the kernel may keep a dead group for a page in a per-CPU list; we must not
ok "the engine forgets disk and groups when all is clean" wait_until 90 at_most 0 stats devices
dead=$(awk '/^nr_dying_descendants / { print $2 }' $cg/cgroup.stat)
between "... and so can the kernel" "$dead" 0 1
done_testing
