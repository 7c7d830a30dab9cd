# SPDX-License-Identifier: GPL-2.0
#
# ranks.awk: how well two tables of throughput agree: awk -F, -f ranks.awk MEASURED OTHER. Both as
# wbsim sweep --csv prints them. Cells that both have are compared; prints names and numbers.

/^#/ || NF < 2 { next }
FNR == 1 || (!head[FILENAME] && NR) {
	if (!head[FILENAME]) {
		head[FILENAME] = 1
		file++
		columns = NF
		for (i = 2; i <= NF; i++)
			column[i] = $i + 0
		next
	}
}
{
	for (i = 2; i <= NF; i++) {
		value[file, $1 + 0, column[i]] = $i
		if (file == 2) {
			cells++
			row[cells] = $1 + 0
			col[cells] = column[i]
			sum[$1 + 0] += $i
			n[$1 + 0]++
		}
	}
}

# Rank of cell @k of table @t among all, those that are equal in the middle of theirs
function rank(t, k,    j, below, same, mine, other) {
	mine = value[t, row[k], col[k]]
	for (j = 1; j <= cells; j++) {
		other = value[t, row[j], col[j]]
		below += other < mine
		same += other == mine
	}
	return below + (same + 1) / 2
}

END {
	for (k = 1; k <= cells; k++)
		if (!((1, row[k], col[k]) in value)) {
			print "no cell " row[k] "," col[k] " in the first table" >"/dev/stderr"
			exit 1
		}
	middle = (cells + 1) / 2
	for (k = 1; k <= cells; k++) {
		a = rank(1, k) - middle
		b = rank(2, k) - middle
		ab += a * b
		aa += a * a
		bb += b * b
		off = 100 * (value[2, row[k], col[k]] / (sum[row[k]] / n[row[k]]) - 1)
		off = off < 0 ? -off : off
		worst = off > worst ? off : worst
	}
	for (r in sum) {
		if (least == "" || r + 0 < least)
			least = r + 0
		if (most == "" || r + 0 > most)
			most = r + 0
	}
	low = sum[least] / n[least]
	high = sum[most] / n[most]
	printf "cells %d\nspearman %.3f\nlast_to_first %.2f\noff_row_percent %.1f\n", cells,
		aa * bb ? ab / sqrt(aa * bb) : 0, high / low, worst
	if ((50 in sum) && (70 in sum) && high != low)
		printf "rise_50_70 %.2f\n", (sum[70] / n[70] - sum[50] / n[50]) / (high - low)
}
