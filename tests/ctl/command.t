#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The command line of pdflushctl: help, what is wrong is told in one line, the manual, completion.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

verbs="status top watch attach detach profile trace metrics doctor"
make_root

usage() { fails_with 2 "$@"; }

helps() {
	prints "^pdflushctl $1" "$ctl" "$1" --help && cp "$work/out" "$work/help" &&
		gives 0 "$ctl" help "$1" && cmp "$work/help" "$work/out" &&
		grep -q "Exit status:" "$work/out" && [[ ! -s $work/err ]]
}

narrow() { awk 'length > 96 { print; bad = 1 } END { exit bad }' "$work/help"; }

ok "no verb" usage "a verb is wanted" "$ctl"
ok "unknown verb" usage "there is no verb fly" "$ctl" fly
ok "help for an unknown verb" usage "there is no verb fly" "$ctl" help fly
ok "help" prints "^    status " "$ctl" --help
ok "help, the word" prints "^    status " "$ctl" help
for verb in $verbs; do
	ok "$verb: in the help" prints "^    $verb +[a-z]" "$ctl" --help
	ok "$verb --help" helps "$verb"
	ok "$verb --help is narrow" narrow
	ok "$verb: unknown option" usage "there is no option --fly; see pdflushctl $verb" \
		"$ctl" "$verb" --fly
	ok "$verb: unknown letter" usage "there is no option -Z" "$ctl" "$verb" -Z
done
for verb in status top watch detach trace metrics doctor; do
	ok "$verb: a word too many" usage "is one word too many" \
		"$ctl" "$verb" 1 b
done
ok "an option without its value" usage "(--count|-n) wants a value" "$ctl" watch --count
ok "watch: no count" usage "whole number from 1 on, not 0" "$ctl" watch -n 0
ok "watch: no interval" usage "interval is seconds.*not -?x" "$ctl" watch x
ok "watch: an interval of nothing" usage "interval is seconds" "$ctl" watch 0
ok "attach: no time" usage "--timeout wants seconds.*not soon" "$ctl" attach --timeout soon
ok "attach: no parameter" usage "fast is no NAME=VALUE" "$ctl" attach fast
ok "profile: nothing to do" usage "list, or show, apply or save" "$ctl" profile
ok "profile apply: no name" usage "list, or show" "$ctl" profile apply
ok "profile list: no name" usage "list, or show" "$ctl" profile list x
ok "profile: --force is not for apply" usage "--force is for save" "$ctl" profile apply -f x
ok "trace: no process" usage "--pid wants a whole number" "$ctl" trace --pid dd

print_to_full() { "$ctl" status >/dev/full; }
full() { fails_with 1 "cannot write what is to be shown" print_to_full; }
ok "a full disk is a failure" full

if [[ $(id -u) == 0 ]]; then
	for verb in attach detach; do
		ok "$verb is root's" fails_with 1 "only root.*sudo pdflushctl $verb" \
			as_nobody env -u PDFLUSHCTL_ROOT "$ctl" $verb
	done
	ok "trace is root's" fails_with 1 "only root" as_nobody "$ctl" trace
	ok "profile apply is root's" fails_with 1 "only root" \
		as_nobody "$ctl" profile apply akpm
else
	nr=$((nr + 1))
	echo "ok $nr # SKIP who is not root cannot be somebody else"
fi

rm -r "$engine"
for verb in top watch trace "profile apply akpm" "profile save mine"; do
	# shellcheck disable=SC2086
	ok "$verb without the engine: status 3" fails_with 3 "the engine is not loaded" \
		"$ctl" $verb
done

manual() {
	local output
	# what else is installed is not its fault
	output=$(mandoc -T lint tools/pdflushctl/pdflushctl.8 2>&1 | grep -F pdflushctl.8:) ||
		return 0
	echo "$output"
	return 1
}
in_manual() { grep -qE "^\.(Cm|It Cm|Ss) .*\b$1\b" tools/pdflushctl/pdflushctl.8; }
long_options() {
	"$ctl" "$1" --help | grep -oE '^ +(-[a-z], | +)--[a-z-]+' | grep -oE '[a-z-]{3,}$'
}
options_in_manual() {
	local option
	for option in $(long_options "$1"); do
		option=${option#--}
		grep -qE "Fl -${option}( |$)" tools/pdflushctl/pdflushctl.8 ||
			{ echo "$option"; return 1; }
	done
}

# completes LINE WORD: is WORD offered at the end of LINE?
completes() {
	local words
	# shellcheck disable=SC2016
	words=$(PATH=$PWD/build:$PATH bash -c '. tools/pdflushctl/pdflushctl.bash-completion
		read -r -a COMP_WORDS <<<"$1"; [[ $1 != *" " ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1}
		_pdflushctl pdflushctl "${COMP_WORDS[COMP_CWORD]}"
		printf "%s\n" "${COMPREPLY[@]}"' - "$1")
	grep -qx -- "$2" <<<"$words" || { echo "$words"; return 1; }
}

ok "the manual is clean" manual
for verb in $verbs; do
	ok "$verb is in the manual" in_manual "$verb"
	ok "$verb: its options are in the manual" options_in_manual "$verb"
	ok "$verb is completed" completes "pdflushctl ${verb:0:3}" "$verb"
done
ok "options are completed" completes "pdflushctl status --j" --json
ok "... of attach" completes "pdflushctl attach --t" --timeout
ok "profile's words are completed" completes "pdflushctl profile sh" show
ok "profiles are completed" completes "pdflushctl profile apply ak" akpm
done_testing
