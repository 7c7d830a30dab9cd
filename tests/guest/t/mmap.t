#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: a writer by mmap is throttled like one by write(2), and dirty memory stays near sync
# guest: --mem 192M --disk 300M,rate=20,fs=ext4
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

# Until the process ends: the most pages dirty or on their way
peak_while() {
	local most=0 now
	while alive "$1"; do
		now=$(pending)
		((now <= most)) || most=$now
		sleep 0.02
	done
	echo "$most"
}

mb=80
thresholds 6 12 18
read -r dirtyable sync_thresh <<<"$(stats dirtyable sync_thresh)"
ms=()
for way in write mmap; do
	read -r pace wait stalled <<<"$(stats verdict_pace verdict_wait stalled_ms)"
	began=$(uptime_ms)
	./writer $way /mnt/0/$way $mb 5 >/tmp/out &
	peak=$(peak_while $!)
	ok "$way: ends" wait $!
	ms+=($(($(uptime_ms) - began)))
	read -r p w s <<<"$(stats verdict_pace verdict_wait stalled_ms)"
	ok "$way: the writer is held" [ $((p + w - pace - wait)) -gt 10 ]
	# the disk takes 4 s, of which 18 MB are still to come
	between "$way: ms it was held" $((s - stalled)) 1500 5000
	between "$way: pages dirty or on their way at most" "$peak" $((12 * 256)) \
		$((sync_thresh + dirtyable * 3 / 100))
	between "$way: ms in all" "${ms[-1]}" 2800 5500
	between "$way: longest ms without a page" "$(sed -n 's/^longest_ms //p' /tmp/out)" 10 500
	drop_caches
	ok "$way: reads the same" ./writer check /mnt/0/$way $mb 5
	rm /mnt/0/$way
	sync
done
between "mmap takes as long as write, in percent" $((ms[1] * 100 / ms[0])) 75 133
done_testing
