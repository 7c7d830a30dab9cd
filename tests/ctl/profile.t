#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl profile: read, applied whole or not at all, saved.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

# profile WORDS...
profile() { "$ctl" profile "$@"; }

# The state of all settings, to compare
state() { (cd "$vm" && grep -H . -- * 2>/dev/null); }

# unchanged COMMAND...: and the command succeeds
unchanged() {
	local before after
	before=$(state)
	"$@" || return
	after=$(state)
	is "$after" "$before"
}

values() {
	local name line=
	for name; do
		line="$line $(cat "$vm/$name")"
	done
	echo "${line# }"
}

# In a false root a ratio file does not clear its twin: as the engine would
three() { values dirty_background_ratio dirty_async_ratio dirty_sync_ratio; }

# ---- Those that come with the command

make_root
ok "list" prints "^akpm +Andrew Morton" profile list
for name in 2.4.19 2.5.31 akpm debian-stock postgresql ingest desktop; do
	ok "$name is listed, and good" grep -qE "^$name +[^ (]" "$work/out"
done
ok "... in 80 columns" awk 'length > 80 { print; bad = 1 } END { exit bad }' "$work/out"

# Each setting is followed by an indented line
reasons() {
	gives 0 profile show "$1" || return
	awk '/^[a-z_]+ = / { if (want) exit 1; want = 1; nr++; next }
		/^    ./ { want = 0 } END { exit want || nr < 1 }' "$work/out"
}
for name in 2.4.19 2.5.31 akpm debian-stock postgresql ingest desktop; do
	ok "$name: a reason for each number" reasons "$name"
done
ok "show tells what is in force where it is another" \
	prints "^dirty_async_ratio = 60    \(now 40\)$" profile show akpm
ok "... and only there" prints "^dirty_background_ratio = 10$" profile show akpm
ok "anybody may look" gives 0 as_nobody "$ctl" profile show akpm

# ---- apply

ok "dry run changes nothing" unchanged \
	prints "^dirty_async_ratio +40 -> 60$" profile apply --dry-run akpm
ok "apply prints what changed from what" prints "^dirty_async_ratio +40 -> 60$" profile apply akpm
ok "... and nothing else" is "$(wc -l <"$work/out")" 2
ok "... and it is so" is "$(three)" "10 60 70"
ok "again: nothing to change" prints "^nothing to change" profile apply akpm
ok "2.5.31" prints "^dirty_background_ratio +10 -> 40$" profile apply 2.5.31
ok "... is in force" is "$(three)" "40 50 60"

# In a false root bdflush does not appear by itself: then all goes back
ok "bdflush's file does not come: refused, the policy is back" unchanged \
	fails_with 1 "bdflush = 30 500 .* was refused .*; all is as it was before" \
	profile apply 2.4.19
set_vm bdflush="40 0 0 0 500 3000 60 0 0"
ok "2.4.19: policy and nine numbers" \
	prints "^bdflush +40 0 0 0 500 3000 60 0 0 -> 30 500 0 0 500 3000 60 20 0$" \
	profile apply 2.4.19
ok "... are in force" is "$(values writeback_policy bdflush)" "bdflush 30 500 0 0 500 3000 60 20 0"
make_root
set_vm writeback_available_policies=ratios
ok "without that policy: one error, nothing changed" unchanged \
	fails_with 1 "needs the policy bdflush; this engine has: ratios\. Nothing was changed" \
	profile apply 2.4.19
set_vm writeback_available_policies="bdflush2 ratios"
ok "... a longer name is not it" fails_with 1 "needs the policy bdflush" profile apply 2.4.19
make_root
rm "$vm/dirty_sync_ratio"
ok "a file is missing: nothing changed" unchanged \
	fails_with 1 "this engine has no dirty_sync_ratio in /proc/sys/vm\. Nothing" \
	profile apply akpm

# A refusal half way
make_root
set_vm dirty_writeback_centisecs=700
ln -sf /dev/full "$vm/dirty_sync_ratio"
ok "refused half way: all is as it was" fails_with 1 \
	"dirty_sync_ratio = 70 was refused \(No space left on device\); all is as it was before" \
	profile apply akpm
ok "... the first values, too" is \
	"$(values dirty_background_ratio dirty_async_ratio dirty_writeback_centisecs)" "10 40 700"
make_root
ln -sf /dev/null "$vm/dirty_expire_centisecs"
ok "taken, but not kept: all is as it was" fails_with 1 \
	"dirty_expire_centisecs = 1000 was refused \(it reads  now\); all is as it was" \
	profile apply ingest
ok "... the first values, too" is "$(three) $(values nr_pdflush_threads_min)" "10 40 50 2"

# ---- What is wrong with a profile

export PDFLUSHCTL_PROFILES=$work/mine:$work/theirs
mkdir -p "$work/mine" "$work/theirs"
make_root

# bad PATTERN TEXT
bad() {
	printf '%s\n' "$2" >"$work/mine/bad"
	unchanged fails_with 1 "$1" profile apply bad
}
ok "no profile of this name" fails_with 1 "there is no profile akpm; see pdflushctl profile list" \
	profile apply akpm
