#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# install-packages.sh LIST...: install the Debian packages that the lists name and that are missing.
# Who may not install is told the one command to run.
set -eu

missing=
names=$(sed "s/#.*//" "$@")
for name in $names; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$name" 2>/dev/null) || status=
	[ "$status" = installed ] || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" != 0 ]; then
	echo "Packages are missing; as root: apt-get install --no-install-recommends$missing" >&2
	exit 1
fi

install() {
	# shellcheck disable=SC2086 # a list of names
	DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $missing \
		>/dev/null
}

echo "Installing$missing" >&2
# apt's lists may be missing or old
install 2>/dev/null || { apt-get -qq update && install; }
