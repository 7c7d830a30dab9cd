# SPDX-License-Identifier: GPL-2.0
#
# rows.awk: what a table of wbsim sweep --csv shows of its rows: the last against the first, the most
# that a cell is off its row's mean, and which part of the rise lies between 50 and 70.
BEGIN { FS = "," }
FNR == 1 { next }
{
	mean = 0
	for (i = 2; i <= NF; i++)
		mean += $i / (NF - 1)
	for (i = 2; i <= NF; i++) {
		off = 100 * ($i / mean - 1)
		off = off < 0 ? -off : off
		worst = off > worst ? off : worst
	}
	if (FNR == 2)
		first = mean
	last = mean
	of[$1 + 0] = mean
}
END {
	printf "last_to_first %.2f\noff_row_percent %.1f\n", last / first, worst
	if (last != first)
		printf "rise_50_70 %.2f\n", (of[70] - of[50]) / (last - first)
}
