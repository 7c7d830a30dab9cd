#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# test: attach and detach under two writers on two CPUs that really run at once
# guest: --engine off --mem 160M --timing real --cpus 2
# guest: --disk 128M,rate=20 --disk 128M,rate=10,fs=ext2
# helpers: pdflush.ko writer attach-cycles.sh
CYCLES=${1:-5} REAL_TIME=yes
# shellcheck source=tests/guest/helpers/attach-cycles.sh
. ./attach-cycles.sh
