# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# lib.sh: helpers for scripts in a guest, for any POSIX shell:
#
#	. ./lib.sh
#	ok "the file is there" [ -f /mnt/0/file ]
#	is "its size" "$(stat -c %s /mnt/0/file)" 4096
#	done_testing
#
# Whatever takes time or may fail here is timed by the guest's clock.

# ---- TAP: tests/guest/tap numbers on, adds the verdict on the kernel log and prints the plan -----

_tests=0
_failures=0

# Optional: says that so many tests are to come; fewer or more are then a failure.
plan() {
	echo "1..$1"
}

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

_result() {
	_tests=$((_tests + 1))
	[ "$1" = ok ] || _failures=$((_failures + 1))
	echo "$1 $_tests - $2"
}

# ok NAME COMMAND...: passes if the command does; what it prints is a comment.
ok() {
	_name=$1
	shift
	if _said=$("$@" 2>&1); then
		_result ok "$_name"
	else
		_result "not ok" "$_name"
		diag "failed: $*"
		[ -z "$_said" ] || diag "$_said"
		return 1
	fi
}

# fails NAME COMMAND...: passes if the command fails.
fails() {
	_name=$1
	shift
	if _said=$("$@" 2>&1); then
		_result "not ok" "$_name"
		diag "should have failed: $*"
		return 1
	fi
	_result ok "$_name"
}

# is NAME GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		_result ok "$1"
	else
		_result "not ok" "$1"
		diag "got:    $2"
		diag "wanted: $3"
		return 1
	fi
}

# between NAME GOT LEAST MOST: whole numbers
between() {
	if [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then
		_result ok "$1 ($2)"
	else
		_result "not ok" "$1"
		diag "got $2, wanted $3 to $4"
		return 1
	fi
}

# skip REASON [HOW_MANY]
skip() {
	for _ in $(seq "${2:-1}"); do
		_tests=$((_tests + 1))
		echo "ok $_tests # SKIP $1"
	done
}

# The test can't go on.
bail_out() {
	echo "Bail out! $*"
	exit 1
}

# At the end: tap takes a script that never gets here for one that died.
done_testing() {
	echo "# done: $_tests tests"
	[ "$_failures" = 0 ]
	exit
}

# ---- Time ----------------------------------------------------------------------------------------

# In the init, busybox would take its own date, which knows no %3N.
now_ms() {
	/usr/bin/date +%s%3N
}

# wait_until SECONDS COMMAND...: false if the command still fails then.
wait_until() {
	_end=$(($(now_ms) + $1 * 1000))
	shift
	until "$@"; do
		[ "$(now_ms)" -lt "$_end" ] || return 1
		sleep 0.1
	done
}

# took_ms COMMAND...: what the command prints goes to stderr.
took_ms() {
	_began=$(now_ms)
	"$@" >&2
	echo $(($(now_ms) - _began))
}

# ---- Memory --------------------------------------------------------------------------------------

drop_caches() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
}

# vmstat_of nr_dirty
vmstat_of() {
	sed -n "s/^$1 //p" /proc/vmstat
}

dirty_kb() {
	sed -n 's/^Dirty: *\([0-9]*\) kB/\1/p' /proc/meminfo
}

# ---- Disks ---------------------------------------------------------------------------------------

# disk N: where the settings of disk N are; disk N SETTING: its value; disk N SETTING VALUE: sets it
disk() {
	case $# in
	1) echo "/sys/block/slow$1/slow" ;;
	2) cat "/sys/block/slow$1/slow/$2" ;;
	*) echo "$3" >"/sys/block/slow$1/slow/$2" ;;
	esac
}

# Pulls disk N out, and waits until it is gone.
unplug_disk() {
	disk "$1" unplug 1 && wait_until 60 [ ! -e "/sys/block/slow$1" ]
}

# Ends the guest here and now, as if the power had failed: nothing more gets to the disks.
power_cut() {
	echo "status ${1:-0}" >/dev/ttyS2
	echo b >/proc/sysrq-trigger
	sleep 60
}

# ---- The engine ----------------------------------------------------------------------------------

_livepatch=/sys/kernel/livepatch/pdflush

_transition_over() {
	[ "$(cat $_livepatch/transition 2>/dev/null)" = 0 ]
}

_gone() {
	[ ! -e $_livepatch ]
}

is_attached() {
	[ "$(cat $_livepatch/enabled 2>/dev/null)" = 1 ] && _transition_over
}

# Load the module (parameters may follow) and wait until all of the kernel uses it.
attach() {
	insmod /job/pdflush.ko "$@" && wait_until 60 is_attached
}

# A disabled patch leaves sysfs when its transition is over; a task that sleeps long may hold it up.
detach() {
	echo 0 >$_livepatch/enabled && wait_until 60 _gone && wait_until 10 rmmod pdflush
}

# stat_of NAME: a figure of the engine
stat_of() {
	sed -n "s/^$1  *//p" /proc/pdflush/stats
}
