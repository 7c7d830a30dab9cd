#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: attach and detach under two writers; as t/attach.t, but fewer times
# guest: --engine off --mem 160M --disk 128M,rate=10 --disk 128M,rate=5,fs=ext2
# helpers: pdflush.ko writer attach-cycles.sh
CYCLES=3
# shellcheck source=tests/guest/helpers/attach-cycles.sh
. ./attach-cycles.sh
