#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Thousands of schedules, every invariant at every step. A night's worth:
# build/wbsim explore race --seeds 1000000
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

ok "2000 schedules of two devices and four writers" "$wbsim" explore race --seeds 2000
ok "1000 of a device that is pulled out" "$wbsim" explore race-unplug --seeds 1000
ok "1000 with thresholds and bounds that change" "$wbsim" explore race-tune --seeds 1000
ok "1000 of devices forgotten while written to" "$wbsim" explore race-retire --seeds 1000
ok "1000 of devices that vanish under paced writers" "$wbsim" explore race-gone --seeds 1000
ok "1000 of devices forgotten and noted again" "$wbsim" explore race-again --seeds 1000
ok "500 with every thread at a slow device" "$wbsim" explore race-rounds --seeds 500
ok "1000 of threads that die" "$wbsim" explore race-die --seeds 1000
ok "a detach under writers, from devices whose threads are not waited for" \
	"$wbsim" run race-detach --seed 1
done_testing
