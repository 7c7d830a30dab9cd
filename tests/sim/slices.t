#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tasks that want the CPU all the time share it, if the machine has slices.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/lib.sh"

# Three that only want CPU time get about as much of it
share_cpu() {
	local name seed separator=
	{
		cat <<-END
			title = "clients in memory"; seconds = 10.0;
			machine = { cpus = 1; memory = "1G"; page_us = 10.0; slice_us = 4000.0; };
			devices = ( { name = "disk"; size = "4G"; rate = "20M"; seek_ms = 8.0; } );
			sysctl = {
				dirty_background_ratio = 90; dirty_async_ratio = 95;
				dirty_sync_ratio = 98; dirty_expire_centisecs = 360000;
			};
			programs = (
		END
		for name in a b c; do
			echo "$separator{ type = \"dbench\"; name = \"$name\";" \
				"device = \"disk\"; lines = 10000; loops = 1000; op_us = 70.0; }"
			separator=,
		done
		echo ");"
	} >"$work/share.cfg"
	for seed in 1 2 3; do
		run share "$work/share.cfg" --seed "$seed" || return
		printf '%s\n' "$(f share a.operations)" "$(f share b.operations)" \
			"$(f share c.operations)" | sort -n >"$work/operations"
		awk 'NR == 1 { least = $1 } { most = $1 }
			END { print least, most; exit !(NR == 3 && most < 1.2 * least) }' \
			"$work/operations" || return
	done
}

ok "slice_us: clients share a CPU" share_cpu
done_testing
