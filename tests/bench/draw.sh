# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The demo's pictures.

: "${out:?}"

# A run's samples: seconds, dirty + writeback, writeback, background, async, sync; in MB
samples_of() {
	told_by "$1" | awk '
	$1 == "result" && $2 == "begun" { begun = $3 }
	$1 == "sample" {
		printf "%.2f", $2 / 1000 - begun
		print "", ($3 + $4) / 256, $4 / 256, $5 / 256, $6 / 256, $7 / 256
	}'
}

label_of() {
	local setting=${1#*-}
	if [[ $setting = stock ]]; then
		echo "stock 6.1: background 10 %, limit 20 %, braking from halfway on"
	else
		echo "pdflush ${setting//-//}"
	fi
}

# draw PNG TITLE SECONDS NAME...: a panel for each run, all of the same scales
draw() {
	local png=$1 title=$2 seconds=$3 name panels=''
	shift 3
	for name; do
		[[ -s $out/$name.seen ]] || return 0
		samples_of "$name" >"$out/$name.dat"
		[[ $name != "${!#}" ]] || panels+="set xlabel 'seconds' offset 0,0.3"$'\n'
		panels+="
		set label 1 '$(label_of "$name")' at graph 0, 1.07 left front font ',12'
		file = '$out/$name.dat'
		plot file using 1:2 with filledcurves y1=0 fc rgb '#8fb8de' title 'dirty', \
			file using 1:3 with filledcurves y1=0 fc rgb '#3a6ea5' title 'writeback', \
			file using 1:6 with lines lw 1.8 dt 1 lc rgb '#c0392b' title 'sync', \
			file using 1:5 with lines lw 1.8 dt 2 lc rgb '#e67e22' title 'async', \
			file using 1:4 with lines lw 1.8 dt 4 lc rgb '#2e8b57' title 'background'
		unset key; unset label 2
		"
	done
	gnuplot <<-END
		set terminal pngcairo size 1200,$((60 + 295 * $#)) font 'Sans,11' background 'white'
		set output '$png'
		set label 2 "$title" at screen 0.06, 0.98 left font ',15'
		set multiplot layout $#,1 margins 0.06,0.975,0.055,0.915 spacing 0.055
		set xrange [-1:$seconds]
		set yrange [0:60]
		set ytics 0,20
		set mytics 2
		set xtics 5
		set grid ytics mytics lt 1 lc rgb '#e0e0e0', lt 1 lc rgb '#eeeeee'
		set border 3 lc rgb '#606060'
		set tics nomirror
		set ylabel 'MB' offset 1
		set key at screen 0.975, 0.962 horizontal right reverse Left width 1 samplen 2.5
		$panels
	END
	say "$png: dirty memory over time"
}
