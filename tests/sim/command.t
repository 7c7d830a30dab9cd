#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The command line and testbeds: what is wrong is said in one line, with exit status 2.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# refuses PATTERN ARGUMENT...
refuses() {
	local pattern=$1 status
	shift
	"$wbsim" "$@" >"$work/out" 2>"$work/err"
	status=$?
	[[ $status == 2 && ! -s $work/out && $(wc -l <"$work/err") == 1 ]] &&
		grep -qE -- "$pattern" "$work/err" && return
	echo "status $status:"
	cat "$work/out" "$work/err"
	return 1
}

# refuses_testbed PATTERN SED-SCRIPT: a testbed with a fault
refuses_testbed() {
	sed "$2" tools/wbsim/testbeds/race.cfg >"$work/bad.cfg"
	refuses "$1" run "$work/bad.cfg"
}

# Known by its name before a run has made an operation
percentile() {
	"$wbsim" sweep usb-stick --rows dirty_background_ratio=10:10:10 --figure user.p99_ms \
		--cols dirty_async_ratio=20:20:10 --csv >"$work/csv" &&
		holds "$(sed -n 's/^10,//p' "$work/csv") > 0"
}

csv() {
	"$wbsim" sweep race --rows dirty_background_ratio=20:40:10 \
		--cols dirty_sync_ratio=60:80:20 --csv >"$work/csv" || return
	[[ $(head -n 1 "$work/csv") == dirty_background_ratio,60,80 && $(wc -l <"$work/csv") == 4 &&
		$(cut -d, -f1 "$work/csv" | tail -n 3 | tr '\n' ' ') == "20 30 40 " ]] && return
	cat "$work/csv"
	return 1
}

is_png() { [[ $(head -c 4 "$1" | tail -c 3) == PNG ]]; }

map() {
	"$wbsim" sweep race --rows dirty_background_ratio=20:40:10 \
		--cols dirty_sync_ratio=60:80:20 --png "$work/map.png" && is_png "$work/map.png"
}

lines() {
	"$wbsim" run kropelin-2002 --png "$work/lines.png" >/dev/null &&
		is_png "$work/lines.png"
}

json() { "$wbsim" run race --json | grep -q '"testbed": "race"'; }

helps() { "$wbsim" --help | grep -q sweep && "$wbsim" run --help | grep -q explore; }

manual() {
	local output
	# what else is installed is not its fault
	output=$(mandoc -T lint tools/wbsim/wbsim.1 2>&1 | grep -F wbsim.1:) || return 0
	echo "$output"
	return 1
}

ok "no command" refuses "run, sweep or explore"
ok "unknown command" refuses "there is no command fly" fly
ok "no testbed" refuses "a testbed is wanted" run
ok "unknown testbed" refuses "there is no testbed nowhere" run nowhere
ok "unknown option" refuses "there is no option --fast" run race --fast
ok "option of another command" refuses "run has no option --seeds" run race --seeds 3
ok "a number that is none" refuses "wants a number" run race --seed x
ok "unknown setting" refuses "dirty_colour=3: no such setting" run race --set dirty_colour=3
ok "value out of range" refuses "out of range" run race --set dirty_sync_ratio=101
ok "no value" refuses "NAME=VALUE" run race --set dirty_sync_ratio
ok "unknown policy" refuses "no such policy" run race --policy laissez-faire
ok "steps that never lead there" refuses "such steps" sweep race \
	--rows dirty_sync_ratio=60:80:-1 --cols dirty_async_ratio=1:2:1
ok "unknown figure" refuses "there is no figure joy" sweep race --figure joy \
	--rows dirty_sync_ratio=60:80:20 --cols dirty_async_ratio=30:30:1
ok "testbed: syntax" refuses_testbed "bad.cfg:[0-9]+: syntax error" '/memory/s/=//'
ok "testbed: unknown setting, with its line" refuses_testbed "bad.cfg:9: there is no setting" \
	's/memory =/memories =/'
ok "testbed: bad size" refuses_testbed "bad.cfg:9: memory: \"4X\" is no size" 's/"4M"/"4X"/'
ok "testbed: bad type" refuses_testbed "there is no program of type \"ddd\"" 's/"dd"/"ddd"/'
ok "testbed: bad sysctl" refuses_testbed "bad.cfg:[0-9]+: dirty_expire_centisecs: value" \
	's/dirty_expire_centisecs = 20/dirty_expire_centisecs = -20/'
ok "sweep as CSV" csv
ok "sweep of a percentile" percentile
ok "sweep as a heat map" map
ok "run as time lines" lines
ok "run as JSON" json
ok "help" helps
ok "the manual page is clean" manual
done_testing
