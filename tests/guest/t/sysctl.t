#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: /proc/sys/vm takes a sensible value or nothing; saved sets come back in any order
# guest: --mem 128M
# helpers: writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

ratios="dirty_background_ratio dirty_async_ratio dirty_ratio dirty_sync_ratio"
bytes="dirty_background_bytes dirty_async_bytes dirty_bytes dirty_sync_bytes"
limits="nr_pdflush_threads_min nr_pdflush_threads_max"
readonly_files="nr_pdflush_threads writeback_available_policies"

# all: everything that can be set, in a line
all() {
	# shellcheck disable=SC2086
	get_vm $ratios $bytes $limits writeback_policy
}

# put FILE TEXT: one write(2); prints the result
put() { ./writer sysctl "$vm/$1" 0 "$2"; }

start=$(all)
huge=1000000000000000000000000000000

# refused FILE TEXT NAME: EINVAL, and nothing has changed
refused() {
	local got
	got=$(put "$1" "$2")
	[ "$got" = EINVAL ] && [ "$(all)" = "$start" ] && return
	echo "$1: $3: $got; $(all)"
	return 1
}

# each_refused NAME TEXT FILE...
each_refused() {
	local name=$1 text=$2 file
	shift 2
	for file; do
		refused "$file" "$text" "$name" || return
	done
}

for file in $ratios $bytes $limits; do
	ok "$file: -1" refused "$file" -1 -1
	ok "$file: words" refused "$file" abc abc
	ok "$file: 10^30" refused "$file" $huge 10^30
	ok "$file: two numbers" refused "$file" "10 20" "10 20"
done
# shellcheck disable=SC2086
{
	ok "ratios end at 100" each_refused 101 101 $ratios
	numbers="$ratios $bytes $limits"
	ok "a line end alone" each_refused "line end" $'\n' $numbers
	ok "spaces alone" each_refused spaces "   " $numbers
	ok "two lines" each_refused "two lines" $'10\n20\n' $numbers
	ok "a number and a word" each_refused 10abc 10abc $numbers
	ok "a word and a number" each_refused abc10 abc10 $numbers
	ok "hexadecimal" each_refused 0x10 0x10 $numbers
	ok "a fraction" each_refused 10.5 10.5 $numbers
	ok "a sign" each_refused +10 +10 $numbers
	ok "a minus alone" each_refused - - $numbers
	ok "2^64" each_refused 2^64 18446744073709551616 $numbers
	ok "2^64 + 10" each_refused "2^64+10" 18446744073709551626 $numbers
	ok "2^32 + 10, where it is no byte count" each_refused "2^32+10" 4294967306 $ratios $limits
	ok "a comma" each_refused comma 10,20 $numbers
}

# Writing nothing is no error, or one, but changes nothing.
for file in $ratios $bytes $limits writeback_policy; do
	put "$file" "" >/dev/null
done
is "an empty write changes nothing" "$(all)" "$start"

# Spaces and line ends around a number
for text in 33 $'33\n' "33 " " 33" $'\t33 \n\n' $'  33\r\n'; do
	set_vm dirty_ratio=20
	is "$(printf %q "$text"): taken whole" "$(put dirty_ratio "$text")" ${#text}
	is "... is 33" "$(get_vm dirty_ratio)" 33
done
is "0033 is 33" "$(put dirty_ratio 0033; get_vm dirty_ratio)" $'4\n33'
set_vm dirty_ratio=40

# 4097 bytes, more than a page
for file in dirty_ratio dirty_bytes nr_pdflush_threads_max writeback_policy; do
	text=17
	[ $file != writeback_policy ] || text=ratios
	before=$(all)
	got=$(./writer sysctl-long $vm/$file 4097 $text)
	case $got in
	EINVAL) is "$file: 4097 bytes: refused" "$(all)" "$before" ;;
	4097) is "$file: 4097 bytes: taken" "$(get_vm $file)" $text ;;
	*) ok "$file: 4097 bytes: EINVAL or all, not $got" false ;;
	esac
	got=$(./writer sysctl-long $vm/$file 100000 $text)
	ok "$file: 100000 bytes" [ "$got" = EINVAL -o "$got" = 100000 ]
done
set_vm dirty_ratio=40 nr_pdflush_threads_max=8

# At an offset: a value is written at the start or not at all, and read in one piece
for file in $ratios $bytes $limits writeback_policy; do
	got=$(./writer sysctl "$vm/$file" 1 2)
	is "$file: a write at an offset" "$got" EINVAL
done
is "... changes nothing" "$(all)" "$start"
for file in $ratios $bytes $limits $readonly_files writeback_policy; do
	is "$file: a read at an offset finds the end" "$(./writer sysctl-read "$vm/$file" 1 100)" ""
	value=$(get_vm "$file")
	is "$file: a short read has the start" \
		"$(./writer sysctl-read "$vm/$file" 0 1)" "${value:0:1}"
done
# two writes through one descriptor: half a value must not become one
{ printf 1; printf 5; } 2>/dev/null >$vm/dirty_ratio
is "of two writes in a row the first counts" "$(get_vm dirty_ratio)" 1
set_vm dirty_ratio=40

# ---- Somebody who may not

as_user() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }
for file in $ratios $bytes $limits $readonly_files writeback_policy; do
	is "$file: an ordinary user reads it" "$(as_user cat "$vm/$file")" "$(cat "$vm/$file")"
	fails "$file: ... and can't write it" as_user ./writer sysctl "$vm/$file" 0 5
