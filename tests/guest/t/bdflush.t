#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: policy bdflush: its file, its threads, STOP and CONT, as 2.4's
# guest: --mem 192M --disk 256M,rate=20,fs=ext2 --disk 64M,rate=20,fs=ext2
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

numbers() { tr '\t' ' ' <$vm/bdflush; }
rules() { echo "$1" >/sys/module/pdflush/parameters/bdflush_rules; }
# the thread of that name, or nothing
thread() { pgrep -x "$1"; }
kupdated_is() { [ "$(state_of "$(thread kupdated)")" = "$1" ]; }

# refused TEXT: is it, with EINVAL, and nothing changed?
refused() {
	local before said
	before=$(numbers)
	if said=$(LC_ALL=C printf '%b' "$1" 2>&1 >"$vm/bdflush"); then
		fail=taken
	elif [[ $said != *"Invalid argument"* ]]; then
		fail=$said
	elif [ "$(numbers)" != "$before" ]; then
		fail="changed: $(numbers)"
	else
		return 0
	fi
	echo "$fail"
	return 1
}

# ---- In force, and left --------------------------------------------------------------------------

is "policies" "$(get_vm writeback_available_policies)" "ratios bdflush"
ok "no file before" [ ! -e $vm/bdflush ]
is "no thread before" "$(thread bdflush)$(thread kupdated)" ""
set_vm dirty_writeback_centisecs=400 dirty_expire_centisecs=2500
ok "the policy is switched to" set_vm writeback_policy=bdflush
is "... 2.4.19's numbers" "$(numbers)" "30 500 0 0 500 3000 60 20 0"
is "... with tabs between" "$(tr -cd '\t' <$vm/bdflush | wc -c)" 8
is "... the kernel's interval and age follow" \
	"$(get_vm dirty_writeback_centisecs dirty_expire_centisecs)" "500 3000"
is "... ps shows both threads" "$(ps -C bdflush,kupdated -o comm= | wc -l)" 2
ok "switched away from" set_vm writeback_policy=ratios
ok "... the file is gone" [ ! -e $vm/bdflush ]
is "... so are the threads" "$(thread bdflush)$(thread kupdated)" ""
is "... interval and age are as before" \
	"$(get_vm dirty_writeback_centisecs dirty_expire_centisecs)" "400 2500"
set_vm writeback_policy=bdflush

# ---- The file, with the commands of 2001 as their authors typed them -----------------------------

echo 80 64 64 256 500 6000 90 > /proc/sys/vm/bdflush
is "seven numbers" "$(numbers)" "80 64 64 256 500 6000 90 20 0"
echo "80 64 64 256 500 6000 90" > /proc/sys/vm/bdflush
is "... quoted" "$(numbers)" "80 64 64 256 500 6000 90 20 0"
echo 50 64 64 256 500 3000 75 > /proc/sys/vm/bdflush
is "Linus' proposal" "$(numbers)" "50 64 64 256 500 3000 75 20 0"
echo "90 64 64 256 500 3000 95 0 0" > /proc/sys/vm/bdflush
is "nine numbers" "$(numbers)" "90 64 64 256 500 3000 95 0 0"
echo 30 64 64 256 500 6000 60 > /proc/sys/vm/bdflush
is "the lower left of Steven's table" "$(numbers)" "30 64 64 256 500 6000 60 0 0"
is "... the age reaches the kernel" "$(get_vm dirty_expire_centisecs)" 6000
echo 40 > $vm/bdflush
is "one number" "$(numbers)" "40 64 64 256 500 6000 60 0 0"
printf '30\t500 0\t0 500 3000 60 20 0' > $vm/bdflush
is "tabs, no newline" "$(numbers)" "30 500 0 0 500 3000 60 20 0"
sysctl -q vm.bdflush="31 500 0 0 500 3000 60 20 0"
is "by sysctl" "$(numbers)" "31 500 0 0 500 3000 60 20 0"
echo "100 50000 20000 20000 1000000 1000000 100 100 0" > $vm/bdflush
is "the greatest" "$(numbers)" "100 50000 20000 20000 1000000 1000000 100 100 0"
echo "0 1 0 0 0 100 0 0 0" > $vm/bdflush
is "the least" "$(numbers)" "0 1 0 0 0 100 0 0 0"
echo 30 500 0 0 500 3000 60 20 0 > $vm/bdflush
for text in ' \n' x '30 x' '30 500 0 0 500 3000 60 20 0 0' '101' '30 0' '30 50001' \
	'30 500 20001' '30 500 0 20001' '30 500 0 0 1000001' '30 500 0 0 500 99' \
	'30 500 0 0 500 1000001' '30 500 0 0 500 3000 101' '30 500 0 0 500 3000 60 101' \
	'30 500 0 0 500 3000 60 20 1' -1 '30 -1' 0x1e '30,500' 99999999999999999999; do
	ok "refused: \"$text\"" refused "$text"
