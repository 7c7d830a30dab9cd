#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: the module refuses to load where it can't do its work, names the reason, and leaves nothing
# guest: --engine off --mem 128M
# helpers: pdflush.ko squatter.ko
# shellcheck source=tests/guest/lib.sh
. ./lib.sh
# shellcheck source=tests/guest/engine.sh
. ./engine.sh

# lines of the log that say why
reasons() { dmesg | grep 'pdflush: not loaded'; }

# refused NAME WORD PARAMETER...: not loaded, and one new line in the log has the word
refused() {
	local name=$1 word=$2 before
	shift 2
	before=$(reasons | wc -l)
	fails "$name: refused" insmod pdflush.ko "$@"
	is "$name: one line says so" $(($(reasons | wc -l) - before)) 1
	ok "$name: and names it" grep -q -- "$word" <<<"$(reasons | tail -n 1)"
	ok "$name: nothing is left" [ ! -e /sys/module/pdflush ]
}

names=$(ls $vm)
for file in dirty_async_ratio nr_pdflush_threads writeback_policy; do
	insmod squatter.ko vm_file=$file
	with=$(ls $vm)
	refused "$file there already" "/proc/sys/vm/$file"
	is "$file: /proc/sys/vm still lists all" "$(ls $vm)" "$with"
	is "$file: and it is the other's" "$(get_vm $file)" 42
	rmmod squatter
done
insmod squatter.ko proc_dir=pdflush
refused "/proc/pdflush there already" /proc/pdflush
ok "/proc/pdflush is the other's" [ -d /proc/pdflush ]
rmmod squatter

refused "a function that is not there" no_such_function require=no_such_function
refused "no such policy" nope policy=nope
refused "background=101" background background=101
refused "async=101" async async=101
refused "sync=4294967295" sync sync=4294967295
fails "sync=-1" insmod pdflush.ko sync=-1
fails "background=abc" insmod pdflush.ko background=abc
is "/proc/sys/vm lists the same names" "$(ls $vm)" "$names"
ok "/proc/pdflush is not there" [ ! -e $pdflush ]
is "no thread is left" "$(pgrep -c pdflush)" 0

ok "loads after all that" attach require=vfs_read background=1 async=2 sync=3
is "with the thresholds asked for" \
	"$(get_vm dirty_background_ratio dirty_ratio dirty_async_ratio dirty_sync_ratio)" "1 2 2 3"
fails "a second time" insmod pdflush.ko
fails "can't be removed while attached" rmmod pdflush
ok "detaches" detach
is "/proc/sys/vm lists the same names in the end" "$(ls $vm)" "$names"
done_testing
