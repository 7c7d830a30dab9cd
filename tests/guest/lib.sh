# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh

attach() {
	insmod /job/pdflush.ko "$@" || return
	wait_until 60 transition_over
}

transition_over() {
	[ "$(cat /sys/kernel/livepatch/pdflush/transition)" = 0 ]
}

wait_until() {
	_end=$(($(date +%s) + $1))
	shift
	until "$@"; do
		[ "$(date +%s)" -lt "$_end" ] || return 1
		sleep 0.1
	done
}
