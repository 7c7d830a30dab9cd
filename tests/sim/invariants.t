#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each invariant finds out an engine, or a host, that is broken on purpose; see breaks.c.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# finds BREAK PATTERN COMMAND TESTBED OPTION...: the simulator must fail, saying so and the seed
finds() {
	local break=$1 pattern=$2 output
	shift 2
	if output=$(WBSIM_BREAK=$break build/wbsim-broken "$@" 2>&1); then
		echo "nothing was found"
		return 1
	fi
	grep -E "seed [0-9]+.*$pattern" <<<"$output" >/dev/null || {
		echo "$output"
		return 1
	}
}

quiet() { build/wbsim-broken explore race --seeds 20; }

ok "not broken: nothing is found" quiet
ok "counts" finds counts "invariant counts" explore race --seeds 50
ok "sleeper" finds sleeper "invariant sleeper" explore race-unplug --seeds 50
ok "wanted" finds wanted "invariant wanted" explore race --seeds 50
ok "agreement" finds agreement "invariant agreement" explore race --seeds 50
ok "bound" finds bound "invariant bound" run usb-stick
ok "age" finds age "invariant age" run age
ok "one thread a device" finds one-thread "invariant one-thread" explore race --seeds 50
ok "pool" finds pool "invariant pool" explore race --seeds 50
ok "exactly once" finds once "invariant once" explore race --seeds 50
ok "detach" finds detach "invariant detach" explore race --seeds 50
ok "freed under a reader" finds grace "" explore race-retire --seeds 3000
done_testing
