# SPDX-License-Identifier: GPL-2.0
#
# sweetspot.awk: the front of several tables and its knee; see sweetspot. Prints, front first and by
# rising wait: setting, throughput, feel, whether it is on the front, whether it is the knee.
BEGIN { FS = "," }
/^#/ || NF == 0 { next }

# The first line of each table; names of settings are before the figures.
FILENAME != file {
	file = FILENAME
	throughput = feel = 0
	for (i = 1; i <= NF; i++) {
		name[i] = $i
		if ($i == "throughput_mbs")
			throughput = i
		if ($i == "feel_ms")
			feel = i
	}
	if (!throughput || !feel) {
		print "sweetspot: no throughput_mbs and feel_ms in " FILENAME >"/dev/stderr"
		bad = 1
		exit
	}
	first = throughput < feel ? throughput : feel
	next
}

$throughput != "" && $feel != "" {
	n++
	x[n] = $feel + 0
	y[n] = $throughput + 0
	for (i = 1; i < first; i++)
		label[n] = label[n] (i > 1 ? " " : "") \
			(first == 2 && $i + 0 != $i ? $i : name[i] "=" $i)
	if (label[n] == "")
		label[n] = "line " FNR
	order[n] = n
}

function wait(i) { return log(x[i] > 0.001 ? x[i] : 0.001) }

# by rising wait, then by falling throughput
function before(a, b) { return x[a] < x[b] || (x[a] == x[b] && y[a] > y[b]) }

function sort_points(	i, j, it) {
	for (i = 2; i <= n; i++) {
		it = order[i]
		for (j = i; j > 1 && before(it, order[j - 1]); j--)
			order[j] = order[j - 1]
		order[j] = it
	}
}

# On it is what has more throughput than all that feels better, by more than chance
function find_front(	i, most) {
	for (i = 1; i <= n; i++)
		if (i == 1 || y[order[i]] > most * (1 + within / 100)) {
			most = y[order[i]]
			front[++m] = order[i]
			on_front[order[i]] = 1
		}
}

# Both scaled from 0 to 1, the line between the ends is the diagonal.
function find_knee(	i, wide, high, above, best) {
	wide = wait(front[m]) - wait(front[1])
	high = y[front[m]] - y[front[1]]
	knee = front[1]
	for (i = 2; i < m; i++) {
		above = (y[front[i]] - y[front[1]]) / high - \
			(wait(front[i]) - wait(front[1])) / wide
		if (above > best + 1e-9) {
			best = above
			knee = front[i]
		}
	}
}

END {
	if (bad)
		exit 2
	if (!n) {
		print "sweetspot: no line has both figures" >"/dev/stderr"
		exit 2
	}
	sort_points()
	find_front()
	find_knee()
	for (i = 1; i <= n; i++)
		if (on_front[order[i]])
			print_point(order[i])
	for (i = 1; i <= n; i++)
		if (!on_front[order[i]])
			print_point(order[i])
}

function print_point(i) {
	printf "%s\t%s\t%s\t%d\t%d\n", label[i], y[i], x[i], on_front[i], i == knee
}
