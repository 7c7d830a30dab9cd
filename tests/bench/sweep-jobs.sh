# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# sweep-jobs.sh: guests that run one beside the other, on this machine or on many, and can be
# stopped and gone on with; for sweep, feel and clients, which stand in the top folder and have
# named a folder in $out.
#
#	parse_job_option OPTION VALUE	--jobs and --sshlogin; false: not one of these
#	same_options KEY=VALUE...	what $out has results of; other options end it all
#	add_job NAME OPTIONS WORDS	see sweep-job
#	run_jobs			all of them that have not been run
#	figure NAME WHAT		a figure of a job that has ended
#
# A job that has ended leaves $out/cells/NAME. That file is written beside and renamed: it is all
# there or not there. Another machine needs the same commit at the same path, with `make deps` done;
# what its guests say comes back on ssh's standard output.

: "${out:?}"
export LC_ALL=C

at_once=100%
machines=
job_pid=
jobs_file=$out/jobs
declare -A is_waiting=()
failed_jobs=()

say() { printf '%s\n' "$*" >&2; }

die() {
	say "${0##*/}: $*"
	exit 2
}

minutes() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

parse_job_option() {
	case $1 in
	--jobs)
		[[ $2 =~ ^[1-9][0-9]*%?$ ]] || die "--jobs: not a number: $2"
		at_once=$2
		;;
	--sshlogin)
		[[ -n $2 ]] || die "--sshlogin: no machines"
		machines=$2
		;;
	*) return 1 ;;
	esac
}

# Results of two engines are not to stand in one table.
sources_of_engine() {
	find mm kernel sysctl include -name '*.[ch]' -print0 | sort -z | xargs -0 cat |
		sha256sum | cut -c1-12
}

same_options() {
	local pair was now file=$out/options
	set -- "$@" "engine-source=$(sources_of_engine)"
	mkdir -p "$out/cells"
	if [[ -e $file ]]; then
		now=$(printf '%s\n' "$@")
		was=$(grep -vxF -m 1 -e "$now" "$file") || true
		pair=$(grep -vxF -m 1 -f "$file" <<<"$now") || true
		[[ -n $was$pair ]] || return 0
		pair=$(printf '%s\n' "$@" | grep -m 1 "^${was%%=*}=") || pair="${was%%=*}=none"
		die "$out has results with ${was:-no ${pair%%=*}}, now it is ${pair#*=}:" \
			"remove it or name another folder with --out"
	fi
	printf '%s\n' "$@" >"$file.part"
	mv "$file.part" "$file"
}

add_job() {
	[[ ! -e $out/cells/$1 ]] || return 0
	is_waiting[$1]=yes
	printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$jobs_file"
}

# figure NAME WHAT: a result, or WHAT=PROBE:COLUMN of a probe
figure() {
	case $2 in
	*:*)
		awk -v probe="${2%:*}" -v column="${2#*:}" \
			'$1 == "probe" && $2 == probe { print $(column + 2) }' "$out/cells/$1"
		;;
	*) awk -v name="$2" '$1 == "result" && $2 == name { print $3 }' "$out/cells/$1" ;;
	esac
}

stop_jobs() {
	[[ -n $job_pid ]] || return 0
	# once: start no more; twice: end what runs
	kill -TERM "$job_pid" 2>/dev/null || true
	sleep 0.2
	kill -TERM "$job_pid" 2>/dev/null || true
	wait "$job_pid" 2>/dev/null || true
	job_pid=
}

trap stop_jobs EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A job's line: NAME KEY REST
take_line() {
	local name key rest
	read -r name key rest <<<"$1"
	[[ -n ${is_waiting[$name]:-} ]] || return 0
	case $key in
	result | probe | sample) echo "$key $rest" >>"$out/cells/.$name" ;;
	end)
		mv "$out/cells/.$name" "$out/cells/$name"
		ended=$((ended + 1))
		say "$(progress) $name: $(what_it_was "$name")"
		;;
	failed)
		failed_jobs+=("$name")
		say "$(progress) $name: FAILED: $rest"
		;;
	refused) die "$rest" ;;
	esac
}

# Of what is said at a job's end; others may say something else.
what_it_was() { printf '%.1f MB/s' "$(figure "$1" throughput_mbs)"; }

progress() {
	local left=$((${#is_waiting[@]} - ended - ${#failed_jobs[@]}))
	local done=$((ended + ${#failed_jobs[@]}))
	printf '[%s/%s, %s' $done ${#is_waiting[@]} "$(minutes $SECONDS)"
	((done == 0 || left == 0)) || printf ', %s to go' "$(minutes $((SECONDS * left / done)))"
	printf ']'
}

run_jobs() {
	local line='' part status=0 ended=0 fifo=$out/said
	local -a parallel
	((${#is_waiting[@]})) || return 0
	rm -f "$out"/cells/.[a-z]* "$fifo"
	mkfifo "$fifo"
	parallel=(parallel --will-cite --colsep '\t' --jobs "$at_once" --halt "soon,fail=3"
		--termseq "TERM,5000,KILL,25")
	[[ -z $machines ]] || parallel+=(--sshlogin "$machines" --workdir "$PWD")
	say "$(progress) guests, $at_once at once${machines:+ on each of $machines}"
	"${parallel[@]}" tests/bench/sweep-job '{1}' '{2}' '{3}' <"$jobs_file" >"$fifo" &
	job_pid=$!
	exec 7<"$fifo"
	rm -f "$fifo" "$jobs_file"
	# a trap is run when read gives up
	while :; do
		if IFS= read -r -t 1 -u 7 part; then
			take_line "$line$part"
			line=
		else
			(($? > 128)) || break
			line+=$part
			[[ ! -t 2 ]] || printf '\r%s ' "$(progress)" >&2
		fi
	done
	wait $job_pid || status=$?
	job_pid=
	exec 7<&-
	((ended + ${#failed_jobs[@]} == ${#is_waiting[@]})) ||
		die "stopped (status $status) with $ended of ${#is_waiting[@]} guests done;" \
			"the same command goes on from here"
}
