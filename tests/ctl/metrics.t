#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl metrics: right figures, in Prometheus' format, replaced whole.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

metrics() { "$ctl" metrics "$@"; }

# The rules of the format, and of names
by_the_rules() {
	awk '
	function bad(why) { print NR ": " why ": " $0; wrong = 1 }
	/^# HELP / {
		if ($3 in help) bad("help twice")
		if (NF < 4) bad("no text")
		help[$3] = 1; next
	}
	/^# TYPE / {
		if (!($3 in help)) bad("type before help")
		if ($3 in type) bad("type twice")
		if ($4 !~ /^(counter|gauge|histogram)$/) bad("type")
		if (($4 == "counter") != ($3 ~ /_total$/)) bad("a counter ends in _total, only it")
		if ($3 !~ /^pdflush_[a-z_]+$/) bad("name")
		if ($3 ~ /(pages|_ms|_mb|_kb|milliseconds)/) bad("no base unit")
		type[$3] = $4; now = $3; next
	}
	{
		name = $1; sub(/{.*/, "", name); base = name
		if (type[now] == "histogram") sub(/_(bucket|sum|count)$/, "", base)
		if (base != now) bad("not in its family")
		if ($0 !~ /^[a-z_]+({[a-z]+="[^"]*"})? [-+0-9.e]+$/) bad("form")
		if ($1 in seen) bad("twice"); seen[$1] = 1; nr++
		if (name ~ /_bucket$/) { if ($2 < last) bad("buckets shrink"); last = $2 }
	}
	END { exit wrong || !nr }' "$1"
}

value() { sed -n "s/^$1 //p" "$work/out"; }

make_root
ok "to standard output" gives 0 metrics
ok "by the rules of the format" by_the_rules "$work/out"
cp "$work/out" "$work/all"
if promtool=$(tests/ctl/promtool); then
	checked() {
		"$promtool" check metrics <"$work/all" 2>&1 | tee "$work/said"
		[[ ! -s $work/said ]]
	}
	ok "promtool has nothing to say" checked
else
	nr=$((nr + 1))
	echo "ok $nr # SKIP there is no promtool (Debian package prometheus) to be had"
fi
ok "up" is "$(value pdflush_up)" 1
ok "thresholds" is "$(value 'pdflush_threshold_bytes{level="async"}')" 327680000
ok "verdicts" is "$(value 'pdflush_verdicts_total{verdict="kick"}')" 200
ok "bytes written" is "$(value 'pdflush_written_bytes_total{by="pdflush"}')" 104857600
ok "a disk's rate" is \
	"$(value 'pdflush_device_write_bytes_per_second{device="sda"}')" 105381888
ok "the histogram adds up: below 128 us" is \
	"$(value 'pdflush_stall_seconds_bucket{le="0.000128"}')" 1
ok "... below 131 ms" is "$(value 'pdflush_stall_seconds_bucket{le="0.131072"}')" 13
ok "... in all" is "$(value 'pdflush_stall_seconds_bucket{le="+Inf"}')" 34
ok "... count" is "$(value pdflush_stall_seconds_count)" 34
ok "... sum" is "$(value pdflush_stall_seconds_sum)" 2.5
ok "the policy" is "$(value 'pdflush_policy_info{policy="ratios"}')" 1

mkdir "$work/dir"
ok "into a folder" gives 0 metrics --textfile "$work/dir"
ok "... the same, as pdflush.prom" cmp "$work/all" "$work/dir/pdflush.prom"
ok "... readable for all" is "$(stat -c %a "$work/dir/pdflush.prom")" 644
ok "... and nothing else" is "$(find "$work/dir" -type f | wc -l)" 1
ln "$work/dir/pdflush.prom" "$work/old"
gives 0 metrics --textfile "$work/dir"
replaced() { [[ $(stat -c %i "$1") != "$(stat -c %i "$2")" ]] && cmp "$1" "$2"; }
ok "an old file is replaced, not written to" replaced "$work/old" "$work/dir/pdflush.prom"
ok "no folder" fails_with 1 "cannot write $work/none/pdflush.prom: No such file" \
	metrics --textfile "$work/none"
mkdir "$work/full" "$work/full/pdflush.prom"
ok "can't be replaced: told" fails_with 1 "cannot write .*: Is a directory" \
	metrics --textfile "$work/full"
ok "... nothing is left behind" is "$(find "$work/full" -type f | wc -l)" 0

put /proc/pdflush/devices 'device dirty writeback write_MB/s thread
a"b\c 1 1 1.00 -'
ok "quotes in a name are marked" prints \
	'^pdflush_device_dirty_bytes{device="a\\"b\\\\c"} 4096$' metrics

rm -r "$patch"
ok "replaced by another livepatch: not up" prints "^pdflush_up 0$" metrics
rm -r "$engine"
ok "without the engine: fine" gives 0 metrics --textfile "$work/dir"
ok "... and says so" is "$(grep -v '^#' "$work/dir/pdflush.prom")" "pdflush_up 0"
ok "... by the rules" by_the_rules "$work/dir/pdflush.prom"
done_testing
