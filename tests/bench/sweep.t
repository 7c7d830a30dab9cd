#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A sweep of 2 x 2 tiny guests that is stopped and goes on.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tap.sh"
out=$dir/out

sweep() {
	tests/bench/sweep --policy ratios --rows dirty_background_ratio=20:10:-10 \
		--cols dirty_async_ratio=30:40:10 --clients 1 --seconds 2 --mem 128M \
		--disk 128M,rate=20,fs=ext2 --speed 250 --out "$out" "$@"
}

cells() { find "$out/cells" -type f -name '[a-z]*' | wc -l; }

# refusal ARG...: status and message
refusal() {
	local said
	said=$(sweep "$@" 2>&1)
	echo "$? ${said//$out/OUT}"
}

echo 1..16

# One guest at a time, until the first cell is there
sweep --jobs 1 >"$dir/said" 2>&1 &
pid=$!
while kill -0 $pid 2>/dev/null && [[ $(cells 2>/dev/null) = 0 ]]; do
	sleep 0.5
done
kill $pid
wait $pid
is "stopped: its status" $? 143
before=$(cells)
is "a cell has been kept" "$((before >= 1 && before < 4))" 1
is "no table yet" "$(ls "$out/sweep.csv" 2>&1)" \
	"ls: cannot access '$out/sweep.csv': No such file or directory"
stamps() { find "$out/cells" -type f -name '[a-z]*' -printf '%i %T@\n'; }
stamped=$(stamps)
others=$(ls "$out")

is "other options are refused" "$(refusal --clients 2)" "2 sweep: OUT has results with clients=1, \
now it is 2: remove it or name another folder with --out"
is "... and change nothing" "$(ls "$out")" "$others"
is "a field of bdflush without it" "$(refusal --rows nfract=30:60:10)" \
	"2 sweep: nfract is a field of bdflush: --policy bdflush"
is "a step that leads nowhere" "$(refusal --rows dirty_background_ratio=30:60:-10)" \
	"2 sweep: a step that leads nowhere: dirty_background_ratio=30:60:-10"
is "not a range" "$(refusal --cols dirty_async_ratio=30)" \
	"2 sweep: not NAME=FROM:TO:STEP: dirty_async_ratio=30"
is "not a load" "$(refusal --load heavy)" "2 sweep: --load: flush or noflush, not heavy"

sweep --jobs 2 >"$dir/table" 2>"$dir/said"
is "gone on with: its status" $? 0
is "all cells" "$(cells)" 4
is "those that were there are as they were" \
	"$(stamps | grep -cF "$stamped")" "$before"
is "rows and columns" "$(cut -d, -f1 "$out/sweep.csv" | paste -sd,),$(head -n 1 "$out/sweep.csv")" \
	"dirty_background_ratio,20,10,dirty_background_ratio,30,40"
is "every cell has a figure" "$(awk -F, 'NR > 1 { n += ($2 > 0) + ($3 > 0) } END { print n }' \
	"$out/sweep.csv")" 4
is "a line for each in cells.csv" "$(wc -l <"$out/cells.csv")" 5

is "a setting that is not there" "$(tests/bench/sweep --policy ratios --rows dirty_nothing=1:1:1 \
	--cols dirty_async_ratio=30:30:1 --clients 1 --seconds 2 --mem 128M --jobs 1 \
	--disk 128M,rate=20,fs=ext2 --out "$dir/other" 2>&1 | tail -n 1)" \
	"sweep: neither a file in /proc/sys/vm nor a field of bdflush: dirty_nothing"
exit $status
