#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl doctor: what it finds on machines of several kinds.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

doctor() { "$ctl" doctor; }
symbols="balance_dirty_pages wb_over_bg_thresh wb_wakeup_delayed global_dirty_limits
	dirty_background_ratio_handler dirty_background_bytes_handler dirty_ratio_handler
	dirty_bytes_handler wb_workfn"

# A machine that can take it
make_machine() {
	local name
	make_root
	rm -r "$engine" "$patch" "$root/sys/module/pdflush" "$vm"/dirty_async*
	put /proc/sys/kernel/arch x86_64
	put /boot/config-6.1.0-57-amd64 "CONFIG_LIVEPATCH=y
CONFIG_KPROBES=y
CONFIG_KALLSYMS=y
CONFIG_MODULE_UNLOAD=y
CONFIG_TRACEPOINTS=y"
	put /proc/kallsyms "$(for name in $symbols; do echo "0000000000000000 t $name"; done)"
	put /lib/modules/6.1.0-57-amd64/build/Makefile ""
	put /lib/modules/6.1.0-57-amd64/modules.dep "extra/pdflush.ko: extra/pdflush_trace.ko"
	put /sys/kernel/security/lockdown "[none] integrity confidentiality"
	put /sys/module/module/parameters/sig_enforce N
}

# refused PATTERN: a NO, and status 1
refused() {
	gives 1 doctor || return
	grep -qE "^  NO  $1" "$work/out" && return
	cat "$work/out"
	return 1
}

noted() { prints "^  !   $1" doctor; }
sound() { prints "^Nothing stands in the way" doctor; }

make_machine
ok "a machine that can take it" sound
nothing_else() { ! grep -E "^  (NO|\?) |headers to build.*apt" "$work/out"; }
ok "... nothing is wrong, unknown or missing" nothing_else
ok "... no root needed" gives 0 as_nobody "$ctl" doctor
ok "... what is lost is told" noted "stock pacing by each device's share"
put /proc/sys/kernel/osrelease 5.10.0-28-amd64
ok "too old" refused "Linux 5\.10\.0-28-amd64 is too old"
make_machine
put /proc/sys/kernel/arch aarch64
ok "another machine" refused "the machine is aarch64"
make_machine
sed -i 's/CONFIG_LIVEPATCH=y/# CONFIG_LIVEPATCH is not set/' "$root/boot/config-6.1.0-57-amd64"
ok "no livepatch" refused "CONFIG_LIVEPATCH is not set: functions can't be replaced"
rm -r "$root/sys/kernel/livepatch"
ok "... in sysfs" refused "no /sys/kernel/livepatch"
make_machine
sed -i 's/wb_wakeup_delayed/wb_wakeup_delayed.isra.0/' "$root/proc/kallsyms"
ok "a function is missing" refused "this kernel has no function wb_wakeup_delayed"
make_machine
put /sys/module/module/parameters/sig_enforce Y
ok "signatures" refused "the kernel takes signed modules only"
make_machine
put /sys/kernel/security/lockdown "none [integrity] confidentiality"
ok "lockdown" refused "the kernel is locked down"
make_machine
mkdir -p "$root/sys/firmware/efi/efivars"
printf '\6\0\0\0\1' \
	>"$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
ok "Secure Boot" noted "Secure Boot is on"
make_machine
put /proc/sys/kernel/ftrace_enabled 0
ok "ftrace off" refused "ftrace is switched off"
make_machine
set_vm dirty_async_ratio=5
ok "files of that name" refused "somebody else has made .*dirty_async_ratio"
make_machine
rm -r "${root:?}/lib" "${root:?}/boot" "$root/proc/kallsyms"
ok "no headers" noted "no headers .* apt-get install linux-headers-6\.1\.0-57-amd64"
ok "... no module" grep -q "modprobe finds no pdflush" "$work/out"
ok "... unknown configuration" grep -qE "^  \?   no /boot/config" "$work/out"
ok "... unknown functions" grep -qE "^  \?   /proc/kallsyms" "$work/out"

# ---- What works against it

make_machine
put /sys/block/sda/queue/wbt_lat_usec 75000
put /sys/block/sdb/queue/wbt_lat_usec 0
put /sys/block/loop0/queue/wbt_lat_usec 75000
put /sys/block/loop0/size 0
ok "wbt, where it is on" noted "the block layer throttles background writing \(wbt\) on sda;"
put /sys/class/bdi/8:0/max_ratio 100
put /sys/class/bdi/8:16/max_ratio 20
put /sys/class/bdi/8:16/min_ratio 5
put /sys/class/bdi/0:45/strict_limit 1
ok "max_ratio" noted "max_ratio holds 8:16 to"
ok "min_ratio" noted "min_ratio of 8:16 has no effect"
ok "strict_limit" noted "strict_limit holds 0:45"
put /sys/fs/cgroup/system.slice/db.service/memory.max 1073741824
put /sys/fs/cgroup/system.slice/web.service/memory.max max
put /sys/fs/cgroup/user.slice/memory.high 500000
ok "cgroups" noted "2 cgroups have a memory limit \(/sys/fs/cgroup/"
put /sys/kernel/livepatch/kpatch_cve/enabled 1
ok "other livepatches" noted "other livepatches: kpatch_cve;"
put /etc/sysctl.d/90-db.conf "vm.dirty_ratio = 80"
put /etc/sysctl.d/91-not.conf "# vm.dirty_ratio = 80"
put /etc/sysctl.conf "kernel.printk = 3
-vm.dirty_background_bytes=9"
ok "sysctl.d" noted "/etc/sysctl\.d/90-db\.conf sets vm\.dirty_\*"
only_set() { ! grep 91-not "$work/out"; }
ok "... not a comment" only_set
ok "... sysctl.conf" noted "/etc/sysctl\.conf sets"
put /etc/tuned/active_profile throughput-performance
put /usr/lib/tuned/throughput-performance/tuned.conf "[sysctl]
vm.dirty_ratio = 40"
ok "tuned" noted "tuned's profile throughput-performance sets vm\.dirty"
set_vm laptop_mode=1 dirty_writeback_centisecs=0
ok "laptop mode" noted "laptop_mode is on"
ok "old data" noted "dirty_writeback_centisecs is 0"
make_root
ok "loaded already" prints "^  ok  the engine is loaded and in force" doctor
done_testing
