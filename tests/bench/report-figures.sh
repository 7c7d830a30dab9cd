# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# report-figures.sh: the report's pictures, by gnuplot, as SVG that stands in the page and takes its
# colours.

: "${work:?}"

# inline_svg FILE: without what names other documents, black as the page's ink, and with names of
# its own, as several stand in one page
inline_svg() {
	local id=${1##*/}
	id=${id%.svg}
	sed -e '/^<?xml/d' -e '/^<!DOCTYPE/d' -e '/^ *"http.*dtd">$/d' \
		-e 's/ xmlns\(:xlink\)\?="[^"]*"//g' -e "s/ xmlns\(:xlink\)\?='[^']*'//g" \
		-e 's/\bblack\b/currentColor/g' -e 's/rgb( *0, *0, *0)/currentColor/g' \
		-e "s/\(id=['\"]\|#\)\(gp\|gnuplot_\|textbox\|greybox\)/\1$id-\2/g" "$1"
}

# svg NAME HEIGHT: gnuplot's commands on standard input
svg() {
	{
		echo "set terminal svg size 860,$2 dynamic font 'sans-serif,13'"
		echo "set output '$work/$1.svg'"
		echo "set termoption noenhanced"
		echo "set datafile separator ','"
		echo "set border 3 lc rgb '#808080'"
		echo "set tics nomirror"
		echo "set grid ytics lc rgb '#808080' lw 0.3 dt 3"
		cat
	} | gnuplot || return
	echo "<figure>"
	inline_svg "$work/$1.svg"
	echo "</figure>"
}

# Groups of bars, a group a load, on a logarithmic scale
draw_feel() {
	local settings i=0 plot=''
	local colours=('#8a8f98' '#4a90d9' '#46a37a' '#d98a35' '#c9504b' '#8e6bbf')
	awk -F, '
	NR > 1 {
		if (!($1 in row)) { row[$1] = ++rows; load[rows] = $1 }
		if ($1 != "idle" && !($2 in col)) { col[$2] = ++cols; setting[cols] = $2 }
		value[$1, $2] = $4
	}
	END {
		printf "load"
		for (c = 1; c <= cols; c++) printf ",%s", setting[c]
		print ""
		for (r = 1; r <= rows; r++) {
			if (load[r] == "idle") continue
			printf "%s", load[r]
			for (c = 1; c <= cols; c++) printf ",%s", value[load[r], setting[c]]
			print ""
		}
	}' "$1" >"$work/feel.csv"
	[[ $(wc -l <"$work/feel.csv") -gt 1 ]] || return 0
	IFS=, read -r -a settings < <(head -n 1 "$work/feel.csv")
	for ((i = 1; i < ${#settings[@]}; i++)); do
		plot+="${plot:+, }'$work/feel.csv' using $((i + 1)):xtic(1) every ::1"
		plot+=" title '${settings[i]}' lc rgb '${colours[(i - 1) % 6]}'"
	done
	svg feel 380 <<-END
		set style data histograms
		set style histogram clustered gap 1
		set style fill solid 0.9 noborder
		set boxwidth 0.9 relative
		set logscale y
		set ylabel 'feel, ms'
		set key outside top horizontal left
		plot $plot
	END
}

# time_line NAME CELL TITLE: dirty memory of one run
time_line() {
	awk -v OFS=, '$1 == "sample" { print $2, $3 + $4, $4, $5, $6, $7 }' "$2" >"$work/$1.csv"
	[[ -s $work/$1.csv ]] || return 0
	svg "$1" 260 <<-END
		set title '$3' left
		set xlabel 's'
		set ylabel 'MB'
		set yrange [0:]
		set key outside right reverse Left
		f = '$work/$1.csv'
		plot f using 1:2 with filledcurves y1=0 fc rgb '#4a90d9' fs solid 0.5 \
				title 'dirty', \
			f using 1:3 with filledcurves y1=0 fc rgb '#1f5f9f' title 'writeback', \
			f using 1:4 with lines lw 1.5 lc rgb '#46a37a' title 'background', \
			f using 1:5 with lines lw 1.5 dt 2 lc rgb '#d98a35' title 'async', \
			f using 1:6 with lines lw 1.5 dt 4 lc rgb '#c9504b' title 'sync'
	END
}

draw_clients() {
	svg clients 340 <<-END
		set xlabel 'clients'
		set ylabel 'MB/s'
		set y2label 'written, % of what was dirtied'
		set y2tics
		set border 11 lc rgb '#808080'
		set logscale x 2
		set yrange [0:]
		set y2range [0:]
		set key outside top horizontal left
		f = '$1'
		plot f using 1:4 every ::1 with linespoints lw 2 pt 7 lc rgb '#4a90d9' \
				title 'throughput', \
			f using 1:(\$6 * 100 / \$5) every ::1 axes x1y2 with linespoints lw 2 \
				dt 2 pt 5 lc rgb '#c9504b' title 'written to the disk'
	END
}

# Lines over the rows, a line a column
draw_rows() {
	local name=$1 csv=$2 label=$3 cols i plot='' head
	local colours=('#4a90d9' '#d98a35' '#46a37a' '#c9504b' '#8e6bbf' '#8a8f98')
	IFS=, read -r -a head < <(grep -v '^#' "$csv" | head -n 1)
	grep -v '^#' "$csv" | tail -n +2 >"$work/$name.csv"
	cols=${#head[@]}
	for ((i = 1; i < cols; i++)); do
		plot+="${plot:+, }'$work/$name.csv' using 1:$((i + 1)) with linespoints lw 2 pt 7"
		plot+=" lc rgb '${colours[(i - 1) % 6]}' title '${head[i]}'"
	done
	svg "$name" 300 <<-END
		set xlabel '${head[0]}'
		set ylabel '$label'
		set yrange [0:]
		set key outside right title '$4'
		plot $plot
	END
}
