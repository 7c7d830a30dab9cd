# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# attach-cycles.sh: attach and detach again and again under two writers; for attach*.t, which set
# CYCLES, and REAL_TIME if the clock is the host's.
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

names() { stat -c '%n %a %U' $vm/*; }
settings() { grep . $vm/dirty_*; }

names_before=$(names)
set_vm dirty_background_bytes=7340032 dirty_ratio=11 dirty_expire_centisecs=1234
settings_before=$(settings)
writers=()
for n in 0 1; do
	./writer forever /mnt/$n/file 100 2>/dev/null &
	writers+=($!)
done
sleep 1

attached=0 detached=0 same=0 moved=0 slowest_attach=0 slowest_detach=0 most=0
note_pending() {
	local now
	now=$(pending)
	((now <= most)) || most=$now
}
for ((i = 0; i < CYCLES; i++)); do
	before=$(vmstat nr_written) began=$(uptime_ms)
	started=$began
	attach background=2 async=8 sync=15 && ((++attached))
	took=$(($(uptime_ms) - started))
	((took <= slowest_attach)) || slowest_attach=$took
	# stock files and new ones
	set_vm dirty_background_ratio=$((i % 5)) dirty_ratio=$((i % 10 + 5)) dirty_sync_ratio=15
	sleep 0.$((i % 10))
	started=$(uptime_ms)
	start_detach
	note_pending
	end_detach && ((++detached))
	took=$(($(uptime_ms) - started))
	((took <= slowest_detach)) || slowest_detach=$took
	note_pending
	[ "$(settings)" != "$settings_before" ] || ((++same))
	written=$(($(vmstat nr_written) - before))
	((written < 64)) || ((++moved))
	diag "$((i + 1)): $written pages written in $(($(uptime_ms) - began)) ms"
	((attached == detached)) || break
done

is "attached each time" "$attached" "$CYCLES"
is "detached each time" "$detached" "$CYCLES"
is "stock settings as they were, after each" "$same" "$CYCLES"
is "the disks went on, in each" "$moved" "$CYCLES"
# how long is the host's affair in real time
if [ -n "${REAL_TIME:-}" ]; then
	diag "ms of the slowest attach and detach: $slowest_attach, $slowest_detach"
else
	between "ms of the slowest attach" "$slowest_attach" 0 15000
	between "ms of the slowest detach" "$slowest_detach" 0 15000
fi
between "most pages dirty or on their way after a detach" "$most" 0 3500
for pid in "${writers[@]}"; do
	ok "a writer is still at it" alive "$pid"
done
is "/proc/sys/vm lists the same names" "$(names)" "$names_before"
ok "/proc/pdflush is gone" [ ! -e $pdflush ]
ok "the module is gone" [ ! -e /sys/module/pdflush ]
is "no thread is left" "$(pgrep -c pdflush)" 0

kill -9 "${writers[@]}"
if [ -n "${REAL_TIME:-}" ]; then
	ok "a sync afterwards ends" timeout 120 sync
else
	between "ms of a sync afterwards" "$(took_ms sync)" 0 30000
fi
done_testing
