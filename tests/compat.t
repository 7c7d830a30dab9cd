#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# compat.t: a kernel that is not what the engine knows stops the build, with a word on what it is.
#
# As no other kernel is at hand, it is the sources that expect something else, in a copy.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

kdir=$(tests/guest/find-headers 6.1)
copy=$PWD/build/compat
nr=0

# stops NAME MESSAGE FILE SED: with FILE so edited, the build says MESSAGE
stops() {
	local log
	rm -rf "$copy"
	mkdir -p "$copy"
	cp -r --parents include mm sysctl "$copy"
	find "$copy" \( -name '*.o' -o -name '.*.cmd' \) -delete
	echo 'obj-m := mm/page-writeback/attach.o' >"$copy/Kbuild"
	# shellcheck disable=SC2016 # make's own
	echo 'ccflags-y := -I$(src)/include -I$(src)/sysctl' >>"$copy/Kbuild"
	sed -i "$4" "$copy/$3"
	nr=$((nr + 1))
	if cmp -s "$3" "$copy/$3"; then
		echo "not ok $nr - $1: nothing was changed"
	elif log=$(make -s -C "$kdir" M="$copy" mm/page-writeback/attach.o 2>&1); then
		echo "not ok $nr - $1: it builds"
	elif ! grep -q -- "$2" <<<"$log"; then
		echo "not ok $nr - $1"
		printf '# %s\n' "${log//$'\n'/$'\n'# }"
	else
		echo "ok $nr - $1"
	fi
}

compat=mm/page-writeback/compat.h
attach=mm/page-writeback/attach.c
echo 1..5
stops "another kernel" "error.*tested with Linux 6.1 and 6.12; to try another see" \
	$compat 's/KERNEL_VERSION(6, 1, 0) >>/KERNEL_VERSION(6, 2, 0) >>/'
stops "a field of another type" "pdflush: struct bdi_writeback.dirty_exceeded is not what it was" \
	$compat 's/dirty_exceeded, int/dirty_exceeded, long/'
stops "a field that is gone" "no member named .*dirty_nap" \
	$compat 's/dirty_sleep, unsigned/dirty_nap, unsigned/'
stops "a function that takes something else" "pdflush: wb_over_bg_thresh() is not what it was" \
	$attach 's/bool pdflush_wb_over_bg_thresh(/int pdflush_wb_over_bg_thresh(/'
stops "a tracepoint that gives something else" "error.*check_trace_callback_type" \
	$attach 's/note_inode_written(void \*unused, struct inode/note_inode_written(void *u, void/'
rm -rf "$copy"
