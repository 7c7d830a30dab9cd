#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# entry.sh: in the guest, what a call of the write path's entry costs, far below all thresholds,
# with the kernel's own engine, then with ours; and what memory ours takes. Prints
#	entry ENGINE NS CALLS LOOP_NS
#	memory NAME BYTES
set -euo pipefail
# shellcheck source=../guest/lib.sh
. ./lib.sh

parameter() { cat "/sys/module/entry/parameters/$1"; }

time_entry() {
	insmod ./entry.ko file=/mnt/0/file
	echo "entry $1 $(parameter ns) $(parameter calls) $(parameter loop_ns)"
	device_bytes=$(parameter device_bytes)
	rmmod entry
}


echo >/mnt/0/file
sync
time_entry stock
insmod ./pdflush.ko
wait_until 60 is_attached
time_entry pdflush
sed -n 's/^pdflush \([0-9]*\) .*/memory module \1/p' /proc/modules
echo "memory device $device_bytes"
echo "memory threads $(stat_of threads)"
