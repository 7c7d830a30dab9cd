#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run-test.sh TEST: run a test of any kind for prove. Those of the guest's folder run in a guest.
set -o pipefail

case $1 in
tests/guest/t/*) exec tests/guest/tap "$@" ;;
# a kernel line and a few tests for it, most of them links into t/
tests/guest/[0-9]*/*)
	line=${1#tests/guest/}
	GUEST_OPTIONS="${GUEST_OPTIONS:-} --kernel ${line%%/*}" exec tests/guest/tap "$@"
	;;
# what cmocka has to say about a failure is to be seen; its last word on a group adds nothing
build/unit/*) "./$1" | sed '/^# ok - /d; /^#/w /dev/stderr' ;;
*) exec "./$1" ;;
esac
