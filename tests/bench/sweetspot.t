#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A known front and its knee.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tap.sh"

# front FILE...: the settings on it, the knee with a star
front() {
	tests/bench/sweetspot --csv "$@" | awk -F, 'NR > 1 && $4 { print $1 ($5 ? "*" : "") }'
}

echo 1..12

# Waits of 10, 20, 100 and 1000 ms are 0, 0.15, 0.5 and 1 of the way; so are 10, 18, 19 and 20 MB/s
# 0, 0.8, 0.9 and 1: above the diagonal by 0, 0.65, 0.4 and 0.
cat >"$dir/a.csv" <<END
# all that is known
nfract,nfract_sync,throughput_mbs,feel_ms,other
30,60,10,10,1
50,60,19,100,1
40,60,18,20,1
70,60,20,1000,1
60,60,17,20,1
80,60,20,1001,1
90,60,9,5000,1
35,60,,15,1
END
is "the front and its knee" "$(front "$dir/a.csv")" "nfract=30 nfract_sync=60
nfract=40 nfract_sync=60*
nfract=50 nfract_sync=60
nfract=70 nfract_sync=60"
is "all settings with both figures are told" \
	"$(tests/bench/sweetspot --csv "$dir/a.csv" | wc -l)" 8
is "the table names the knee" "$(tests/bench/sweetspot "$dir/a.csv" | tail -n 1)" \
	"7 settings, nfract=40 nfract_sync=60 is the sweet spot"

# other columns, another order
printf 'engine,feel_ms,x,throughput_mbs\nstock,5,1,30\nslow,6,1,3\n' >"$dir/b.csv"
is "one is better than all others" "$(front "$dir/b.csv")" "stock*"
is "several tables are one" "$(front "$dir/a.csv" "$dir/b.csv")" "stock*"

printf 'a,throughput_mbs,feel_ms\n1,10,10\n2,20,1000\n' >"$dir/c.csv"
is "of two ends, the one with less of a wait" "$(front "$dir/c.csv")" "a=1*
a=2"
printf 'a,throughput_mbs,feel_ms\n1,10,10\n2,11,300\n3,20,1000\n' >"$dir/d.csv"
is "a front that bends the other way has no knee within" "$(front "$dir/d.csv")" "a=1*
a=2
a=3"
is "a little more is chance" "$(front --within 10 "$dir/d.csv")" "a=1*
a=3"
printf 'a,throughput_mbs,feel_ms\n1,10,10\n2,10,10\n' >"$dir/e.csv"
is "twice the same" "$(front "$dir/e.csv")" "a=1*"

said=$(tests/bench/sweetspot "$dir/none.csv" 2>&1)
is "a file that is not there" "$?: $said" "2: sweetspot: cannot read $dir/none.csv"
printf 'a,b\n1,2\n' >"$dir/f.csv"
said=$(tests/bench/sweetspot "$dir/f.csv" 2>&1)
is "not such a table" "$?: $said" "2: sweetspot: no throughput_mbs and feel_ms in $dir/f.csv"
tests/bench/sweetspot --png "$dir/front.png" "$dir/a.csv" >/dev/null
is "a picture" "$(head -c 4 "$dir/front.png" | tail -c 3)" PNG
exit $status
