#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 2.4's engine in the simulator: its rules, and what was measured of it in 2001.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

anton="90 64 64 256 500 3000 95 0 0"

# by_2_4 NAME TESTBED OPTION...: run it with 2.4's engine
by_2_4() { run "$@" --policy bdflush; }

# Anton Blanchard: fewer clients than fit, kupdated stopped, and the disk is not touched
off_the_disk() {
	by_2_4 anton blanchard-2001 --set bdflush="$anton" --set kupdated=stop || return
	holds "$(f anton devices.written_mb) == 0 && $(f anton dbench.throughput) > 100"
}

# age TESTBED'S OPTION...: megabytes written of 1 MB that is left alone for a minute
old_mb() {
	by_2_4 age age --set bdflush="90 64 64 256 500 3000 95 0 0" "$@" || return
	f age written_by_mb.kupdate
}

kupdated_writes() { holds "$(old_mb) == 1"; }
stopped_it_does_not() { holds "$(old_mb --set kupdated=stop) == 0"; }
interval_0_neither() { holds "$(old_mb --set interval=0) == 0"; }
continued_it_makes_one_pass() { holds "$(old_mb --set interval=0 --set kupdated=continue) <= 1"; }

# Below nfract nobody writes; above it bdflush does, and callers are left alone until nfract_sync
below_nfract() {
	by_2_4 below guest-ftp --set bdflush="90 500 0 0 0 3000 98 20 0" --seconds 5 || return
	holds "$(f below written_by_mb.background) == 0" || return
	by_2_4 above guest-ftp --set bdflush="10 500 0 0 0 3000 98 5 0" || return
	holds "$(f above written_by_mb.background) > 20" &&
		holds "$(f above verdicts.kick) > 10 && $(f above verdicts.pace) == 0"
}

# By 2.4.8's rules it is the caller who is held above nfract
callers_write() {
	by_2_4 callers guest-dd --set bdflush_rules=2.4.8 --set bdflush="10 64 64 256 0 3000 98" ||
		return
	holds "$(f callers verdicts.pace) > 100 && $(f callers verdicts.kick) == 0"
}

# nfract_stop: bdflush started, it goes on below nfract
stops_low() {
	by_2_4 low guest-dd --set bdflush="40 500 0 0 0 3000 95 5 0" --seconds 20 || return
	by_2_4 high guest-dd --set bdflush="40 500 0 0 0 3000 95 40 0" --seconds 20 || return
	holds "$(f low written_by_mb.background) >= $(f high written_by_mb.background)"
}

refused() {
	local said
	said=$("$wbsim" run age "$@" 2>&1)
	[[ $? == 2 && $(wc -l <<<"$said") == 1 ]] || { echo "$said"; return 1; }
}

# A run that ends while somebody writes: nobody may spin until the pool is told to stop
cut_short() {
	local seconds n
	for seconds in 0.001 0.5 1.5 3; do
		for n in 10 50 90; do
			timeout 60 "$wbsim" run cole-2001 --policy bdflush --seconds "$seconds" \
				--set nfract="$n" --set nfract_sync="$n" >"$work/cut" || return
		done
	done
}

# Steven Cole's table: rank correlation, 90 % against 30 %, a column's distance from its row's mean,
# and most of the rise between 50 and 70 %
cole() {
	local rank cells
	"$wbsim" sweep cole-2001 --policy bdflush --rows nfract=30:90:10 \
		--cols nfract_sync=60:90:10 --csv >"$work/cole" || return
	read -r rank cells < <(awk -f tests/bench/sweep-rank.awk tests/bench/sweep-cole-2001.csv \
		"$work/cole")
	awk -f tests/sim/rows.awk "$work/cole" >"$work/rows" || return
	echo "rank correlation $rank"
	cat "$work/rows"
	holds "$cells == 28 && $rank >= 0.9" &&
		holds "$(f rows last_to_first) > 1.3 && $(f rows last_to_first) < 1.7" &&
		holds "$(f rows off_row_percent) <= 6 && $(f rows rise_50_70) > 0.5"
}

ok "blanchard-2001 by his recipe: nothing is written" off_the_disk
ok "kupdated writes what is old" kupdated_writes
ok "... stopped, it does not" stopped_it_does_not
ok "... with interval 0 neither" interval_0_neither
ok "... continued, it makes no more than a pass" continued_it_makes_one_pass
ok "bdflush writes above nfract, with nobody held" below_nfract
ok "2.4.8: callers above nfract have it written" callers_write
ok "bdflush goes on to nfract_stop" stops_low
ok "nine numbers at most" refused --set bdflush="1 1 0 0 0 100 0 0 0 0"
ok "a number out of range" refused --set bdflush="101"
ok "a field out of range" refused --set age_buffer=99
ok "unknown rules" refused --set bdflush_rules=2.4.20
ok "an unknown signal" refused --set kupdated=term
ok "runs that are cut short end" cut_short
ok "cole-2001: Steven's table" cole
ok "1000 schedules of policies, numbers and signals that change" \
	"$wbsim" explore race-policy --seeds 1000
done_testing
