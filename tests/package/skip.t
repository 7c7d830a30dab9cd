#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# skip.t: where install.t can't run it says why, and prove does not count that as passed.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/../sim/lib.sh"
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"

# skips REASON COMMAND...: install.t under the command says so and nothing else
skips() {
	local reason=$1 status=0
	shift
	PACKAGE_ROOTS=$work/roots timeout 300 "$@" prove tests/package/install.t \
		>"$work/said" 2>"$work/log" || status=$?
	grep -qE "^tests/package/install\.t \.* ?skipped: $reason" "$work/said" &&
		grep -qx 'Files=1, Tests=0, .*' "$work/said" &&
		grep -qx 'Result: NOTESTS' "$work/said" && ((status == 0)) && return
	echo "status $status"
	cat "$work/said" "$work/log"
	return 1
}

nothing_left() { [[ -d $work/roots ]] && ! find "$work/roots" -mindepth 1 -name 'root*' | grep .; }

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
	ok "who is not root" skips "only root can install packages" env
	ok "other reasons # SKIP only root gets as far" true
else
	as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	if "${as_nobody[@]}" test -r "$PWD/tests/package/install.t"; then
		ok "who is not root" skips "only root can install packages" "${as_nobody[@]}"
	else
		ok "who is not root # SKIP nobody else can read this folder" true
	fi
	ok "without mmdebstrap" skips "mmdebstrap is not installed: make deps" \
		env PATH="$(path_without mmdebstrap)"
	ok "where nothing can be mounted" skips "nothing can be mounted here" \
		setpriv --bounding-set=-sys_admin
	if unshare --net --mount mount -t tmpfs none /mnt 2>/dev/null; then
		ok "without a network, and no root file system yet" skips \
			"Debian's packages cannot be fetched: http" unshare --net
		ok "... nothing is left" nothing_left
	else
		ok "without a network # SKIP the network cannot be taken away here" true
	fi
fi
done_testing
