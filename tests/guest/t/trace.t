#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: tracepoints, with their module loaded before the engine and after it
# guest: --engine off --mem 192M --disk 256M,rate=20,fs=ext4
# helpers: writer pdflush.ko pdflush_trace.ko
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

tracing=/sys/kernel/tracing
events="pdflush_verdict pdflush_release pdflush_job_start pdflush_job_end pdflush_writeout_start
	pdflush_writeout_end pdflush_birth pdflush_death"

count() { grep -c " $1: " $tracing/trace; }

insmod /root/pdflush_trace.ko
for event in $events; do
	ok "event $event" [ -e "$tracing/events/pdflush/$event/format" ]
done
echo 1 >$tracing/events/pdflush/enable
# shellcheck disable=SC2119
attach
between "births are seen" "$(count pdflush_birth)" 2 2
./writer write /mnt/0/file 100 1 >/dev/null
for event in pdflush_verdict pdflush_release pdflush_job_start pdflush_writeout_start; do
	ok "$event is seen" [ "$(count $event)" -gt 0 ]
done
ok "verdicts say what and where" grep -Eq 'pdflush_verdict: bdi [0-9:]+: pace dirty=[0-9]+' $tracing/trace
ok "jobs have names" grep -q 'pdflush_job_start: wb_device_work' $tracing/trace
fails "no addresses" grep -Eq 'ffff[0-9a-f]{12}' $tracing/trace
echo 0 >$tracing/tracing_on
held=$(awk 'NR > 1 { sum += $2 } END { print sum }' $pdflush/stalls)
is "every stall has its release" "$(count pdflush_release)" "$held"
echo 1 >$tracing/tracing_on
start_detach
ok "detach" end_detach
ok "deaths are seen" [ "$(count pdflush_death)" -ge 2 ]
is "each birth has its death" "$(count pdflush_death)" "$(count pdflush_birth)"
is "each job that began has ended" "$(count pdflush_job_end)" "$(count pdflush_job_start)"
ok "the tracepoints' module goes by itself" rmmod pdflush_trace

# shellcheck disable=SC2119
attach
insmod /root/pdflush_trace.ko
echo 1 >$tracing/events/pdflush/enable
sleep 6
echo >$tracing/trace
./writer write /mnt/0/file 20 2 >/dev/null
ok "loaded after the engine, it is found" [ "$(count pdflush_verdict)" -gt 0 ]
start_detach
ok "detach again" end_detach
done_testing
