#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.t: both packages on a fresh Debian: built there by DKMS, then a guest boots from it.
# PACKAGE_ROOTS in the environment is another folder than build/package for the root file systems.
set -euo pipefail
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
cd "$(dirname "$0")/../.."

skip() {
	echo "1..0 # SKIP $*"
	exit 0
}

[[ $(id -u) = 0 ]] || skip "only root can install packages into a root file system"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed: make deps"
unshare --mount mount -t tmpfs none /mnt 2>/dev/null || skip "nothing can be mounted here"

here=tests/package
build=$(realpath -m "${PACKAGE_ROOTS:-build/package}")
total=0 failed=0

result() {
	total=$((total + 1))
	echo "$1 $total - $2"
	[[ $1 = ok ]] || failed=1
}

# ok NAME COMMAND...
ok() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then
		result ok "$name"
	else
		result "not ok" "$name"
		tail -n 30 <<<"# ${said//$'\n'/$'\n'# }"
		return 1
	fi
}

bail() {
	echo "Bail out! $*"
	exit 2
}

# in_root COMMAND...: as a package's scripts find it; mounts end with it
in_root() {
	# shellcheck disable=SC2016 # for the other shell
	unshare --mount sh -ec '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C \
			DEBIAN_FRONTEND=noninteractive "$@"' sh "$root" "$@"
}

paths() { (cd "$root" && find . -xdev ! -type d | sed 's/^\.//' | sort); }
nothing_like() { ! find "$root/$1" -name "$2" | grep .; }

mkdir -p "$build"
exec 9>"$build/lock"
flock 9
kdir=$(tests/guest/find-headers 6.1) || bail "no headers"
release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
status=0
fresh=$(PACKAGE_ROOTS=$build $here/make-root "$release") || status=$?
((status != 77)) || skip "Debian's packages cannot be fetched: $(tail -n 1 "$build/make-root.log")"
((status == 0)) || bail "no root file system, see $build/make-root.log"
shared=$(tests/guest/prepare "$release" "$kdir") || bail "no guest"
eval "$shared"
# shellcheck disable=SC2154 # prepare says it
kernel=${vmlinux%/vmlinux}
debian/make-packages "$build/deb" >/dev/null || bail "no packages"

root=$build/root
rm -rf "$root"
trap 'rm -rf "$root" "$root.img"' EXIT
cp -a --reflink=auto "$fresh" "$root"
cp -a "$kernel/lib/modules/$release/." "$root/lib/modules/$release/"
# the guest's own, not the packages'
install "$here/guest-init" "$here/guest-job" "$root/usr/sbin/"
install -m 644 "$here/guest-job.service" "$root/etc/systemd/system/"
mkdir "$root/job"
ln -sf /dev/null "$root/etc/systemd/system/getty.target"
in_root systemctl --quiet enable guest-job.service
in_root depmod "$release"
paths >"$root/before"

cp "$build"/deb/*.deb "$root/tmp/"
rm "$root"/tmp/*-dbgsym_*
ok "both packages install" in_root sh -c \
	'apt-get -y --no-install-recommends install /tmp/*.deb' || bail "nothing to test"
rm -f "$root"/tmp/*.deb
ok "DKMS has built for $release" [ -f "$root/lib/modules/$release/updates/dkms/pdflush.ko" ] ||
	cat "$root"/var/lib/dkms/pdflush/*/build/make.log >&2 || true
ok "... and installed" in_root sh -c "dkms status | grep -q '$release.*: installed'" || true
ok "man pages are there" [ -f "$root/usr/share/man/man8/pdflushctl.8.gz" ]
ok "the unit is not enabled" nothing_like etc/systemd "pdflush.service"
ok "... nor by a machine's first boot" in_root systemctl preset pdflush.service
ok "... indeed" nothing_like etc/systemd "pdflush.service"
ok "nothing loads the module at boot" nothing_like etc/modules-load.d "*pdflush*"

ok "enable it for the guest" in_root systemctl enable pdflush.service
echo "options pdflush sync=77 async=66" >>"$root/etc/modprobe.d/pdflush.conf"
echo "-vm.dirty_async_ratio = 33" >>"$root/etc/sysctl.d/pdflush.conf"

# What only building needs is not taken along
rm -rf "$root"/usr/{src/linux-*,lib/gcc,share/{doc,man,locale,perl}} "$root"/usr/lib/linux-kbuild-*
mke2fs -q -t ext4 -O ^has_journal -d "$root" "$root.img" \
	"$(($(du -sm --apparent-size "$root" | cut -f1) * 5 / 4 + 64))M" >/dev/null 2>&1
on_host=$total
while read -r line; do
	case $line in
	"ok "*) result ok "${line#ok * - }" ;;
	"not ok "*) result "not ok" "${line#not ok * - }" ;;
	1..*) ;;
	*) printf '%s\n' "$line" ;;
	esac
done < <(GUEST_OPTIONS="--root $root.img" tests/guest/tap $here/guest.sh)
((total > on_host)) || result "not ok" "the guest has said nothing"
echo "1..$total"
exit $failed