done
for file in stats devices stalls; do
	ok "/proc/pdflush/$file: an ordinary user reads it" as_user cat $pdflush/$file
	fails "... and can't write it" as_user sh -c "echo 1 >$pdflush/$file"
	fails "... nor can root" sh -c "echo 1 >$pdflush/$file"
done
for file in $readonly_files; do
	fails "$file: root can't write it, either" ./writer sysctl "$vm/$file" 0 5
done
is "nothing has changed" "$(all)" "$start"

# ---- Ratio and bytes: two spellings of one setting

for pair in background async sync; do
	set_vm dirty_${pair}_bytes=5000000
	is "$pair: bytes were written last" "$(get_vm dirty_${pair}_ratio dirty_${pair}_bytes)" \
		"0 5000000"
	set_vm dirty_${pair}_ratio=33
	is "$pair: ratio was written last" "$(get_vm dirty_${pair}_ratio dirty_${pair}_bytes)" \
		"33 0"
done
for name in "" async_; do
	other=async_
	[ -z "$name" ] || other=
	set_vm dirty_${name}ratio=44
	is "dirty_${other}ratio is dirty_${name}ratio" "$(get_vm dirty_${other}ratio)" 44
	set_vm dirty_${name}bytes=6000000
	is "dirty_${other}bytes is dirty_${name}bytes" "$(get_vm dirty_${other}bytes)" 6000000
	is "... and both ratios are 0" "$(get_vm dirty_ratio dirty_async_ratio)" "0 0"
done

# ---- A saved set of files, restored in every order

# permute FIRST... -- REST...: calls try_order with every order of all names
permute() {
	local done=() n
	while [ "$1" != -- ]; do
		done+=("$1")
		shift
	done
	shift
	if (($# == 0)); then
		try_order "${done[@]}"
		return
	fi
	for ((n = 1; n <= $#; n++)); do
		permute "${done[@]}" "${!n}" -- "${@:1:n-1}" "${@:n+1}"
	done
}

declare -A saved=()
tried=0 restored=0 elsewhere=()
try_order() {
	local name value
	set_vm "${elsewhere[@]}"
	for name; do
		echo "${saved[$name]}" >$vm/"$name"
	done
	tried=$((tried + 1))
	for name; do
		read -r value <$vm/"$name"
		[ "$value" = "${saved[$name]}" ] && continue
		((restored < tried - 5)) || diag "order $*: $name is $value, was ${saved[$name]}"
		return
	done
	restored=$((restored + 1))
}

# all_orders NAME HOW_MANY "STATE" "OTHER STATE" FILE...
all_orders() {
	local what=$1 many=$2 state=$3 name
	read -r -a elsewhere <<<"$4"
	shift 4
	# shellcheck disable=SC2086
	set_vm $state
	saved=()
	for name; do
		saved[$name]=$(get_vm "$name")
	done
	tried=0 restored=0
	permute -- "$@"
	is "$what: $many orders are tried" $tried "$many"
	is "... and each brings the state back" $restored "$many"
}

six="dirty_background_ratio dirty_background_bytes dirty_async_ratio dirty_async_bytes"
six="$six dirty_sync_ratio dirty_sync_bytes"
in_ratios="dirty_background_ratio=12 dirty_async_ratio=34 dirty_sync_ratio=56"
in_bytes="dirty_background_bytes=7000000 dirty_async_bytes=8000000 dirty_sync_bytes=9000000"
mixed="dirty_background_bytes=7000001 dirty_async_ratio=77 dirty_sync_bytes=9000001"
# shellcheck disable=SC2086
{
	all_orders "from bytes to ratios" 720 "$in_ratios" "$in_bytes" $six
	all_orders "from ratios to bytes and a ratio" 720 "$mixed" "$in_ratios" $six
	alias="dirty_ratio dirty_bytes dirty_async_ratio dirty_async_bytes"
	all_orders "both names: to a ratio" 24 dirty_ratio=21 dirty_bytes=5000000 $alias
	all_orders "both names: to bytes" 24 dirty_bytes=5000001 dirty_ratio=22 $alias
	all_orders "to a ratio of 0" 24 dirty_ratio=0 dirty_bytes=5000000 $alias
	all_orders "to 0 bytes" 24 "dirty_bytes=1 dirty_bytes=0" dirty_ratio=22 $alias
	limit="nr_pdflush_threads_min nr_pdflush_threads_max"
	all_orders "bounds of the pool, up" 2 "nr_pdflush_threads_min=9 nr_pdflush_threads_max=12" \
		"nr_pdflush_threads_min=1 nr_pdflush_threads_max=2" $limit
	all_orders "bounds of the pool, down" 2 \
		"nr_pdflush_threads_min=1 nr_pdflush_threads_max=2" \
		"nr_pdflush_threads_min=9 nr_pdflush_threads_max=12" $limit
}

# ---- The policy, as a word

is "the policy" "$(get_vm writeback_policy)" ratios
ok "... is one of those available" grep -qw ratios $vm/writeback_available_policies
is "written: taken" "$(put writeback_policy ratios)" 6
is "with a line end" "$(put writeback_policy $'ratios\n')" 7
for word in nope Ratios rati ratiosx "ratios ratios" "" " " ratios,ratios \
	averylongnamethatnopolicymayhave; do
	fails "no policy \"$word\"" ./writer sysctl $vm/writeback_policy 0 "$word"
done
is "the policy is what it was" "$(get_vm writeback_policy)" ratios
done_testing
