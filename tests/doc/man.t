#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Manual pages are clean, name each other, and are installed.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/../sim/lib.sh"

mapfile -t pages < <(git ls-files -co --exclude-standard '*.[1-8]')

# lint PAGE: that pages of other packages, or not yet installed, are not found here is no fault
lint() {
	local found
	found=$(mandoc -T lint "$1" 2>&1 | grep -Fv -e 'mandoc.db lacks' -e 'manual not found:')
	[[ -z $found ]] || { echo "$found" && return 1; }
}

# Does another page send readers to it?
named() {
	local name=${1##*/} other
	for other in "${pages[@]}"; do
		[[ $other != "$1" ]] &&
			grep -qE "^\.Xr ${name%.*} ${name##*.}( [,.])?$" "$other" && return
	done
	return 1
}

installed() {
	tr -s ' \n' '\n' <"$work/install" | grep -qxF "$1"
}

make -n install-tools >"$work/install"
ok "there are four or more" [ "${#pages[@]}" -ge 4 ]
for page in "${pages[@]}"; do
	ok "$page: mandoc finds no fault" lint "$page"
	ok "... another page sends readers there" named "$page"
	ok "... make install-tools installs it" installed "$page"
done
done_testing
