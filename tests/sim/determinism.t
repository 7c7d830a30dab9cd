#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The same seed gives the same bytes, another seed others.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# same TESTBED OPTION...: with another environment, so that addresses differ
same() {
	"$wbsim" run "$@" --json --seed 7 >"$work/a" || return
	env -i FILLER="$(printf '%4000s' x)" "$wbsim" run "$@" --json --seed 7 >"$work/b" || return
	cmp "$work/a" "$work/b"
}

differs() {
	"$wbsim" run "$@" --json --seed 8 | grep -v '"seed"' >"$work/b"
	! cmp -s <(grep -v '"seed"' "$work/a") "$work/b"
}

same_schedules() {
	"$wbsim" explore race --seeds 100 >"$work/a" &&
		"$wbsim" explore race --seeds 100 >"$work/b" &&
		cmp "$work/a" "$work/b"
}

for testbed in kropelin-2002 kropelin-2531 cole-2001 blanchard-2001 usb-stick race race-unplug; do
	ok "$testbed twice" same "$testbed"
done
ok "modern-server twice" same modern-server --seconds 2
ok "fleet-disk twice" same fleet-disk --seconds 0.5
same cole-2001
ok "cole-2001 with another seed differs" differs cole-2001
ok "explore twice takes as many steps" same_schedules
done_testing
