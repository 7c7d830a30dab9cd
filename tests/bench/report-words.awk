# SPDX-License-Identifier: GPL-2.0
#
# report-words.awk: what tables say, in words; lines of HTML lists.
# what=rows|spot|written|loads|clients says which table. No sentence is there but for figures that
# make it so.
BEGIN { FS = "," }
/^#/ || NF < 2 { next }

function item(text) { print "<li>" text "</li>" }
function times(x) { return sprintf(x < 10 ? "%.1f times" : "%.0f times", x) }
function ms(x) { return x < 1000 ? sprintf("%.0f ms", x) : sprintf("%.1f s", x / 1000) }
function code(x) { return "<code>" x "</code>" }

# ---- a grid: does the row matter, or the column? -------------------------------------------------

what == "rows" {
	if (!rows_head++) {
		row_name = $1
		for (i = 2; i <= NF; i++)
			col[i] = $i
		cols = NF
		next
	}
	sum = count = 0
	least = most = ""
	for (i = 2; i <= NF; i++) {
		if ($i == "")
			continue
		sum += $i
		count++
		least = least == "" || $i + 0 < least ? $i + 0 : least
		most = most == "" || $i + 0 > most ? $i + 0 : most
	}
	if (!count)
		next
	n++
	at[n] = $1 + 0
	mean[n] = sum / count
	if (least > 0 && most / least > spread)
		spread = most / least
}

# rows by rising value
function sort_rows(	i, j, a, b) {
	for (i = 2; i <= n; i++)
		for (j = i; j > 1 && at[j] < at[j - 1]; j--) {
			a = at[j]; at[j] = at[j - 1]; at[j - 1] = a
			b = mean[j]; mean[j] = mean[j - 1]; mean[j - 1] = b
		}
}

function say_rows(	i, up, step, where) {
	if (n < 2 || mean[1] <= 0)
		return
	sort_rows()
	up = mean[n] / mean[1]
	if (up > 1.05)
		item("From " code(row_name) " " at[1] " to " at[n] " throughput rises " times(up) \
			" (" sprintf("%.1f to %.1f MB/s", mean[1], mean[n]) ", means of the rows).")
	else if (up < 0.95)
		item("From " code(row_name) " " at[1] " to " at[n] " throughput falls by " \
			sprintf("%.0f %%", 100 - up * 100) ".")
	else
		item("From " code(row_name) " " at[1] " to " at[n] \
			" throughput hardly changes (" sprintf("%+.1f %%", up * 100 - 100) ").")
	for (i = 2; i <= n; i++)
		if (up > 1.05 && mean[i] - mean[i - 1] > step) {
			step = mean[i] - mean[i - 1]
			where = i
		}
	if (where && n > 2)
		item("The largest step is from " at[where - 1] " to " at[where] ": " \
			sprintf("%.0f %%", 100 * step / (mean[n] - mean[1])) " of the rise.")
	if (cols > 2 && spread)
		item(spread < 1.1 ? "The columns (" code(col_name) ") hardly matter: " \
			sprintf("%.1f %%", spread * 100 - 100) " within a row at most." : \
			"Within a row, the columns (" code(col_name) \
			") make a difference of up to " times(spread) ".")
}

# ---- the front, as `sweetspot --csv` has it ------------------------------------------------------

what == "spot" {
	if (FNR == 1)
		next
	n++
	if (!n_best || $2 + 0 > best) {
		best = $2 + 0
		best_feel = $3
		best_name = $1
		n_best = n
	}
	if (!calm || $3 + 0 < calm)
		calm = $3 + 0
	front += $4
	if ($5) {
		knee = $1
		knee_rate = $2
		knee_feel = $3
	}
}

function say_spot() {
	if (!n)
		return
	item("<strong>Choose " code(knee) "</strong>: " sprintf("%.1f MB/s, %.0f %%", knee_rate, \
		100 * knee_rate / best) " of the most there is, and 99 of 100 small things take " \
		"at most " ms(knee_feel) ".")
	if (best > knee_rate * 1.01 && best_feel > knee_feel)
		item("The fastest, " code(best_name) ", does " sprintf("%.1f MB/s", best) \
			", but they take " ms(best_feel) " there, " times(best_feel / knee_feel) \
			" as long.")
	if (knee_feel > calm * 1.05)
		item("What feels best of all takes " ms(calm) ".")
	item(front == 1 ? "Of " n \
		" settings none feels better, none has over 1 % more throughput." : \
		front " of " n " settings are on the front; for each of the others there is one " \
		"that is better in both.")
}

