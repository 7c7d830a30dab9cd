# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The demo's figures: from what its runs have told to results.csv, tables and verdicts.

: "${out:?}"
SENDER_SECONDS=60
COLUMNS=(case engine background async sync total_s on_disk_s blocked_ms held_ms held_max_ms
	write_max_ms peak_mb over_sync_percent pdflush_pages kupdate_pages others_pages busy_percent
	busy_over_background_percent verdict_pace verdict_wait content)

# All that a run has told
told_by() {
	cat "$out/$1.txt"
	tr -d '\0' <"$out/$1.seen"
}

# The line of a run in results.csv
summarize() {
	local case=${1%%-*} setting=${1#*-}
	[[ $setting != stock ]] || setting=--
	told_by "$1" | awk -v case_="$case" -v setting="$setting" '
	$1 == "result" { value[$2] = $3 }
	$1 == "sample" {
		n++
		t[n] = $2 / 1000; held[n] = $3 + $4; background[n] = $5
		sync[n] = $7; dirtyable[n] = $8; busy[n] = $9
	}
	# percent of the time from one sample to another
	function busy_in(from, to) {
		return to > from ? (busy[to] - busy[from]) / (t[to] - t[from]) / 10 : 0
	}
	END {
		for (i = 1; i <= n; i++) {
			if (t[i] <= value["begun"])
				first = i
			if (t[i] <= value["ended"])
				last = i
			if (!crossed && held[i] > background[i])
				crossed = i
			if (held[i] > peak)
				peak = held[i]
			over = (held[i] - sync[i]) * 100 / dirtyable[i]
			if (i == 1 || over > worst)
				worst = over
		}
		if (!crossed)
			crossed = last
		split(setting, threshold, "-")
		printf "%s,%s,%s,%s,%s,", case_,
			setting == "--" ? "stock" : "pdflush",
			threshold[1], threshold[2], threshold[3]
		printf "%.2f,%.2f,", value["ended"] - value["begun"],
			value["synced"] - value["begun"]
		printf "%.0f,%.0f,%.0f,%.0f,", value["blocked_ms"], value["held_ms"],
			value["held_max_ms"], value["write_max_us"] / 1000
		printf "%.1f,%.1f,", peak / 256, worst
		printf "%d,%d,%d,", value["pages_by_pdflush"], value["pages_by_kupdate"],
			value["pages_by_others"]
		printf "%.1f,%.1f,%s,%s,%s\n", busy_in(first, last), busy_in(crossed, last),
			value["verdict_pace"], value["verdict_wait"], value["content"]
	}'
}

print_table() {
	awk -F, -v case_="$1" '
	function row(a, b, c, d, e, f, g, h, i, j, k, l, m) {
		printf "%-16s %7s %8s %8s %7s %7s %7s %7s %8s %8s %8s %6s %8s\n",
			a, b, c, d, e, f, g, h, i, j, k, l, m
	}
	BEGIN {
		by = "pages by"
		row("", "total", "on disk", "blocked", "held", "longest", "longest", "peak", by, by,
			by, "disk", "content")
		row("", "", "", "on I/O", "", "hold", "write", "dirty", "pdflush", "kupdate",
			"others", "busy", "")
		row("", "s", "s", "ms", "ms", "ms", "ms", "MB", "", "", "", "%", "")
	}
	$1 == case_ {
		name = $2 == "stock" ? "stock 6.1" : "pdflush " $3 "/" $4 "/" $5
		row(name, $6, $7, $8, $9, $10, $11, $12, $14, $15, $16, $17, $21)
	}' "$out/results.csv"
}

# What it must reach
print_figures() {
	awk -F, -v case_="$1" -v sender=$SENDER_SECONDS '
	function figure(good, what, is, bound) {
		printf "%s  %s  %s: %s (%s)\n", good ? "PASS" : "MISS", name, what, is, bound
	}
	$1 != case_ || $2 == "stock" { next }
	{ name = $3 "/" $4 "/" $5 }
	case_ == "ftp" && name == "10/60/70" {
		off = ($6 - sender) * 100 / sender
		figure($9 == 0, "receiver held by the engine", $9 " ms", 0)
		figure($19 + $20 == 0, "told to pace, to wait", $19 ", " $20 " times", 0)
		figure(off <= 1 && off >= -1, "off the " sender " s of the sender",
			sprintf("%+.2f %%", off), "1 %")
	}
	case_ == "dd" {
		below = $13 < 0 ? substr($13, 2) " % below" : $13 " % above"
		figure($18 >= 95, "disk busy from the background threshold on", $18 " %", ">= 95 %")
		figure($13 <= 3, "dirty + writeback at most, of dirtyable memory", below " sync",
			"<= 3 % above")
		figure($10 <= 500, "longest hold", $10 " ms", "<= 500 ms")
	}' "$out/results.csv"
}