ok "unknown setting, with file and line" bad "mine/bad:2: vm.swappiness is no setting" \
	$'# a\nvm.swappiness = 5'
ok "no =" bad "bad:1: no NAME = VALUE: dirty_sync_ratio 5" "dirty_sync_ratio 5"
ok "too many percent" bad "dirty_sync_ratio wants percent, 0 to 100, not \"101\"" \
	"dirty_sync_ratio = 101"
ok "negative" bad "wants percent" "dirty_sync_ratio = -1"
ok "a number and more" bad "wants percent" "dirty_sync_ratio = 5 # five"
ok "no value" bad "wants percent, 0 to 100, not \"\"" "dirty_sync_ratio ="
ok "too large" bad "whole number of bytes" "dirty_sync_bytes = 99999999999999999999"
ok "eight numbers" bad "bdflush wants nine whole numbers" \
	$'writeback_policy = bdflush\nbdflush = 1 2 3 4 5 6 7 8'
ok "no threads" bad "wants a number of threads" "nr_pdflush_threads_min = 0"
ok "twice" bad "bad:2: dirty_sync_ratio is there twice" $'dirty_sync_ratio = 5\ndirty_sync_ratio=5'
ok "... by its other name" bad "dirty_ratio is there twice" $'dirty_async_ratio = 5\ndirty_ratio=5'
ok "percent and bytes" bad "in percent and in bytes: choose one" \
	$'dirty_sync_ratio = 5\ndirty_sync_bytes = 5'
ok "min above max" bad "nr_pdflush_threads_min above" \
	$'nr_pdflush_threads_min = 5\nnr_pdflush_threads_max = 4'
ok "bdflush without its policy" bad "needs writeback_policy = bdflush" \
	$'writeback_policy = ratios\nbdflush = 30 500 0 0 500 3000 60 20 0'
ok "old data twice" bad "gives when old data is written twice" \
	"writeback_policy = bdflush
bdflush = 30 500 0 0 500 3000 60 20 0
dirty_expire_centisecs = 1"
ok "nothing in it" bad "sets nothing" "# a"
ok "not a text" fails_with 1 "no profile: not a short text" profile apply /dev/zero
ok "a bad one is listed as bad" prints "^bad +\(bad: .*sets nothing\)" profile list
ok "a name that climbs" fails_with 1 "there is no profile \.\." profile show ..

# ---- Where they are, forms

rm "$work/mine/bad"
printf '# Mine. More.\n\n# why\n\tvm.dirty_ratio=33\r\n; also\nnr_pdflush_threads_max = 9\n' \
	>"$work/mine/a"
printf '# Theirs.\n\ndirty_ratio = 11\n' | tee "$work/theirs/a" >"$work/theirs/b"
ok "the first folder has the say" prints "^a +Mine$" profile list
ok "... once" is "$(grep -c '^a ' "$work/out")" 1
ok "the second has more" prints "^b +Theirs$" profile list
ok "names, blanks, comments as in sysctl.d" prints "^dirty_async_ratio = 33 " profile show a
ok "a path" prints "^dirty_async_ratio +40 -> 33$" profile apply "$work/mine/a"
set_vm dirty_sync_ratio=0 dirty_sync_bytes=5000000
echo "dirty_sync_ratio = 0" >"$work/mine/zero"
ok "0 goes to the file that is in force" prints "^dirty_sync_bytes +5000000 -> 0$" \
	profile apply zero

# ---- save

make_root
ok "save" prints "^saved as $work/mine/now$" profile save now
set_vm dirty_background_ratio=1 dirty_async_ratio=0 dirty_async_bytes=77 writeback_policy=bdflush \
	nr_pdflush_threads_max=3
ok "... and back: all" prints "^writeback_policy +bdflush -> ratios$" profile apply now
ok "... as it was" is "$(three) $(values writeback_policy nr_pdflush_threads_max)" \
	"10 40 50 ratios 8"
ok "not over one that is there" fails_with 1 "is there already; save --force" profile save now
ok "... but by force" prints "^saved" profile save --force now
ok "not under a bad name" fails_with 2 "letters, digits" profile save a/b
set_vm dirty_sync_ratio=0 dirty_sync_bytes=5000000
ok "bytes in force are saved as bytes" gives 0 profile save bytes
ok "... not the ratio" is "$(grep -c "dirty_sync" "$work/mine/bytes")" 1
make_root
set_vm writeback_policy=bdflush bdflush=$'30\t500\t0\t0\t500\t3000\t60\t20\t0'
ok "bdflush's numbers are saved" gives 0 profile save old
ok "... and are enough" is "$(grep -c centisecs "$work/mine/old")" 0
ok "... and can be applied" prints "^nothing to change" profile apply old
ok "no remains" is "$(find "$work/mine" -name '.*' -type f)" ""
in_new_folder() {
	PDFLUSHCTL_PROFILES=$work/new/er gives 0 profile save x && [[ -f $work/new/er/x ]]
}
ok "the folder is made" in_new_folder
done_testing