done
echo 700 >$vm/dirty_writeback_centisecs
echo 4000 >$vm/dirty_expire_centisecs
is "what is written to the kernel's own files is taken over" "$(numbers)" \
	"30 500 0 0 700 4000 60 20 0"
echo 50 >$vm/dirty_expire_centisecs
is "... as far as the file takes it" "$(numbers)" "30 500 0 0 700 100 60 20 0"
ok "... so that what it shows can be written back" set_vm "bdflush=$(<$vm/bdflush)"
is "... and is in force" "$(get_vm dirty_expire_centisecs)" 100

# What is written there while the policy is in force is somebody's who knows; ours is taken away.
follows() { [ "$(get_vm dirty_writeback_centisecs)" = "$interval" ]; }
keeps() {
	set_vm writeback_policy=bdflush
	echo 30 500 0 0 "$interval" "$age" >$vm/bdflush
	wait_until 5 follows
	[ -z "$1" ] || set_vm dirty_writeback_centisecs=700 dirty_expire_centisecs=4000
	[ "$1" != read ] || numbers >/dev/null
	set_vm writeback_policy=ratios
	get_vm dirty_writeback_centisecs dirty_expire_centisecs
}
set_vm writeback_policy=ratios dirty_writeback_centisecs=400 dirty_expire_centisecs=2500
interval=600 age=3500
is "left, after its own file was written" "$(keeps "")" "400 2500"
is "... after the kernel's files were" "$(keeps written)" "700 4000"
set_vm dirty_writeback_centisecs=400 dirty_expire_centisecs=2500
is "... and its own was read after that" "$(keeps read)" "700 4000"
set_vm dirty_writeback_centisecs=500 dirty_expire_centisecs=3000 writeback_policy=bdflush
fails "unknown rules" rules 2.4.20
is "... change nothing" "$(cat /sys/module/pdflush/parameters/bdflush_rules)" 2.4.19

# ---- kupdated ------------------------------------------------------------------------------------

# dirty NAME: 4 MB on disk 1
before=0
dirty() {
	sync
	before=$(written_to 1)
	./writer write "/mnt/1/$1" 4 7 >/dev/null
}
kb() { echo $(($(written_to 1) - before >> 10)); }
old() { between "$1: KB on disk" "$(kb)" 4096 5000; }
young() { between "$1: KB on disk" "$(kb)" 0 512; }

echo 90 64 64 256 100 300 95 > $vm/bdflush
dirty first
sleep 2
young "not old yet"
sleep 3
old "old"
is "... written for kupdate, none for background" \
	"$(($(stats pages_by_kupdate) >= 1024)) $(stats pages_by_pdflush)" "1 0"

ok "killall -STOP kupdated" killall -STOP kupdated
ok "... ps shows T" wait_until 5 kupdated_is T
dirty second
sleep 20
young "stopped"
is "... the kernel does it neither" "$(get_vm dirty_writeback_centisecs)" 0
is "... the number stays" "$(numbers)" "90 64 64 256 100 300 95 20 0"
ok "killall -CONT kupdated" killall -CONT kupdated
sleep 0.8
old "one pass at once"
dirty third
sleep 6
old "... and it goes on"

