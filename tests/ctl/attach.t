#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pdflushctl attach and detach: with a false kernel that goes over when it is told to.
# shellcheck source=tests/ctl/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir "$work/bin"
PATH=$work/bin:$PATH
export work root patch

# The false modprobe: $work/how tells how it goes. It leaves a kernel behind that obeys "enabled".
cat >"$work/bin/modprobe" <<'END'
#!/bin/bash
echo "$0 $*" >>"$work/calls"
[[ $* != *pdflush_trace.ko ]] || exit 0
how=$(cat "$work/how")
case $how in
missing)
	echo "modprobe: FATAL: Module pdflush not found in directory /lib/modules/6.1" >&2
	exit 1
	;;
refused)
	echo "4,1,1,-;pdflush: not loaded: this kernel has no function fly" >>"$root/dev/kmsg"
	echo "modprobe: ERROR: could not insert 'pdflush': No such file or directory" >&2
	exit 1
	;;
esac
exec 9>"$work/lock"
flock 9
mkdir -p "$root/sys/module/pdflush" "$patch"
cp -r "$work/engine" "$root/proc/pdflush"
# Readers never see a file that is half written.
goes_over() {
	echo "$1" >"$work/transition"
	mv "$work/transition" "$patch/transition"
}
goes_over 1
echo 1 >"$patch/enabled"
(
	last=1 over=1
	while [[ -d $patch ]]; do
		now=$(cat "$patch/enabled")
		if [[ $now != "$last" ]]; then
			last=$now over=1
			goes_over 1
		fi
		how=$(cat "$work/how")
		if [[ $now = 1 && $how = *on* && $over = 1 ]]; then
			over=0
			goes_over 0
		elif [[ $now = 0 && $how = *off* ]]; then
			rm -r "$patch" "$root/proc/pdflush"
		fi
		sleep 0.02
	done
) >/dev/null 2>&1 </dev/null &
echo $! >"$work/kernel"
exit 0
END
cat >"$work/bin/rmmod" <<'END'
#!/bin/bash
echo "$0 $*" >>"$work/calls"
[[ ! -d $patch && $(cat "$work/how") != *busy* ]] || {
	echo "rmmod: ERROR: Module pdflush is in use" >&2
	exit 1
}
rm -r "$root/sys/module/pdflush"
END
cp "$work/bin/modprobe" "$work/bin/insmod"
chmod +x "$work/bin"/*

# Ends the false kernel; who holds the lock is it or a child of it.
kernel_ends() {
	[[ ! -e $work/lock ]] || {
		kill "$(cat "$work/kernel")" 2>/dev/null
		flock "$work/lock" rm -f "$work/lock"
	}
	rm -rf "$patch"
}
trap 'kernel_ends; rm -rf "$work"' EXIT

# A machine without the engine, whose kernel behaves so: on, off: goes over, back
stock() {
	kernel_ends
	make_root
	rm -rf "$work/engine"
	mv "$engine" "$work/engine"
	rm -rf "$root/sys/module/pdflush" "$patch" "$work/calls"
	mkdir -p "$root/sys/kernel/livepatch" "$root/sys/module" "$root/dev"
	echo "4,0,0,-;pdflush: not loaded: long ago" >"$root/dev/kmsg"
	echo "$1" >"$work/how"
}

calls() { sed "s,$work/bin/,," "$work/calls" | tr '\n' ';'; }
gone() { [[ ! -e $patch && ! -e $root/sys/module/pdflush ]]; }
attached() { [[ $(cat "$patch/enabled" "$patch/transition") == $'1\n0' ]]; }

stock "on off"
ok "attach" prints "^attached$" "$ctl" attach
ok "... it is" attached
ok "... by modprobe" is "$(calls)" "modprobe pdflush;"
ok "again: it is already" prints "^attached already$" "$ctl" attach
ok "... and parameters are refused" fails_with 1 "attached already: parameters are of no use" \
	"$ctl" attach async=5
ok "detach" prints "^detached$" "$ctl" detach
ok "... nothing is left" gone
ok "again: there is nothing" fails_with 3 "nothing to detach" "$ctl" detach

stock "on off"
ok "with parameters" prints "^attached$" "$ctl" attach async=30 policy=ratios
ok "... which modprobe gets" is "$(calls)" "modprobe pdflush async=30 policy=ratios;"
stock "on off"
touch "$work/pdflush.ko" "$work/pdflush_trace.ko"
ok "a module file" prints "^attached$" "$ctl" attach --module "$work/pdflush.ko"
ok "... by insmod, the tracepoints first" is "$(calls)" \
	"insmod $work/pdflush_trace.ko;insmod $work/pdflush.ko;"
ok "a file that is not there" fails_with 1 "cannot read .*/no.ko: make builds it" \
	"$ctl" attach -m "$work/no.ko"

