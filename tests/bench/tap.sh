# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What tests of tests/bench share. Prints TAP; a test ends with `exit $status`.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0 status=0

# is NAME GOT WANTED
is() {
	nr=$((nr + 1))
	if [[ $2 = "$3" ]]; then
		echo "ok $nr - $1"
	else
		printf 'not ok %d - %s\n# got:    %s\n# wanted: %s\n' $nr "$1" "${2//$'\n'/ | }" \
			"${3//$'\n'/ | }"
		status=1
	fi
}

# ok NAME COMMAND...
ok() {
	local name=$1
	shift
	nr=$((nr + 1))
	if "$@" >"$dir/said" 2>&1; then
		echo "ok $nr - $name"
	else
		echo "not ok $nr - $name"
		sed 's/^/# /' "$dir/said"
		# shellcheck disable=SC2034 # a test's exit status
		status=1
	fi
}
