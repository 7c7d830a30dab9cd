#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The page, from results that are made up, and from none.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tap.sh"
results=$dir/results page=$dir/out/index.html

report() { tests/bench/report --results "$results" --out "$dir/out"; }
has() { grep -qF -- "$1" "$page"; }

# Whatever a browser would fetch, or that names another document
needs_nothing() {
	! grep -nEi '(https?|ftp|file)://|//[a-z]+\.|<script|<link|<img|@import|url\(' "$page"
}

count() { grep -oE "$1" "$page" | wc -l; }

well_formed() {
	local tag
	for tag in table tr td th figure svg ul li h2 div p g; do
		[[ $(count "<${tag}[ >]") = $(count "</$tag>") ]] || echo "$tag"
	done
}
is_well_formed() { [[ -z $(well_formed) ]] || { well_formed; false; }; }

ids_are_unique() {
	local twice
	twice=$(grep -oE "\bid=['\"][^'\"]+" "$page" | tr -d "'\"" | sort | uniq -d)
	[[ -z $twice ]] || { echo "$twice"; false; }
}

echo 1..25

mkdir -p "$results"
ok "nothing measured: a page" report
ok "... needs nothing else" needs_nothing
ok "... is well formed" is_well_formed
ok "... says so" has "Nothing has been measured yet"
for command in "make sweep" "make feel" "make clients" "make -s agree" "build/wbsim sweep"; do
	ok "... names $command" has "$command"
done

mkdir -p "$results"/{sweep,feel/cells,clients,sim-sweep,agree}
cat >"$results/sweep/options" <<END
rows=nfract=30:90:30
cols=nfract_sync=60:90:30
set=age_buffer=6000 <b>
policy=bdflush
clients=32
mem=1280M
disk=2G,rate=20
speed=250
END
cp "$results/sweep/options" "$results/clients/options"
cat >"$results/sweep/sweep.csv" <<END
nfract,60,90
30,10,10.5
60,18,18.2
90,20,20
END
cp "$results/sweep/sweep.csv" "$results/sim-sweep/cole.csv"
sed 's/1/2/' "$results/sweep/sweep.csv" >"$results/sweep/feel.csv"
echo "a.csv 0.943 6" >"$results/sweep/rank"
cat >"$results/sweep/cells.csv" <<END
nfract,nfract_sync,throughput_mbs,feel_ms,dirtied_kb,written_kb
30,60,10,10,1000,900
30,90,10.5,30
60,60,18,20,1000,5
60,90,18.2,300
90,60,20,1000
90,90,20,1100
END
cat >"$results/feel/feel.csv" <<END
load,setting,throughput_mbs,feel_ms,read_p50_ms,read_p99_ms,read_max_ms,read_count,\
write_p50_ms,write_p99_ms,write_max_ms,write_count,append_p50_ms,append_p99_ms,append_max_ms,\
append_count,exec_p50_ms,exec_p99_ms,exec_max_ms,exec_count,most_dirty_mb,stall_max_ms
idle,stock,0,43,8,16,16,50,1,2,3,50,20,43,50,50,1,2,3,50,1,
dd,stock,19,8000,8,900,901,50,1,2,3,50,20,8000,8001,50,1,2,3,50,40,
dd,10/40/50,21,2000,8,2000,2001,50,1,2,3,50,20,1900,1901,50,1,2,3,50,90,190
ftp,stock,10,300,8,16,16,50,1,2,3,50,20,300,310,50,1,2,3,50,9,
ftp,10/40/50,10,330,8,16,16,50,1,2,3,50,20,330,340,50,1,2,3,50,9,0
END
printf 'sample %s\n' "1 5 2 10 40 50" "2 9 3 10 40 50" >"$results/feel/cells/load=dd,setting=stock"
cat >"$results/clients/clients.csv" <<END
clients,files_mb,threshold_mb,throughput_mbs,dirtied_mb,written_mb,most_dirty_mb
1,21,576,60,100,0.1,20
16,336,576,57,1600,1,330
32,672,576,30,1900,300,570
END
echo "guest <x> wbsim" >"$results/agree/agree.txt"

ok "all measured: a page" report
ok "... needs nothing else" needs_nothing
ok "... is well formed" is_well_formed
ok "... no name twice" ids_are_unique
ok "... nothing missing" bash -c "! grep -q 'not measured yet' '$page'"
ok "rows" has "From <code>nfract</code> 30 to 90 throughput rises 2.0 times (10.2 to 20.0 MB/s"
ok "columns" has "The columns (<code>nfract_sync</code>) hardly matter: 5.0 % within a row at most"
ok "the knee" has \
	"Choose <code>nfract=60 nfract_sync=60</code></strong>: 18.0 MB/s, 90 % of the most"
ok "... wrote nothing" has "0.50 % of what was dirtied had been written when the run ended"
ok "the best under a load" has \
	"Under dd, <code>10/40/50</code> feels best: 2.0 s (the read), stock 8.0 s, at 21.0 MB/s"
ok "another is close by" has "Under ftp, <code>stock</code> feels best: 300 ms (the append)"
ok "for all loads" has \
	"For all these loads together: <code>10/40/50</code></strong>, under none of them more than"
ok "clients" has "Up to 16 clients fit below the threshold. At most 0.10 % of what they dirtied"
ok "figures with words in them are no markup" has "age_buffer=6000 &lt;b&gt;"
ok "... nor in texts" has "guest &lt;x&gt; wbsim"
ok "bad options are refused" bash -c "! tests/bench/report --results '$dir/none' --out '$dir/o'"
exit $status
