#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: the scripts for bpftrace tell who is held, and who fills which device
# guest: --with bpftrace --engine off --mem 512M
# guest: --disk 64M,rate=10,fs=ext2 --disk 64M,rate=20,fs=ext2
# helpers: pdflush.ko pdflush_trace.ko writer bpftrace/stalls.bt bpftrace/fills.bt
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

cp writer greedy
cp writer modest

# watch SCRIPT TEXT: start it, and have it see a writer until it says so by that text. Not in ok,
# which would have it in a shell of its own.
watch() {
	local early
	bpftrace -B line "$1" >"$1.out" 2>"$1.err" &
	tracer=$!
	./writer forever /mnt/0/early 10 2>/dev/null &
	early=$!
	wait_until 120 grep -q "$2" "$1.out"
	{ kill -9 "$early" && wait "$early"; } 2>/dev/null
	sync
}

# After watch
saw() {
	grep -q "$2" "$1.out" || { cat "$1.out" "$1.err" && return 1; }
}

# As Ctrl-C does
end() {
	kill -INT "$tracer"
	wait "$tracer"
	ended=$?
}

# Two writers, one at each disk
write_both() {
	local other
	./greedy write /mnt/0/file 15 1 >/dev/null &
	other=$!
	./modest write /mnt/1/file 8 2 >/dev/null
	wait $other
}

# map_of SCRIPT NAME KEY...: the sum of what it printed for @NAME[KEY, ...]
map_of() {
	local key="${*:3}"
	gawk -F ': ' -v key="@$2[${key// /, }]" '$1 == key { sum += $2 } END { print sum + 0 }' \
		"$1.out"
}

# times_held COMM: by the histogram of stalls.bt
times_held() {
	gawk -v head="@held_us[$1]: " '/^@/ { on = $0 == head }
		on && / \|.*\|$/ { sub(/ *\|.*/, ""); sum += $NF }
		END { print sum + 0 }' stalls.bt.out
}

insmod pdflush_trace.ko
# shellcheck disable=SC2119
attach
thresholds 2 4 6
slow=$(cat /sys/block/slow0/dev) fast=$(cat /sys/block/slow1/dev)

held=" writer .* held *[1-9][0-9]* ms at $slow\$"
watch stalls.bt "$held"
ok "stalls.bt: runs, and has a line for a writer that was held" saw stalls.bt "$held" ||
	bail_out "bpftrace does not run"
read -r pace wait ms <<<"$(stats verdict_pace verdict_wait stalled_ms)"
write_both
read -r pace2 wait2 ms2 <<<"$(stats verdict_pace verdict_wait stalled_ms)"
end
is "... ends by Ctrl-C" "$ended" 0
is "... and has nothing to complain of" "$(cat stalls.bt.err)" ""
greedy=$(times_held greedy) modest=$(times_held modest)
ok "... who was held, in its histogram: $greedy times" [ "$greedy" -gt 0 ]
is "... as often as the engine held somebody" $((greedy + modest)) \
	$((pace2 + wait2 - pace - wait))
greedy=$(map_of stalls.bt total_us greedy "$slow")
modest=$(map_of stalls.bt total_us modest "$fast")
between "... and as long, in ms" $(((greedy + modest) / 1000)) $((ms2 - ms - 1)) $((ms2 - ms + 1))
is "... at no other device" "$(map_of stalls.bt total_us greedy "$fast")" 0

filled="^@dirtied_kb\[writer, $slow\]: [1-9]"
watch fills.bt "$filled"
ok "fills.bt: runs, and tells every 5 s of a writer" saw fills.bt "$filled"
write_both
end
is "... ends by Ctrl-C" "$ended" 0
is "... and has nothing to complain of" "$(cat fills.bt.err)" ""
# what a writer was still allowed when it ended, the engine has not seen
between "... how much each wrote, in KB" "$(map_of fills.bt dirtied_kb greedy "$slow")" 14336 15872
between "... and where" "$(map_of fills.bt dirtied_kb modest "$fast")" 7168 8704
is "... at no other device" "$(map_of fills.bt dirtied_kb greedy "$fast")" 0
ok "... how full memory was" grep -qE '^\[[1-9]0, [0-9]+\) +[1-9]' fills.bt.out

watch fills.bt "$filled"
ok "the engine detaches while it is watched" detach
end
is "... that ends by Ctrl-C" "$ended" 0
ok "... and holds nothing" rmmod pdflush_trace
done_testing
