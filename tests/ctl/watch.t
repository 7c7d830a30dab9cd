#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl watch: lines of what happened between two looks.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

watch() { "$ctl" watch "$@"; }

# watch_change NAME=VALUE...: runs watch -n 1 and changes stats after its first look, which its head
# tells
watch_change() {
	local n
	rm -f "$work/out"
	"$ctl" watch -n 1 --csv 1 >"$work/out" 2>"$work/err" &
	for ((n = 0; n < 500; n++)); do
		[[ ! -s $work/out ]] || break
		sleep 0.02
	done
	set_stats "$@"
	wait $!
}

# column NAME: of the CSV's last line
column() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		END { print $at }' "$work/out"
}

make_root
ok "three lines" gives 0 watch -n 3 0.05
ok "... below two of head" is "$(wc -l <"$work/out")" 5
ok "... of 80 columns" awk 'length > 80 { print; bad = 1 } END { exit bad }' "$work/out"
ok "... figures under their heads" is "$(awk 'NR == 2 { print NF }' "$work/out")" \
	"$(awk 'NR == 3 { print NF }' "$work/out")"
ok "twenty-one lines" gives 0 watch -n 21 0.01
ok "... the head comes again" is "$(grep -c kick "$work/out")" 2
ok "CSV" gives 0 watch --csv -n 2 0.05
ok "... one head, as many columns" is "$(awk -F, '{ print NF }' "$work/out" | sort -u | wc -l)" 1
ok "... three lines" is "$(wc -l <"$work/out")" 3
ok "... nothing happened" is \
	"$(column kick),$(column held_seconds),$(column pdflush_bytes)" "0,0.000,0"
ok "... what is now" is "$(column dirty_bytes),$(column sync_bytes)" "52428800,409600000"
watch_change verdict_kick=207 stalled_ms=3000 pages_by_kupdate=2660 dirty=100
ok "what happened: verdicts" is "$(column kick)" 7
ok "... time held" is "$(column held_seconds)" 0.500
ok "... bytes" is "$(column kupdate_bytes)" 409600
ok "... dirty now" is "$(column dirty_bytes)" 409600
watch_change verdict_kick=5
ok "a module loaded anew counts from 0" is "$(column kick)" 5

until_gone() {
	rm -f "$work/out"
	"$ctl" watch --csv 0.1 >"$work/out" 2>"$work/err" &
	for ((n = 0; n < 500; n++)); do
		[[ ! -s $work/out ]] || break
		sleep 0.02
	done
	rm -r "$engine"
	wait $!
	is "$?" 3 && grep -q "unloaded meanwhile" "$work/err"
}
ok "the engine goes: status 3" until_gone
make_root
few() { "$ctl" watch 0.05 | head -n 3; }
export -f few
ok "a reader that goes ends it" timeout 20 bash -c few
done_testing
