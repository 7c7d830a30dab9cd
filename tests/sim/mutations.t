#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Faults that people make, one at a time, in the engine's own source: explore must find each, and
# say what it is. A mutation is a patch with a head:
#
#	what is wrong, in a sentence
#
#	Testbed: where it shows
#	Seeds: how many schedules to try; several times what it took when it was written
#	Expect: what explore says then, an extended regular expression
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

mutations=tests/sim/mutations

# field NAME PATCH
field() { sed -n "s/^$1: //p" "$2"; }

# found NAME: the mutant was built, and is found out
found() {
	local mutant=build/wbsim-mutant-$1 patch=$mutations/$1.patch output
	if [[ ! -x $mutant ]]; then
		cat "$work/make"
		return 1
	fi
	if output=$("$mutant" explore "$(field Testbed "$patch")" \
		--seeds "$(field Seeds "$patch")" 2>&1); then
		echo "nothing was found: $output"
		return 1
	fi
	grep -E "seed [0-9]+.*: $(field Expect "$patch")" <<<"$output" >/dev/null || {
		echo "$output"
		return 1
	}
}

# A patch that no longer applies must not pass unseen.
stale() {
	local output
	mkdir -p "$work/tree/tests/sim/mutations" "$work/tree/mm"
	cp tests/sim/mutate "$work/tree/tests/sim/"
	echo "nothing of what it looks for" >"$work/tree/mm/file.c"
	printf '%s\n' '--- a/mm/file.c' '+++ b/mm/file.c' '@@ -1 +1 @@' '-one' '+two' \
		>"$work/tree/tests/sim/mutations/stale.patch"
	! output=$("$work/tree/tests/sim/mutate" stale 2>&1) &&
		grep -q "no longer applies" <<<"$output" && return
	echo "$output"
	return 1
}

patches=("$mutations"/*.patch)
names=("${patches[@]##*/}")
names=("${names[@]%.patch}")
make -k "-j$(nproc)" "${names[@]/#/build/wbsim-mutant-}" >"$work/make" 2>&1

ok "a patch that no longer applies is an error" stale
for name in "${names[@]}"; do
	ok "$name: $(head -n 1 "$mutations/$name.patch")" found "$name"
done
done_testing
