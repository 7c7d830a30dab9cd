# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# engine.sh: more helpers, for tests of the engine; after lib.sh, in bash.

vm=/proc/sys/vm
pdflush=/proc/pdflush

# now_ms: lib.sh's, without a process; only to 10 ms
uptime_ms() {
	local up
	read -r up _ </proc/uptime
	echo $((10#${up/./} * 10))
}

# vmstat NAME...: the sum of values of /proc/vmstat
vmstat() {
	local name value sum=0
	while read -r name value; do
		case " $* " in
		*" $name "*) sum=$((sum + value)) ;;
		esac
	done </proc/vmstat
	echo $sum
}

# Pages dirty or on their way
pending() { vmstat nr_dirty nr_writeback; }

# at_most NUMBER COMMAND..., at_least NUMBER COMMAND...: is what it prints?
at_most() {
	local most=$1
	shift
	[ "$("$@")" -le "$most" ]
}

at_least() {
	local least=$1
	shift
	[ "$("$@")" -ge "$least" ]
}

# ---- Settings ------------------------------------------------------------------------------------

# set_vm NAME=VALUE...
set_vm() {
	local pair
	for pair; do
		echo "${pair#*=}" >"$vm/${pair%%=*}" || return
	done
}

# get_vm NAME...: their values in a line
get_vm() {
	local name value line=
	for name; do
		read -r value <"$vm/$name"
		line="$line $value"
	done
	echo "${line# }"
}

# thresholds BACKGROUND ASYNC SYNC: in MB
thresholds() {
	set_vm "dirty_background_bytes=$(($1 << 20))" "dirty_async_bytes=$(($2 << 20))" \
		"dirty_sync_bytes=$(($3 << 20))"
}

# ---- The engine ----------------------------------------------------------------------------------

# attach: lib.sh's, but in a guest with --engine off the module is a helper
attach() {
	local module=/job/pdflush.ko
	[ -e $module ] || module=/root/pdflush.ko
	insmod $module "$@" && wait_until 60 is_attached
}

start_detach() { echo 0 >/sys/kernel/livepatch/pdflush/enabled; }

is_gone() { [ ! -e /sys/kernel/livepatch/pdflush ]; }

# After start_detach
end_detach() { wait_until 60 is_gone && wait_until 10 rmmod pdflush; }

# stats NAME...: figures of the engine in a line
stats() {
	local name value want line=
	local -A found=()
	while read -r name value; do
		found[$name]=$value
	done <$pdflush/stats
	for want; do
		line="$line ${found[$want]}"
	done
	echo "${line# }"
}

# device_of N FIELD: of disk N in /proc/pdflush/devices; FIELD as at the head there
device_of() {
	local line head n
	{
		read -r -a head
		while read -r -a line; do
			[ "${line[0]}" != "slow$1" ] || break
		done
	} <$pdflush/devices
	[ "${line[0]}" = "slow$1" ] || return
	for n in "${!head[@]}"; do
		[ "${head[n]}" != "$2" ] || echo "${line[n]}"
	done
}

# ---- Processes -----------------------------------------------------------------------------------

alive() { kill -0 "$1" 2>/dev/null; }
ended() { ! alive "$1"; }

# is_bigger FILE BYTES
is_bigger() { [ "$(stat -c %s "$1")" -gt "$2" ]; }

# state_of PID: R, S, D ...
state_of() {
	local line
	read -r line 2>/dev/null <"/proc/$1/stat" || return
	line=${line##*) }
	echo "${line%% *}"
}

# written_to N: bytes that disk N has written
written_to() { echo $(($(disk "$1" written_sectors) * 512)); }
