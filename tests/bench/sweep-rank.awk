# SPDX-License-Identifier: GPL-2.0
#
# sweep-rank.awk: Spearman's rank correlation of the cells that two sweeps (CSV) have in common, by
# the values of their rows and columns. Prints it and the number of cells. Equal values share the
# mean of their ranks.
BEGIN { FS = "," }
/^#/ || NF < 2 { next }
FNR == 1 || FILENAME != file {
	file = FILENAME
	first = !files++ ? 1 : 0
	for (i = 2; i <= NF; i++)
		col[i] = $i + 0
	next
}
{
	for (i = 2; i <= NF; i++) {
		if ($i == "")
			continue
		if (files == 1)
			theirs[$1 + 0, col[i]] = $i + 0
		else if (($1 + 0, col[i]) in theirs) {
			x[++n] = theirs[$1 + 0, col[i]]
			y[n] = $i + 0
		}
	}
}

function ranks(value, rank,	i, j, below, same) {
	for (i = 1; i <= n; i++) {
		below = same = 0
		for (j = 1; j <= n; j++) {
			below += value[j] < value[i]
			same += value[j] == value[i]
		}
		rank[i] = below + (same + 1) / 2
	}
}

END {
	ranks(x, rx)
	ranks(y, ry)
	mean = (n + 1) / 2
	for (i = 1; i <= n; i++) {
		xy += (rx[i] - mean) * (ry[i] - mean)
		xx += (rx[i] - mean) ^ 2
		yy += (ry[i] - mean) ^ 2
	}
	if (n < 2 || !xx || !yy)
		print "none", n + 0
	else
		printf "%.3f %d\n", xy / sqrt(xx * yy), n
}
