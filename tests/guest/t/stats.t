#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: /proc/pdflush has every figure that is promised, and they add up
# guest: --mem 192M --disk 256M,rate=40,fs=ext2
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

for name in verdict_nothing verdict_kick verdict_pace verdict_wait stalled_ms stall_max_ms \
	pages_by_pdflush pages_by_kupdate pages_by_others threads threads_born threads_died \
	operations operations_refused background_thresh async_thresh sync_thresh dirtyable dirty \
	writeback; do
	ok "stats has $name" grep -Eqx "$name [0-9]+" $pdflush/stats
done
is "devices is empty but for its head" "$(wc -l <$pdflush/devices)" 1

written=$(vmstat nr_written)
./writer write /mnt/0/file 150 1 >/dev/null
is "the disk has a line" "$(awk '$1 == "slow0"' $pdflush/devices | wc -l)" 1
between "its speed is measured, MB/s" "$(device_of 0 write_MB/s | sed 's/\..*//')" 20 60
sync
written=$(($(vmstat nr_written) - written))
read -r pdflush_pages kupdate others <<<"$(stats pages_by_pdflush pages_by_kupdate pages_by_others)"
all=$((pdflush_pages + kupdate + others))
between "the three kinds of pages make all that were written ($all of $written)" \
	$((all * 1000 / written)) 990 1010
ok "... most by the pool" [ "$pdflush_pages" -gt $((written / 2)) ]
between "... sync wrote the rest" "$others" 1 "$written"
read -r sum longest <<<"$(stats stalled_ms stall_max_ms)"
ok "the longest stall is part of all" [ "$sum" -ge "$longest" ]
read -r dirty writeback <<<"$(stats dirty writeback)"
between "after a sync next to nothing is dirty" $((dirty + writeback)) 0 100
is "anybody can read it" "$(setpriv --reuid=1000 --regid=1000 --clear-groups cat $pdflush/stalls | wc -l)" 29
done_testing