# ---- was anything written there? -----------------------------------------------------------------

what == "written" && $2 > 0 && $3 / $2 < 0.01 {
	item("But with " code($1) " " sprintf("%.2f %%", 100 * $3 / $2) \
		" of what was dirtied had been written when the run ended: all of it fitted in " \
		"memory. The writing was put off, not saved. For work that does not fit, only " \
		"settings that write can be compared.")
}

# ---- feel under loads ----------------------------------------------------------------------------

what == "loads" {
	if (FNR == 1)
		next
	if ($1 == "idle") {
		idle = $4
		next
	}
	if (!($1 in seen_load)) {
		seen_load[$1] = ++loads
		load[loads] = $1
	}
	if (!($2 in seen_setting)) {
		seen_setting[$2] = ++settings
		setting[settings] = $2
	}
	feel[$1, $2] = $4 + 0
	rate[$1, $2] = $3 + 0
	slow[$1, $2] = slowest()
	if (!($1 in least_feel) || $4 + 0 < least_feel[$1]) {
		least_feel[$1] = $4 + 0
		best_of[$1] = $2
	}
}

# which probe is behind the figure
function slowest(	p, i, s, most) {
	split("read write append exec", p, " ")
	for (i = 1; i <= 4; i++)
		if ($(2 + 4 * i) + 0 > most) {
			most = $(2 + 4 * i) + 0
			s = p[i]
		}
	return s
}

function say_loads(	close_by, i, j, l, b, s, worst, ratio, best_worst, choice, complete) {
	for (i = 1; i <= loads; i++) {
		l = load[i]
		b = best_of[l]
		close_by = 0
		for (j = 1; j <= settings; j++)
			close_by += setting[j] != b && (l, setting[j]) in feel && \
				feel[l, setting[j]] < 1.1 * feel[l, b]
		s = "Under " l ", " code(b) " feels best: " ms(feel[l, b]) " (the " slow[l, b] ")"
		if (b != "stock" && (l, "stock") in feel)
			s = s ", stock " ms(feel[l, "stock"]) ", at " \
				sprintf("%.1f MB/s instead of %.1f", rate[l, b], rate[l, "stock"])
		if (close_by)
			s = s "; " close_by " of the others within 10 %"
		item(s ".")
	}
	for (j = 1; j <= settings; j++) {
		worst = 0
		complete = 1
		for (i = 1; i <= loads; i++) {
			if (!((load[i], setting[j]) in feel)) {
				complete = 0
				continue
			}
			ratio = feel[load[i], setting[j]] / least_feel[load[i]]
			worst = ratio > worst ? ratio : worst
		}
		if (complete && (!choice || worst < best_worst)) {
			choice = setting[j]
			best_worst = worst
		}
	}
	if (choice && loads > 1)
		item("<strong>For all these loads together: " code(choice) "</strong>, " \
			(best_worst < 1.005 ? "the best under each of them." : \
			"under none of them more than " sprintf("%.1f", best_worst) \
			" times what feels best there."))
	if (idle)
		item("On an idle machine the same things take " ms(idle) ".")
}

# ---- clients -------------------------------------------------------------------------------------

what == "clients" {
	if (FNR == 1)
		next
	n++
	fits = $2 + 0 < $3 + 0
	written = $5 > 0 ? 100 * $6 / $5 : 0
	if (fits) {
		most_fit = $1
		fit_rate = $4
		if (written > fit_written)
			fit_written = written
	} else if (!beyond) {
		beyond = $1
		beyond_rate = $4
		beyond_written = written
	}
}

function say_clients() {
	if (most_fit)
		item("Up to " most_fit " clients fit below the threshold. At most " \
			sprintf("%.2f %%", fit_written) \
			" of what they dirtied was written to the disk: " \
			(fit_written < 1 ? "dbench stays in memory." : \
			"dbench does not quite stay in memory."))
	if (most_fit && beyond)
		item("With " beyond " they do not fit: " sprintf("%.1f %% is written, ", \
			beyond_written) sprintf("%.1f MB/s instead of %.1f.", beyond_rate, \
			fit_rate))
}

END {
	if (what == "rows")
		say_rows()
	if (what == "spot")
		say_spot()
	if (what == "loads")
		say_loads()
	if (what == "clients")
		say_clients()
}
