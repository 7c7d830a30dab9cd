# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What tests in the simulator share. Prints TAP.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

export wbsim=build/wbsim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nr=0 failed=0

# ok DESCRIPTION COMMAND...: fine if the command succeeds; what it prints explains a failure
ok() {
	local description=$1 output
	shift
	nr=$((nr + 1))
	if output=$("$@" 2>&1); then
		echo "ok $nr - $description"
	else
		echo "not ok $nr - $description"
		printf '# %s\n' "${output//$'\n'/$'\n'# }" >&2
		failed=1
	fi
}

# known DESCRIPTION WHY COMMAND...: the same, of what is known not to hold yet
known() {
	local description=$1 why=$2
	shift 2
	nr=$((nr + 1))
	if "$@" >/dev/null 2>&1; then
		echo "ok $nr - $description # TODO $why"
	else
		echo "not ok $nr - $description # TODO $why"
	fi
}

done_testing() {
	echo "1..$nr"
	exit "$failed"
}

# figure TABLE NAME: a value of a run's table, ftp.seconds say
figure() {
	awk -v name="$2" '
		/^ / { if (group "." $1 == name) { print $2; exit } next }
		{ group = $1; if (NF > 1 && $1 == name) { print $2; exit } }' "$1"
}

# run NAME TESTBED OPTION...: the table is kept under NAME
run() {
	local name=$1
	shift
	"$wbsim" run "$@" >"$work/$name"
}

# f NAME FIGURE: a value of the table kept under NAME
f() { figure "$work/$1" "$2"; }

# holds EXPRESSION: of numbers
holds() {
	awk "BEGIN { exit !($1) }" || {
		echo "not so: $1"
		return 1
	}
}
