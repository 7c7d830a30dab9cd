# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# feel-probes.sh: what a person at the machine would feel, in the guest. Four probes, each of which
# does a small thing, waits a tenth of a second (the append a fifth) and does it again:
#
#	read	reads 4 KB of a file that is not in memory
#	write	writes 4 KB to a file of its own
#	append	appends 4 KB to a log and has them on disk before it goes on (O_SYNC: write and
#		fsync in one call, so that one figure has both)
#	exec	forks and runs a program that stands on the disk
#
# They wait after each: a stall is one wait that was long, as for a person, and not made good by
# a burst of short ones. Few enough to be a small part of what the disk does.

_probes=/run/feel
_fio_pid='' _exec_pid=''
COLD_FILE_MB=64

# A file on the disk with nothing of it in memory; each of its blocks is read at most once.
prepare_probes() {
	local rate seek
	mkdir -p $_probes
	rate=$(disk 0 rate)
	seek=$(disk 0 seek_ms)
	disk 0 rate 0
	disk 0 seek_ms 0
	dd if=/dev/zero of="$1/feel.cold" bs=1M count=$COLD_FILE_MB oflag=direct status=none
	cp feel-exec "$1/feel.program"
	sync
	disk 0 rate "$rate"
	disk 0 seek_ms "$seek"
}

# fio's log has each latency, so that percentiles are exact.
start_probes() {
	cat >$_probes/job <<-END
		[global]
		directory=$1
		ioengine=psync
		bs=4k
		fallocate=none
		thinktime=100000
		time_based
		runtime=3600
		thread
		disable_clat=1
		disable_slat=1
		[read]
		filename=feel.cold
		rw=randread
		size=${COLD_FILE_MB}m
		write_lat_log=$_probes/read
		[write]
		filename=feel.write
		rw=write
		size=16m
		write_lat_log=$_probes/write
		[append]
		filename=feel.append
		rw=write
		file_append=1
		sync=1
		size=16m
		thinktime=200000
		write_lat_log=$_probes/append
	END
	fio $_probes/job --output=$_probes/said >/dev/null &
	_fio_pid=$!
	./feel-exec 100 "$1/feel.program" >$_probes/exec_lat.4.log &
	_exec_pid=$!
	# until the tools are in memory
	sleep 2
}

# stop_probes MS: prints what was felt, without the first MS ms. A wait that has not ended yet
# counts when it has.
stop_probes() {
	local probe from=$(($1 + 2000))
	kill -INT "$_fio_pid"
	wait "$_fio_pid" || true
	kill "$_exec_pid"
	wait "$_exec_pid" || true
	for probe in read write append exec; do
		sort -t, -n -k2 $_probes/${probe}_lat.*.log |
			gawk -F', *' -v probe=$probe -v from=$from '
			$1 >= from { ms[++n] = $2 / 1e6 }
			function rank(percent,	r) {
				r = int(n * percent / 100)
				return ms[r < n * percent / 100 ? r + 1 : r]
			}
			END {
				if (n)
					printf "probe %s %d %.3f %.3f %.3f\n", probe, n, rank(50),
						rank(99), ms[n]
			}'
	done | tee $_probes/felt
	[ "$(wc -l <$_probes/felt)" = 4 ] || {
		cat $_probes/said >&2
		return 1
	}
	gawk '$5 > feel { feel = $5 } END { print "result feel_ms", feel }' $_probes/felt
}
