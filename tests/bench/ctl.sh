#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# ctl.sh: in the guest, what pdflushctl takes. Prints
#	status KIND PROCESSES EXIT_STATUS CPU_US WALL_US
#	top KIND PROCESSES EXIT_STATUS CPU_US WALL_US
set -euo pipefail
# shellcheck source=../guest/lib.sh
. ./lib.sh
# shellcheck source=../guest/engine.sh
. ./engine.sh

mkdir v
mv vt100 v/
export TERMINFO=/root TERM=vt100

# measure VERB KIND SECONDS [OPTION]...
measure() {
	local verb=$1 kind=$2 seconds=$3 status cpu wall processes
	shift 3
	processes=$(find /proc -maxdepth 1 -name '[0-9]*' | wc -l)
	read -r _ status _ cpu _ wall \
		<<<"$(./terminal "$seconds" screen ./pdflushctl "$verb" "$@")"
	echo "$verb $kind $processes $status $cpu $wall"
}

# the kernel's random numbers, which json tables want, take their time once
head -c 1 /dev/random >/dev/null
measure status text 0
measure status json 0 --json
measure top idle 20
thresholds 2 4 6
./writer forever /mnt/0/a 40 2>/dev/null &
sleep 3
measure status text 0
measure top held 20
for _ in {1..300}; do
	sleep 1000 &
done
measure top held 20
