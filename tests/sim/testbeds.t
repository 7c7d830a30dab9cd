#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The testbeds run, and show what is published of them or promised for them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

never_blocked() {
	run kropelin kropelin-2002 --set dirty_background_ratio=10 --set dirty_async_ratio=60 \
		--set dirty_sync_ratio=70 || return
	holds "$(f kropelin ftp.held_ms) == 0 && $(f kropelin ftp.seconds) < 61 &&
		$(f kropelin ftp.written_mb) == 600"
}

# Seconds for Adam's image, the average of 4 runs
average() {
	local seed sum=0
	for seed in 1 2 3 4; do
		run adam kropelin-2531 --seed "$seed" "$@" || return
		sum="$sum + $(f adam ftp.seconds)"
	done
	awk "BEGIN { print ($sum) / 4 }"
}

order_of_2002() {
	local own as_2_4
	own=$(average) && as_2_4=$(average --set dirty_background_ratio=30 \
		--set dirty_async_ratio=60 --set dirty_sync_ratio=70) || return
	# 2m33s and 2m18s
	holds "$own > 1.05 * $as_2_4 && $own < 1.3 * $as_2_4"
}

# at PERCENT: throughput with background writing from there on, and writers paced soon after
at() {
	run cole cole-2001 --set dirty_background_ratio="$1" --set dirty_async_ratio=$(($1 + 2)) \
		--set dirty_sync_ratio=$(($1 + 8)) || return
	f cole dbench.throughput
}

cole() {
	local early late
	early=$(at 30) && late=$(at 90) || return
	holds "$late > 1.2 * $early"
}

off_the_disk() {
	run blanchard blanchard-2001 || return
	holds "$(f blanchard devices.written_mb) == 0 && $(f blanchard dbench.throughput) > 100"
}

stick_runs() {
	run stick usb-stick || return
	holds "$(f stick stick.throughput) > 1.5 && $(f stick devices.written_mb) > 300"
}

stick_spares() { holds "$(f stick fast.throughput) > 25"; }

# What tests/bench/agree compares with guests
guest() {
	local case background kupdate
	for case in ftp dd dbench; do
		run guest "guest-$case" --set dirty_background_ratio=30 --set dirty_async_ratio=60 \
			--set dirty_sync_ratio=70 || return
		background=$(f guest written_by_mb.background)
		kupdate=$(f guest written_by_mb.kupdate)
		holds "$(f guest "$case.written_mb") >= 300 &&
			$background >= 50 && $background + $kupdate >= 150" || return
	done
}

# What a bio carries is written together: dd goes on with much at a time, in few requests, and
# kupdate finds next to nothing, as in the guest. With 25 pages to every second request it did.
dd_in_lumps() {
	local start sum=0
	for start in 5.4 6.4 7.4 8.4 9.4; do
		sed "s/start = 7.42/start = $start/" tools/wbsim/testbeds/guest-dd.cfg \
			>"$work/lumps.cfg"
		cp tools/wbsim/testbeds/guest.inc "$work/"
		run lumps "$work/lumps.cfg" --set dirty_background_ratio=30 \
			--set dirty_async_ratio=60 --set dirty_sync_ratio=70 || return
		sum="$sum + $(f lumps written_by_mb.kupdate)"
	done
	holds "$sum < 60"
}

server() {
	run server modern-server --seconds 5 || return
	holds "$(f server writers.throughput) > 8000 && $(f server pool.threads) >= 8"
}

fleet() {
	run fleet fleet-disk --seconds 1.5 || return
	holds "$(f fleet writers.programs) == 10000 && $(f fleet devices.number) == 1000"
}

ok "kropelin-2002: 10 MB/s onto 20 MB/s with 10/60/70 never blocks" never_blocked
ok "kropelin-2531: 2.5.31 itself is slower than with 2.4's numbers" order_of_2002
ok "cole-2001: letting much be dirty gives more throughput" cole
ok "blanchard-2001: 28 clients of 20 MB stay off the disk" off_the_disk
ok "usb-stick: runs" stick_runs
ok "usb-stick: the fast disk keeps half its speed" stick_spares
ok "guest-ftp, guest-dd, guest-dbench: run" guest
ok "guest-dd: kupdate finds little" dd_in_lumps
ok "modern-server: every disk is written" server
ok "fleet-disk: a thousand disks, ten thousand writers" fleet
done_testing
