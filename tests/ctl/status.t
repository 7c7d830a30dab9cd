#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl status: figures, JSON, warnings, no root needed.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

status() { "$ctl" status; }
json() { "$ctl" status --json | jq -e -c "$1"; }

# warns ID: it is among the warnings
warns() { json ".warnings | map(.id) | index(\"$1\") != null" >/dev/null || {
	json .warnings
	return 1
}; }

# silent ID
silent() { ! warns "$1" >/dev/null; }

make_root
ok "a table" prints "^pdflush +attached; policy ratios of: ratios bdflush$" status
ok "thresholds asked for and in force, in %, MB and seconds of both disks" \
	prints "^background +10 % +10\.0 % +78\.1 MB +741 ms$" status
ok "... sync" prints "^sync +50 % +50\.0 % +391 MB +3\.70 s$" status
ok "dirty memory" prints "^dirty now +6\.4 % +50\.0 MB +474 ms$" status
ok "devices with rates and threads" prints "^sda +40\.0 MB +4\.0 MB +100 MB/s +512$" status
ok "... one without a thread" prints "^sdb +10\.0 MB +1\.0 MB +5\.0 MB/s +-$" status
ok "the pool" prints "^Pool +2 threads, 1 at work; 2 to 8; 3 born, 1 died$" status
ok "stalls" prints "^Held +writers were held 34 times, 2\.50 s in all, at most 180 ms$" status
ok "old data" \
	prints "^Old data +is written when it is 30\.0 s old; looked for every 5\.00 s$" status
ok "within 80 columns" awk 'length > 80 { print; bad = 1 } END { exit bad }' "$work/out"
ok "nothing to warn of" is "$(json .warnings)" "[]"
ok "anybody may look" gives 0 as_nobody "$ctl" status --json

ok "JSON: state" is "$(json '[.loaded, .attached, .policy, .policies]')" \
	'[true,true,"ratios",["ratios","bdflush"]]'
ok "JSON: settings" is "$(json '.settings | [.dirty_sync_ratio, .dirty_expire_centisecs]')" \
	'[50,3000]'
ok "JSON: thresholds" is \
	"$(json '.thresholds | [.background.bytes, .async.bytes, .sync.bytes, .sync.percent]')" \
	'[81920000,327680000,409600000,50]'
ok "JSON: seconds" is "$(json '.thresholds.background.seconds * 1000 | floor')" 740
ok "JSON: memory" is "$(json '.memory | [.dirtyable_bytes, .dirty_bytes, .writeback_bytes]')" \
	'[819200000,52428800,5242880]'
ok "JSON: devices" is \
	"$(json '.devices | map([.name, .dirty_bytes, .write_bytes_per_second, .thread])')" \
	'[["sda",41943040,105381888,512],["sdb",10485760,5242880,null]]'
ok "JSON: pool" is "$(json '.pool | [.threads, .idle, .born, .operations_refused]')" '[2,1,3,2]'
ok "JSON: verdicts" is "$(json '.verdicts | [.nothing, .kick, .pace, .wait]')" '[1000,200,30,4]'
ok "JSON: stalls" is \
	"$(json '.stalls | [.count, .total_ms, .max_ms, .held_now, (.histogram | length)]')" \
	'[34,2500,180,0,6]'
ok "JSON: written" is "$(json '.written | [.pdflush_bytes, .kupdate_bytes, .others_bytes]')" \
	'[104857600,10485760,1048576]'

# ---- Warnings

set_vm dirty_async_ratio=80
set_stats async_thresh=100000
ok "a threshold pulled down" prints \
	"^! The async threshold asks for 625 MB but is pulled down to 391 MB" status
make_root
set_vm dirty_async_ratio=0 dirty_async_bytes=9000000000 dirty_sync_ratio=0 \
	dirty_sync_bytes=9000000000
set_stats async_thresh=200000 sync_thresh=200000
ok "more than there is" prints "^! The sync threshold asks for 8.4 GB; only 781 MB may" status
ok "asked for in bytes" prints "^sync +8\.4 GB +100\.0 %" status
make_root
set_vm dirty_writeback_centisecs=0
ok "old data off" warns old_data_off
ok "... and in the table" prints "^Old data +is not looked for$" status
set_vm dirty_writeback_centisecs=500 dirty_expire_centisecs=360000
ok "old data late" prints "for 60 minutes: dirty_expire_centisecs is 360000" status
make_root
set_vm laptop_mode=5
ok "laptop mode" warns laptop_mode
make_root
put /proc/pdflush/devices "device dirty writeback write_MB/s thread
sda 1000 0 200.00 -
sdb 60000 300 5.00 513"
set_stats dirty=61000 writeback=300
ok "a stick that holds half of dirty memory" prints \
	"^! sdb, a slow device, holds half of dirty memory or more: 236 MB, 47\.1 s to write" status
put /proc/pdflush/devices "device dirty writeback write_MB/s thread
sdb 90000 0 5.00 513"
set_stats dirty=90000 writeback=0
ok "a device that needs long" warns long_to_write
ok "writers are paced" warns writers_paced
set_stats dirty=120000
ok "writers wait" warns writers_wait
make_root
set_stats threads=8 threads_idle=0
ok "the pool at its maximum" warns pool_at_max
set_stats threads_idle=1
ok "... not with an idle thread" silent pool_at_max
set_stats held=3
ok "writers held now" prints "^! 3 writers are held at this moment" status
make_root
put /sys/kernel/livepatch/kpatch_cve/enabled 1
ok "another livepatch" prints "^! Another livepatch is in place: kpatch_cve\." status
rm -r "$patch"
ok "replaced" warns replaced
ok "... so not attached" is "$(json .attached)" false
make_root
put /sys/kernel/livepatch/pdflush/transition 1
make_task 77 dd D 0 '[<0>] io_schedule+0x46/0x80
[<0>] wbt_wait+0x20/0x40' 0
ok "on its way: who is not with us yet" prints \
	"^! The engine is being attached: tasks .*: dd \(77\) in wbt_wait\." status

# ---- Other engines: more lines and columns, fewer

make_root
echo "new_name 5" >>"$engine/stats"
put /proc/pdflush/devices "device new dirty writeback write_MB/s thread
sda 7 10240 1024 100.50 512"
ok "columns go by their names" is "$(json '.devices[0].dirty_bytes')" 41943040
sed -i '/^held/d' "$engine/stats"
ok "an engine that does not count who is held" is "$(json '.stalls.held_now == null')" true
put /proc/pdflush/devices "device dirty writeback write_MB/s thread"
ok "no device: no seconds" is "$(json '.thresholds.sync.seconds == null')" true
ok "... and in the table" prints "^No device has dirty data\.$" status
set_vm writeback_policy=bdflush bdflush=$'30\t500\t0\t0\t500\t3000\t60\t20\t0'
ok "bdflush: its nine numbers" prints "^bdflush +30 500 0 0 500 3000 60 20 0$" status
ok "... not ratios that are not in force" prints "^sync +- +50\.0 %" status

rm -r "$engine"
ok "not loaded: status 3, one line" fails_with 3 "not loaded; load it with: pdflushctl attach" \
	"$ctl" status
"$ctl" status --json >"$work/out" 2>"$work/err"
ok "... and JSON that says so" is "$(jq -c . "$work/out")" '{"loaded":false}'
done_testing
