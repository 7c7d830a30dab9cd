#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl top, on a terminal of tmux: what it shows, sizes, keys, colours.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

export LC_ALL=C.UTF-8
term() { tmux -L "pdflushctl-$$" -f /dev/null "$@"; }
trap 'term kill-server 2>/dev/null; rm -rf "$work"' EXIT
# so that the server stays when a session ends
term new-session -d -s keep sleep 1000

# start COLUMNS ROWS TERM [INTERVAL]: ends in a line with its status
start() {
	term kill-session -t top 2>/dev/null
	term new-session -d -s top -x "$1" -y "$2" \
		"TERM=$3 PDFLUSHCTL_ROOT=$root $ctl top ${4:-0.2}; echo status \$?; sleep 100"
}

screen() { term capture-pane -p -t top; }

# shows PATTERN: sooner or later
shows() {
	local n
	for ((n = 0; n < 300; n++)); do
		! screen | grep -qE -- "$1" || return 0
		sleep 0.05
	done
	screen
	return 1
}

fits() { screen | awk -v most="$1" 'length > most { print; bad = 1 } END { exit bad }'; }

# The bar's column of a character
at() {
	screen | awk -v what="$1" '/^\[/ { print index($0, what); exit }'
}

make_root
make_task 512 pdflush D 2129984 '[<0>] pool_thread+0x1/0x2 [pdflush]'
make_task 600 ftpd D 4194304 '[<0>] io_schedule_timeout+0x4/0x10
[<0>] host_hold_caller+0x2d/0x40 [pdflush]
[<0>] wb_balance_dirty_pages+0x1/0x2 [pdflush]'
make_task 601 "a (b) c" D 4194304 '[<0>] host_hold_caller+0x2d/0x40 [pdflush]'
make_task 602 cp D 4194304 '[<0>] wbt_wait+0x2d/0x40'
make_task 603 bash S 4194304 '[<0>] host_hold_caller+0x2d/0x40 [pdflush]'
# a second thread of a process
make_task 604 idle S 4194304 "[<0>] futex_wait+0x1/0x2"
make_task 605 worker D 4194304 "[<0>] host_hold_caller+0x2d/0x40 [pdflush]"
mv "$root/proc/605/task/605" "$root/proc/604/task/605"
rm -r "$root/proc/605"
sed -i "s/ 20 0 1 0 100 / 20 0 2 0 100 /" "$root/proc/604/stat" "$root/proc/604/task/"*/stat
set_stats held=2

start 80 24 screen
ok "80x24: a title" shows "^pdflush attached, policy ratios, .*q ends"
ok "dirty memory" shows "^Dirty 50\.0 MB, on its way 5\.0 MB, dirtyable 781 MB"
ok "the thresholds" shows "^B background 78\.1 MB  A async 312 MB  S sync 391 MB"
ok "a bar" shows "^\[####+=+ .*B .*A .*S .*\]$"
order() { (($(at '#') < $(at B) && $(at B) < $(at A) && $(at A) < $(at S))); }
ok "... in the right order" order
ok "devices" shows "^sda +40\.0 MB +4\.0 MB +100 MB/s +512"
ok "the pool" shows "^Pool: 2 threads, 1 at work \(2 to 8\)"
ok "how many are held" shows "held now 2"
if [[ $(id -u) == 0 ]]; then
	ok "who is held" shows "^ftpd +600 .* 100%"
	ok "... with a name of its own kind" shows "^a \(b\) c +601 "
	ok "... a thread that is not its process's first" shows "^worker +605 "
	only() { screen | grep -E "^(pdflush|cp|bash) +[0-9]" && return 1 || return 0; }
	ok "... nobody else" only
else
	nr=$((nr + 1))
	echo "ok $nr # SKIP only root can see who is held"
fi
ok "the stall histogram" shows "^in all +1 +2 +10 +0 +21 +0 +0"
ok "no line is too long" fits 80
set_stats dirty=60000 stalled_ms=9000
ok "it is live: memory" shows "^Dirty 234 MB"
ok "... the bar" shows "^\[[#B]{33,50}=+ *A"
set_stats held=0
ok "... nobody is held" shows "held now 0"
set_vm dirty_writeback_centisecs=0
ok "a warning" shows "^! Old data is not written by itself"
term send-keys -t top q
ok "q ends it: status 0" shows "^status 0$"

start 80 24 screen
shows "^pdflush attached" >/dev/null
term resize-window -t top -x 120 -y 40
wide() { shows '^\[.{118}\]$'; }
ok "it follows the window: wider" wide
term resize-window -t top -x 60 -y 16
ok "... smaller" shows '^\[.{58}\]$'
ok "... still with the histogram" shows "^in all"
ok "... no line is too long" fits 60
term resize-window -t top -x 30 -y 5
ok "... too small, and says so" shows "^The window is too small"
term resize-window -t top -x 80 -y 24
ok "... and back" shows '^\[.{78}\]$'
term send-keys -t top C-c
ok "^C ends it: status 0" shows "^status 0$"

start 80 24 vt100
ok "without colours: the same" shows "^\[[#B]+=+ *A +S +\]$"
rm -r "$engine"
ok "the engine goes: status 3" shows "^status 3$"
ok "... and says so" shows "unloaded meanwhile"

make_root
start 80 24 no-such-terminal
ok "an unknown terminal" shows "is not known; try: pdflushctl watch"
ok "... status 1" shows "^status 1$"
ok "no events here" fails_with 1 "no events to be had|needs a terminal" "$ctl" top --events
ok "no terminal at all" fails_with 1 "needs a terminal; without one try: pdflushctl watch" \
	"$ctl" top </dev/null

as_user() {
	term kill-session -t top 2>/dev/null
	chmod -R a+rX "$root"
	term new-session -d -s top -x 80 -y 24 "setpriv --reuid=65534 --regid=65534 --clear-groups \
		env TERM=screen PDFLUSHCTL_ROOT=$root $ctl top 0.2; echo status \$?; sleep 100"
	shows "^\(only root can see who is held\)" && shows "^sda "
}
if [[ $(id -u) == 0 ]]; then
	ok "without root: all but names" as_user
else
	nr=$((nr + 1))
	echo "ok $nr # SKIP who is not root cannot be somebody else"
fi
done_testing
