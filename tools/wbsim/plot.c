// SPDX-License-Identifier: GPL-2.0
/*
 * Pictures, by gnuplot.
 */
#include <unistd.h>
#include "machine.h"
#include "run.h"
#include "settings.h"
#include "testbed.h"

static FILE *open_gnuplot(const char *path)
{
	FILE *gnuplot = popen("gnuplot", "w");
	const char *c;

	for (c = path; *c; c++)
		if (*c == '\'' || *c == '\n')
			usage_error("--png: no quotes in names of files");
	if (!gnuplot)
		usage_error("--png: gnuplot can't be started");
	fprintf(gnuplot, "set terminal png size 1000,600\nset output '%s'\n", path);
	return gnuplot;
}

static void close_gnuplot(FILE *gnuplot, const char *path)
{
	if (pclose(gnuplot) || access(path, R_OK))
		usage_error("--png: gnuplot made no %s", path);
}

/**
 * plot_lines - dirty memory and thresholds over time
 * @path: the PNG file
 */
void plot_lines(const char *path)
{
	FILE *gnuplot = open_gnuplot(path);
	unsigned int i;

	fprintf(gnuplot, "$d << EOD\n");
	for (i = 0; i < nr_run_samples; i++) {
		const struct sample *s = &run_samples[i];

		fprintf(gnuplot, "%g %g %g %g %g %g\n", s->seconds, (double)s->dirty / PAGES_PER_MB,
			(double)(s->dirty + s->writeback) / PAGES_PER_MB,
			(double)s->background / PAGES_PER_MB, (double)s->async / PAGES_PER_MB,
			(double)s->sync / PAGES_PER_MB);
	}
	fprintf(gnuplot, "EOD\nset title '%s' noenhanced\nset xlabel 's'\nset ylabel 'MB'\n"
		"set yrange [0:]\nset key outside\n"
		"plot $d u 1:3 w filledcurves x1 lc rgb '#f0b070' t 'dirty + under way', "
		"$d u 1:2 w filledcurves x1 lc rgb '#c05030' t 'dirty', "
		"$d u 1:4 w l lc rgb '#208020' t 'background', "
		"$d u 1:5 w l lc rgb '#2040c0' t 'async', "
		"$d u 1:6 w l lc rgb '#000000' t 'sync'\n", testbed.name);
	close_gnuplot(gnuplot, path);
}

/**
 * plot_map - a heat map of a sweep, its rows in the order of the table's
 * @path: the PNG file
 * @rows: what the rows are
 * @cols: what the columns are
 * @row_value: their values
 * @nr_rows: how many
 * @col_value: likewise
 * @nr_cols: likewise
 * @cell: all cells, row by row
 * @figure: what they show
 */
void plot_map(const char *path, const char *rows, const char *cols, const double *row_value,
	      unsigned int nr_rows, const double *col_value, unsigned int nr_cols,
	      const double *cell, const char *figure)
{
	FILE *gnuplot = open_gnuplot(path);
	unsigned int r, c;

	fprintf(gnuplot, "$d << EOD\n");
	for (r = 0; r < nr_rows; r++)
		for (c = 0; c < nr_cols; c++)
			fprintf(gnuplot, "%u %u %g %g %g\n", c, r, cell[r * nr_cols + c],
				col_value[c], row_value[r]);
	fprintf(gnuplot, "EOD\nset title '%s: %s' noenhanced\nset xlabel '%s' noenhanced\n"
		"set ylabel '%s' noenhanced\nunset key\n"
		"set autoscale fix\nset yrange [*:*] reverse\n"
		"set palette defined (0 '#7fa3d8', 1 '#f4f1d8', 2 '#e0785f')\n"
		"plot $d u 1:2:3:xtic(sprintf('%%g', column(4))):ytic(sprintf('%%g', column(5))) "
		"w image, $d u 1:2:(sprintf('%%.4g', column(3))) w labels\n", testbed.name, figure,
		cols, rows);
	close_gnuplot(gnuplot, path);
}
