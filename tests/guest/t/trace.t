#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: tracepoints, by a module loaded before the engine or after
# guest: --engine off --mem 160M --disk 64M,rate=10,fs=ext2
# helpers: pdflush.ko pdflush_trace.ko writer
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

tracing=/sys/kernel/tracing
events=$tracing/events/pdflush

# events_of EVENT: how many were recorded
events_of() { grep -c " pdflush_$1: " $tracing/trace; }

record() {
	echo >$tracing/trace
	echo "$1" >$events/enable
}

# All of them: a writer far over the thresholds, births and deaths
exercise() {
	thresholds 2 4 6
	set_vm nr_pdflush_threads_min=4
	./writer write /mnt/0/file 15 1 >/dev/null
	./writer write /mnt/0/file 15 2 >/dev/null
	set_vm nr_pdflush_threads_min=1 nr_pdflush_threads_max=1
	wait_until 20 at_most 2 stats threads
	set_vm nr_pdflush_threads_min=2 nr_pdflush_threads_max=8
	sleep 2
}

ok "the module of tracepoints loads first" insmod pdflush_trace.ko
# shellcheck disable=SC2119
ok "then the engine" attach
fails "it is held by the engine" rmmod pdflush_trace
for event in verdict balance_dirty_pages release job_start job_end writeout_start writeout_end \
	birth death; do
	ok "tracefs has pdflush_$event" [ -d "$events/pdflush_$event" ]
done
read -r n k p w jobs born died <<<"$(stats verdict_nothing verdict_kick verdict_pace verdict_wait \
	operations threads_born threads_died)"
record 1
exercise
record_end=$(stats verdict_nothing verdict_kick verdict_pace verdict_wait operations threads_born \
	threads_died)
echo 0 >$events/enable
read -r n2 k2 p2 w2 jobs2 born2 died2 <<<"$record_end"
is "a verdict each" "$(events_of verdict)" $((n2 + k2 + p2 + w2 - n - k - p - w))
is "... of its kind: pace" "$(grep -c 'pdflush_verdict: .* pace ' $tracing/trace)" $((p2 - p))
ok "sleeps are seen, with fields as the kernel's own event names them" \
	[ "$(events_of balance_dirty_pages)" -ge "$(events_of release)" ]
fields_of() {
	gawk '$1 ~ /^field:/ { sub(/;.*/, ""); sub(/\[.*/, ""); print $NF }' "$1/format" | sort
}
is "... all of them" "$(fields_of $events/pdflush_balance_dirty_pages)" \
	"$(fields_of ${events%/*}/writeback/balance_dirty_pages)"
is "... which are what they should be" "$(grep -m1 'pdflush_balance_dirty_pages: ' $tracing/trace |
	grep -oE ' (limit|setpoint|dirty|pause)=[1-9][0-9]*' | wc -l)" 4
is "a release for each that was held" "$(events_of release)" $((p2 + w2 - p - w))
between "a start of each job" "$(events_of job_start)" $((jobs2 - jobs)) $((jobs2 - jobs + 2))
between "... and an end" "$(events_of job_end)" $(($(events_of job_start) - 1)) \
	"$(events_of job_start)"
ok "the disk was written" [ "$(events_of writeout_start)" -gt 0 ]
is "... by starts and ends" "$(events_of writeout_end)" "$(events_of writeout_start)"
is "births" "$(events_of birth)" $((born2 - born))
is "deaths" "$(events_of death)" $((died2 - died))
ok "births were there" [ $((born2 - born)) -ge 2 ]
is "jobs start and end in turn, in each thread" "$(
	grep -E ' pdflush_job_(start|end): ' $tracing/trace | sed 's/^ *//' | sort -s -k1,1 |
		while read -r who _ _ _ what _; do
			[ "$what" != "$last_what" ] || [ "$who" != "$last_who" ] ||
				echo "$who $what twice"
			last_who=$who last_what=$what
		done
)" ""
ok "a verdict tells the disk and the counts" \
	grep -qE 'pdflush_verdict: bdi [0-9a-z:]+: (kick|pace|wait) dirty=[0-9]+ writeback=' \
	$tracing/trace

ok "jobs have names" grep -q 'pdflush_job_start: wb_device_work' $tracing/trace
fails "... and no addresses are told" grep -Eq 'ffff[0-9a-f]{12}' $tracing/trace
ok "detach" detach
ok "then it can be removed" rmmod pdflush_trace
ok "... and is gone from tracefs" [ ! -d $events ]

# shellcheck disable=SC2119
ok "the engine alone" attach
exercise
ok "loaded for a running engine" insmod pdflush_trace.ko
sleep 6
record 1
exercise
echo 0 >$events/enable
ok "... it sees verdicts, too" [ "$(events_of verdict)" -gt 0 ]
ok "... and jobs" [ "$(events_of job_start)" -gt 0 ]
detach
# from birth to death
record 1
# shellcheck disable=SC2119
attach
thresholds 2 4 6
./writer forever /mnt/0/file 30 2>/dev/null &
sleep 2
ok "detach while it records" detach
echo 0 >$events/enable
ok "births are seen from the first on" [ "$(events_of birth)" -ge 2 ]
is "each birth has its death" "$(events_of death)" "$(events_of birth)"
is "each job has its end" "$(events_of job_end)" "$(events_of job_start)"
ok "then it can be removed" rmmod pdflush_trace
kill -9 $!
done_testing
