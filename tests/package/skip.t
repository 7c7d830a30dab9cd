#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# skip.t: where install.t can't run it says why, and prove does not count that as passed.
set -euo pipefail
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nr=0 failed=0

result() {
	nr=$((nr + 1))
	echo "$1 $nr - $2"
	[[ $1 = ok ]] || failed=1
}

# skips NAME REASON COMMAND...: install.t under the command says so and nothing else
skips() {
	local name=$1 reason=$2 status=0
	shift 2
	PACKAGE_ROOTS=$work/roots timeout 300 "$@" prove tests/package/install.t \
		>"$work/said" 2>"$work/log" || status=$?
	if grep -qE "^tests/package/install\.t \.* ?skipped: $reason" "$work/said" &&
		grep -qx 'Files=1, Tests=0, .*' "$work/said" &&
		grep -qx 'Result: NOTESTS' "$work/said" && ((status == 0)); then
		result ok "$name"
	else
		result "not ok" "$name (status $status)"
		sed 's/^/# /' "$work/said" "$work/log"
	fi
}

# Our PATH without a program
path_without() {
	local folder
	mkdir "$work/bin"
	for folder in /sbin /usr/sbin /bin /usr/bin; do
		ln -sf -t "$work/bin" "$folder"/*
	done
	rm -f "$work/bin/$1"
	echo "$work/bin"
}

chmod 755 "$work"
if [[ $(id -u) != 0 ]]; then
	skips "who is not root" "only root can install packages"
	result ok "other reasons # SKIP only root gets as far"
else
	as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	if "${as_nobody[@]}" test -r "$PWD/tests/package/install.t"; then
		skips "who is not root" "only root can install packages" "${as_nobody[@]}"
	else
		result ok "who is not root # SKIP nobody else can read this folder"
	fi
	skips "without mmdebstrap" "mmdebstrap is not installed: make deps" \
		env PATH="$(path_without mmdebstrap)"
	skips "where nothing can be mounted" "nothing can be mounted here" \
		setpriv --bounding-set=-sys_admin
	if unshare --net --mount mount -t tmpfs none /mnt 2>/dev/null; then
		skips "without a network, and no root file system yet" \
			"Debian's packages cannot be fetched: http" unshare --net
		left=$(find "$work/roots" -mindepth 1 -name 'root*')
		result "$([[ -z $left ]] && echo ok || echo "not ok")" "... nothing is left"
	else
		result ok "without a network # SKIP the network cannot be taken away here"
	fi
fi
echo "1..$nr"
exit $failed