# ---- Refused

stock missing
ok "no module: what modprobe said" fails_with 1 \
	"Module pdflush not found.*; pdflushctl doctor tells what may be missing" "$ctl" attach
stock refused
ok "the kernel refuses: why, by its log" fails_with 1 \
	"the engine refused: this kernel has no function fly$" "$ctl" attach
ok "... nothing is left" gone
rm "$work/bin/modprobe"
stock on
ok "no modprobe at all" fails_with 1 "cannot run modprobe|no_modprobe" \
	env PATH="$work/none" "$ctl" attach
cp "$work/bin/insmod" "$work/bin/modprobe"

# ---- Gives up

stock "off"
make_task 77 dd D 0 '[<0>] io_schedule+0x46/0x80
[<0>] wbt_wait+0x20/0x40' 0
make_task 78 bash S 0 '[<0>] do_wait+0x46/0x80' 1
ok "attach gives up: status 4" gives 4 "$ctl" attach --timeout 1.5
ok "... says who held it up, and where" grep -qE "waiting for dd \(77\) in wbt_wait$" "$work/err"
not_bash() { ! grep bash "$work/err"; }
ok "... only him" not_bash
ok "... and what is now" grep -q "gave up (not all tasks came over); the stock engine is in force" \
	"$work/err"
ok "... nothing is left" gone
ok "... and the module was removed" is "$(calls)" "modprobe pdflush;rmmod pdflush;"

stock "off"
interrupted() {
	local status
	"$ctl" attach >"$work/out" 2>"$work/err" &
	for ((n = 0; n < 500; n++)); do
		[[ ! -e $patch/enabled ]] || break
		sleep 0.02
	done
	sleep 0.3
	kill -TERM $!
	wait $!
	status=$?
	[[ $status == 4 ]] && gone && return
	cat "$work/err"
	echo "status $status"
	return 1
}
ok "attach interrupted: status 4, nothing is left" interrupted
ok "... and says so" grep -q "gave up (interrupted)" "$work/err"

stock ""
ok "neither on nor back: status 4" gives 4 "$ctl" attach --timeout 0.3
ok "... and says so" grep -q "still on the way back.*end with: pdflushctl detach" "$work/err"
echo off >"$work/how"
ok "... detach ends it" prints "^detached$" "$ctl" detach
ok "... nothing is left" gone

stock "on"
"$ctl" attach >/dev/null
make_task 77 dd D 0 '[<0>] balance_dirty_pages+0x46/0x80' 1
ok "detach gives up: status 4" gives 4 "$ctl" detach --timeout 1.5
ok "... says who held it up" grep -qE "waiting for dd \(77\) in balance_dirty_pages$" "$work/err"
ok "... the engine stays" grep -q "the engine is in force, as before" "$work/err"
ok "... in force" attached
ok "... and the module was left alone" is "$(calls)" "modprobe pdflush;"
echo "on off busy" >"$work/how"
ok "a module that stays in use: status 4" fails_with 4 \
	"stock engine is in force, but the module stays: .*in use" "$ctl" detach -t 0.5
echo "on off" >"$work/how"
ok "... detach again" prints "^detached$" "$ctl" detach
ok "... nothing is left" gone
mkdir -p "$root/sys/module/pdflush"
ok "attach removes a module that was switched off" prints "^attached$" "$ctl" attach
stock "on off"
mkdir -p "$patch"
echo 0 >"$patch/enabled"
echo 1 >"$patch/transition"
ok "attach while it is being detached" fails_with 1 "being detached; end that first" "$ctl" attach
done_testing
