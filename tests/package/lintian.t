#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lintian.t: the packages can be made, and lintian has nothing to say.
set -euo pipefail
cd "$(dirname "$0")/../.."

out=build/package/lintian
mkdir -p build/package
echo 1..3
if said=$(debian/make-packages $out 2>&1); then
	echo "ok 1 - packages are made"
else
	echo "not ok 1 - packages are made"
	echo "# ${said//$'\n'/$'\n'# }"
	exit 1
fi
names=$(basename -a $out/*.deb | cut -d_ -f1 | LC_ALL=C sort -r | xargs)
if [[ $names = "pdflush-tools-dbgsym pdflush-tools pdflush-dkms" ]]; then
	echo "ok 2 - the two, and symbols"
else
	echo "not ok 2 - the two, and symbols: $names"
fi
if said=$(lintian --tag-display-limit 0 --allow-root $out/*.changes 2>&1) && [[ -z $said ]]; then
	echo "ok 3 - lintian has nothing to say"
else
	echo "not ok 3 - lintian has nothing to say"
	echo "# ${said//$'\n'/$'\n'# }"
fi
