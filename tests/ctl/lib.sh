# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What tests of pdflushctl share: a false /proc and /sys, as a machine of 1 GB has them.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../sim/lib.sh"

export ctl=$PWD/build/pdflushctl
root=$work/root
# shellcheck disable=SC2034 # by tests
vm=$root/proc/sys/vm
engine=$root/proc/pdflush
# shellcheck disable=SC2034 # by tests
patch=$root/sys/kernel/livepatch/pdflush
export PDFLUSHCTL_ROOT=$root
unset PDFLUSHCTL_PROFILES
chmod 755 "$work"

# put FILE TEXT: below the root, folders and all
put() {
	mkdir -p "$root$(dirname "$1")"
	printf '%s\n' "$2" >"$root$1"
}

# set_vm NAME=VALUE...
set_vm() {
	local pair
	for pair; do
		put "/proc/sys/vm/${pair%%=*}" "${pair#*=}"
	done
}

# set_stats NAME=VALUE...: lines of stats that are there already
set_stats() {
	local pair
	for pair; do
		sed -i "s/^${pair%%=*} .*/${pair%%=*} ${pair#*=}/" "$engine/stats"
	done
}

# 200000 dirtyable pages of 4 KB
make_engine() {
	put /proc/pdflush/stats "verdict_nothing 1000
verdict_kick 200
verdict_pace 30
verdict_wait 4
stalled_ms 2500
stall_max_ms 180
pages_by_pdflush 25600
pages_by_kupdate 2560
pages_by_others 256
threads 2
threads_idle 1
threads_born 3
threads_died 1
operations 50
operations_refused 2
background_thresh 20000
async_thresh 80000
sync_thresh 100000
dirtyable 200000
dirty 12800
writeback 1280
devices 2
held 0"
	put /proc/pdflush/devices "device               dirty  writeback write_MB/s  thread
sda                  10240       1024     100.50     512
sdb                   2560        256       5.00       -"
	put /proc/pdflush/stalls "     from_us     stalls
           0          0
           2          1
           4          0
         128          2
        1024         10
      131072         21"
}

make_vm() {
	set_vm writeback_policy=ratios writeback_available_policies="ratios bdflush" \
		dirty_background_ratio=10 dirty_background_bytes=0 \
		dirty_async_ratio=40 dirty_async_bytes=0 dirty_ratio=40 dirty_bytes=0 \
		dirty_sync_ratio=50 dirty_sync_bytes=0 \
		dirty_writeback_centisecs=500 dirty_expire_centisecs=3000 laptop_mode=0 \
		nr_pdflush_threads=2 nr_pdflush_threads_min=2 nr_pdflush_threads_max=8
}

make_livepatch() {
	put /sys/kernel/livepatch/pdflush/enabled 1
	put /sys/kernel/livepatch/pdflush/transition 0
	mkdir -p "$root/sys/module/pdflush"
}

# make_task PID NAME STATE FLAGS STACK [PATCH_STATE]
make_task() {
	local dir=/proc/$1/task/$1
	put "$dir/stat" "$1 ($2) $3 1 1 1 0 -1 $4 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0"
	cp "$root$dir/stat" "$root/proc/$1/stat"
	put "$dir/stack" "$5"
	put "$dir/patch_state" "${6:--1}"
	put "/proc/$1/comm" "$2"
}

# A machine with the engine attached
make_root() {
	rm -rf "$root"
	make_engine
	make_vm
	make_livepatch
	put /proc/sys/kernel/osrelease 6.1.0-57-amd64
}

# gives STATUS COMMAND...: its exit status; $work/out and $work/err have what it printed
gives() {
	local want=$1 status
	shift
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	[[ $status == "$want" ]] && return
	echo "status $status, not $want:"
	cat "$work/out" "$work/err"
	return 1
}

# fails_with STATUS PATTERN COMMAND...: one line on stderr that matches, nothing else
fails_with() {
	local want=$1 pattern=$2
	shift 2
	gives "$want" "$@" || return
	[[ ! -s $work/out && $(wc -l <"$work/err") == 1 ]] &&
		grep -qE -- "$pattern" "$work/err" && return
	cat "$work/out" "$work/err"
	return 1
}

# prints PATTERN COMMAND...: succeeds, and a line on stdout matches
prints() {
	local pattern=$1
	shift
	gives 0 "$@" || return
	grep -qE -- "$pattern" "$work/out" && return
	cat "$work/out" "$work/err"
	return 1
}

# is GOT WANTED
is() {
	[[ $1 == "$2" ]] && return
	echo "got:    $1"
	echo "wanted: $2"
	return 1
}

# As nobody, if we are root
as_nobody() {
	if [[ $(id -u) == 0 ]]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
