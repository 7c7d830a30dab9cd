#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the sources make, the pages name: files, figures, parameters, tracepoints, settings.
# shellcheck source=tests/sim/lib.sh
. "$(dirname "$0")/../sim/lib.sh"

guide=Documentation/admin-guide.rst
page=Documentation/man/pdflush.4

# Texts in quotes on standard input
quoted() { grep -o '"[a-z0-9_.-]*"' | tr -d '"'; }

vm_files() { grep -hE 'NEW_FILE\("|procname = "' sysctl/*.c | quoted; }
proc_files() { grep -h 'proc_create_single("' sysctl/*.c | quoted; }
stats() { grep -hE 'show\(m, "|\] = "verdict_' sysctl/proc-pdflush.c | quoted; }
parameters() { grep -rhoP '^module_param(_cb)?\(\K\w+' mm kernel sysctl; }
events() {
	grep -hoP '^(TRACE_EVENT\(|DEFINE_EVENT\(\w+, )\K\w+' include/trace/events/pdflush.h
}
policies() { grep -h '^	\.name = "' mm/page-writeback/*.c | quoted; }
operations() {
	sed -n '/^struct wb_policy {/,/^}/p' include/linux/page-writeback.h |
		grep -oP '(\(\*\K\w+(?=\)\()|\b\w+(?=;))' | grep -vx list
}
snapshot() {
	sed -n '/^struct wb_snapshot {/,/^}/p' include/linux/page-writeback.h |
		grep -oP '\b\w+(?=(\[\w+\])?;)'
}
settings() {
	grep -hE '\.name = "|FIELD\("' tools/wbsim/settings.c | quoted
	grep -hoP 'THRESHOLD_FILES\("\K\w+' tools/wbsim/settings.c | sed 's/.*/&_ratio\n&_bytes/'
}
profiles() { ls tools/pdflushctl/profiles; }
testbeds() { basename -s .cfg tools/wbsim/testbeds/*.cfg; }

# named FILE LIST: each name stands in the file as a word of its own
named() {
	local name missing=
	for name in $($2); do
		grep -qP "(?<![\w-])\Q$name\E(?![\w-])" "$1" || missing+=" $name"
	done
	[[ -z $missing ]] || { echo "not in $1:$missing" && return 1; }
}

# check LEAST LIST FILE...: the sources have LEAST or more of them, and each FILE names all
check() {
	local least=$1 list=$2 file
	shift 2
	ok "$list: found in the sources" [ "$($list | sort -u | wc -l)" -ge "$least" ]
	for file; do
		ok "... all named in $file" named "$file" "$list"
	done
}

check 10 vm_files $guide $page
check 3 proc_files $guide $page
check 23 stats $guide $page
check 6 parameters $guide $page
check 8 events $guide $page
check 2 policies $guide Documentation/man/writeback_policy.7
check 9 operations Documentation/writing-a-policy.rst
check 13 snapshot Documentation/writing-a-policy.rst
check 18 settings tools/wbsim/wbsim.1
check 10 testbeds tools/wbsim/wbsim.1
check 7 profiles $guide tools/pdflushctl/pdflushctl.8
done_testing