echo 90 64 64 256 0 300 95 > $vm/bdflush
dirty fourth
sleep 20
young "interval 0"
killall -CONT kupdated
sleep 0.8
old "... CONT: one pass"
dirty fifth
sleep 20
young "... and no more"
echo 90 64 64 256 100 300 95 > $vm/bdflush
sleep 2
old "a new interval takes effect at once"

killall -STOP kupdated
wait_until 5 kupdated_is T
ok "left while kupdated is stopped" set_vm writeback_policy=ratios
is "... which ends" "$(thread kupdated)" ""
dirty sixth
sleep 12
young "... the age is as before"
set_vm dirty_expire_centisecs=100 dirty_writeback_centisecs=100
sleep 4
old "... and old data is written by the engine"
set_vm dirty_expire_centisecs=3000 dirty_writeback_centisecs=500
set_vm writeback_policy=bdflush

# ---- bdflush -------------------------------------------------------------------------------------

# What may be dirty, in MB
dirtyable=$(($(stats dirtyable) >> 8))
pages() { stats pages_by_pdflush; }
dirty_percent() { echo $((100 * $(vmstat nr_dirty) / $(stats dirtyable))); }
started() { [ "$(stats pages_by_pdflush)" -gt "$written" ]; }
settled() { [ "$(dirty_percent)" -le "$1" ]; }

echo 30 500 0 0 0 3000 60 10 0 > $vm/bdflush
sync
written=$(pages)
./writer write /mnt/0/some $((dirtyable * 20 / 100)) 1 >/dev/null
sleep 3
is "below nfract nothing is written" "$(pages)" "$written"
./writer write /mnt/0/more $((dirtyable * 15 / 100)) 2 >/dev/null
ok "above it bdflush writes" wait_until 5 started
ok "... down to nfract_stop" wait_until 20 settled 11
sleep 2
between "... and no further: percent dirty" "$(dirty_percent)" 3 11
read -r pace wait <<<"$(stats verdict_pace verdict_wait)"
is "nobody was held" "$pace $wait" "0 0"
./writer write /mnt/0/lots 200 3 >/dev/null
read -r pace wait <<<"$(stats verdict_pace verdict_wait)"
ok "above nfract_sync callers are" [ "$pace" -gt 0 ]
sync
rm -f /mnt/0/some /mnt/0/more /mnt/0/lots

ok "2.4.8's rules" rules 2.4.8
echo 30 64 64 256 0 3000 90 > $vm/bdflush
sync
sleep 1
read -r pace <<<"$(stats verdict_pace)"
./writer write /mnt/0/again $((dirtyable * 45 / 100)) 4 >/dev/null
ok "... above nfract callers are held" [ "$(stats verdict_pace)" -gt "$pace" ]
sleep 3
between "... and the writer stops there: percent dirty" "$(dirty_percent)" 15 31

# ---- Loaded with it, and detached from it --------------------------------------------------------

start_detach
ok "a detach with it in force" end_detach
is "... no thread is left" "$(thread bdflush)$(thread kupdated)" ""
ok "... nor its file" [ ! -e $vm/bdflush ]
ok "loaded with it in force" attach policy=bdflush bdflush_rules=2.4.8
is "... it is" "$(get_vm writeback_policy) $(thread kupdated | wc -l)" "bdflush 1"
is "... by those rules" "$(cat /sys/module/pdflush/parameters/bdflush_rules)" 2.4.8
killall -STOP kupdated
wait_until 5 kupdated_is T
start_detach
ok "a detach while kupdated is stopped" end_detach
is "... no thread is left" "$(thread bdflush)$(thread kupdated)" ""
is "... the kernel's interval is as before" "$(get_vm dirty_writeback_centisecs)" 500
done_testing
