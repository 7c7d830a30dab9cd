#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# test: on a Debian booted with both packages and the unit enabled: the engine's way in and out
# guest: --mem 512M --engine off
# shellcheck source=tests/guest/lib.sh
. ./lib.sh

vm=/proc/sys/vm

# state_is active
state_is() {
	[ "$(systemctl is-active pdflush)" = "$1" ]
}

gone() {
	[ ! -e /sys/module/pdflush ] && [ ! -e /sys/module/pdflush_trace ] &&
		[ ! -e /proc/pdflush ] && [ ! -e "$vm/dirty_async_ratio" ] &&
		[ ! -e /sys/kernel/livepatch/pdflush ]
}

# Paths of today that were not there before the packages, but for what any running system leaves
new_files() {
	find / -xdev ! -type d | sort | comm -13 /before - |
		grep -vE "^/(before|root|job|tmp|var/(log|cache|tmp))($|/)" |
		grep -vE "^/var/lib/(systemd/|dkms/mok|dpkg/.*-old$)" |
		grep -vE "^/(etc/(machine-id|\.updated|mtab)|var/\.updated)$"
}

ok "enabled: attached at boot" is_attached
ok "... as the unit says" state_is active
is "options are those of /etc/modprobe.d" "$(cat $vm/dirty_sync_ratio)" 77
is "... then come keys of /etc/sysctl.d" "$(cat $vm/dirty_async_ratio)" 33
ok "systemd-sysctl has not failed for keys that come later" \
	systemctl is-active --quiet systemd-sysctl
ok "pdflushctl status" sh -c 'pdflushctl status | grep -q ratios'

ok "stop" systemctl stop pdflush
ok "... all is gone" gone
ok "... stopped, not failed" state_is inactive
ok "start" systemctl start pdflush
ok "... attached" is_attached
ok "detached by hand" pdflushctl detach
ok "... stop finds nothing to do" systemctl stop pdflush
ok "... and has not failed" state_is inactive
ok "start again" systemctl start pdflush

ok "what the packages brought is seen to be new" sh -c \
	"echo \"$(new_files)\" | grep -q pdflushctl"

ok "remove the module's package under the engine" dpkg --remove pdflush-dkms
ok "... all is gone" gone
is "... no module is left" "$(find /lib/modules /var/lib/dkms -name '*pdflush*')" ""
fails "attach says that there is no module" systemctl start pdflush
ok "remove the tools" dpkg --remove pdflush-tools
ok "purge" dpkg --purge pdflush-dkms pdflush-tools
is "nothing bears our name" \
	"$(find / -xdev -name '*pdflush*' ! -path '/root/*' ! -path '/var/log/*')" ""
is "nothing else is left" "$(new_files)" ""
done_testing
