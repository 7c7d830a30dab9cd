# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What demo and bench have in common: guests that run two at a time, and their progress.
#
# For scripts that stand in the top folder, have named a folder in $out, and have a function
# start_run NAME that becomes a run. Its standard output goes to $out/NAME.txt, where lines of
# "progress PERCENT" tell how far it is.

export LC_ALL=C
: "${out:?}"

AT_ONCE=${AT_ONCE:-2}
declare -A pid_of=() begun_at=() shown_at=()
failed_runs=()

say() { printf '%s\n' "$*" >&2; }

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

percent_of() {
	local percent
	percent=$(sed -n 's/^progress //p' "$out/$1.txt" | tail -n 1)
	echo "${percent:-0}"
}

# On a terminal one line that is written again and again, elsewhere one at each quarter.
show_progress() {
	local name percent line=''
	for name in "${!pid_of[@]}"; do
		percent=$(percent_of "$name")
		line+="  $name $percent %, $(minutes $((SECONDS - begun_at[$name])))"
		if [[ ! -t 2 ]] && ((percent / 25 > shown_at[$name])); then
			say "$name: $percent % after $(minutes $((SECONDS - begun_at[$name])))"
			shown_at[$name]=$((percent / 25))
		fi
	done
	[[ ! -t 2 ]] || printf '\r\e[K%s:%s' "$(minutes $SECONDS)" "$line" >&2
}

reap_runs() {
	local name status
	for name in "${!pid_of[@]}"; do
		kill -0 "${pid_of[$name]}" 2>/dev/null && continue
		status=0
		wait "${pid_of[$name]}" || status=$?
		unset "pid_of[$name]"
		[[ ! -t 2 ]] || printf '\r\e[K' >&2
		if ((status)); then
			say "$name: FAILED (status $status), see $out/$name.err"
			sed 's/^/    /' "$out/$name.err" | tail -n 5 >&2
			failed_runs+=("$name")
		else
			say "$name: done after $(minutes $((SECONDS - begun_at[$name])))"
		fi
	done
}

# run_all NAME...: all of them, AT_ONCE at a time
run_all() {
	while (($# || ${#pid_of[@]})); do
		while (($# && ${#pid_of[@]} < AT_ONCE)); do
			start_run "$1" >"$out/$1.txt" 2>"$out/$1.err" &
			pid_of[$1]=$!
			begun_at[$1]=$SECONDS
			shown_at[$1]=0
			shift
		done
		sleep 0.5
		show_progress
		reap_runs
	done
}

# Runs end with us.
stop_runs() {
	((${#pid_of[@]} == 0)) || kill "${pid_of[@]}" 2>/dev/null || true
	wait

}

# build_helper NAME: NAME.c, static, as the guest's libraries are another matter
build_helper() {
	cc -static -O2 -Wall -Wextra -Werror -pthread -o "$out/$1" "tests/bench/$1.c"
}

trap stop_runs EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
