// SPDX-License-Identifier: GPL-2.0
/*
 * wbsim sweep: one figure of many runs. Cells are shared out to as many processes as the host has
 * CPUs; each cell depends on nothing but its settings and the seed.
 */
#include <math.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "options.h"
#include "run.h"
#include "settings.h"
#include "sim.h"
#include "testbed.h"

struct result {
	unsigned int cell;
	double value;
};

static struct options options;
static double *row, *col, *cell;
static unsigned int nr_rows, nr_cols;

static double *values_of(const struct axis *axis, unsigned int *n)
{
	unsigned int i;
	double *value;

	*n = floor((axis->to - axis->from) / axis->step + 1e-9) + 1;
	value = calloc(*n, sizeof(*value));
	for (i = 0; value && i < *n; i++)
		value[i] = axis->from + i * axis->step;
	return value;
}

static void set(const struct axis *axis, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.10g", value);
	setting_command_replace(axis->name, text);
}

static double run_once(u64 seed)
{
	struct run_options run = { .seed = seed, .quiet = true };
	json_t *figures;
	double value;

	run_testbed(&run);
	figures = run_figures();
	value = figure_of(figures, options.figure ? options.figure : testbed.figure);
	json_decref(figures);
	run_clear();
	return value;
}

static double run_cell(unsigned int which)
{
	double sum = 0;
	int i;

	set(&options.rows, row[which / nr_cols]);
	set(&options.cols, col[which % nr_cols]);
	for (i = 0; i < testbed.runs; i++)
		sum += run_once(options.seed + i);
	return sum / testbed.runs;
}

static void run_share(unsigned int mine, unsigned int shares, int to)
{
	struct result result;

	for (result.cell = mine; result.cell < nr_rows * nr_cols; result.cell += shares) {
		result.value = run_cell(result.cell);
		if (write(to, &result, sizeof(result)) != sizeof(result))
			_exit(1);
	}
	_exit(0);
}

static void run_all(void)
{
	unsigned int shares = max(sysconf(_SC_NPROCESSORS_ONLN), 1L), i, done = 0;
	bool show = isatty(STDERR_FILENO);
	struct result result;
	int pipes[2], status;

	shares = min(shares, nr_rows * nr_cols);
	if (pipe(pipes))
		sim_fail("no pipe");
	fflush(stdout);
	for (i = 0; i < shares; i++) {
		pid_t pid = fork();

		if (pid < 0)
			sim_fail("no process");
		if (!pid) {
			close(pipes[0]);
			run_share(i, shares, pipes[1]);
		}
	}
	close(pipes[1]);
	while (read(pipes[0], &result, sizeof(result)) == sizeof(result)) {
		cell[result.cell] = result.value;
		done++;
		if (show)
			fprintf(stderr, "\r%s: %u of %u runs ", testbed.name, done,
				nr_rows * nr_cols);
	}
	if (show)
		fprintf(stderr, "\r\033[K");
	close(pipes[0]);
	for (i = 0; i < shares; i++)
		if (wait(&status) > 0 && status)
			exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void print_csv(void)
{
	unsigned int r, c;

	printf("%s", options.rows.name);
	for (c = 0; c < nr_cols; c++)
		printf(",%.10g", col[c]);
	for (r = 0; r < nr_rows; r++) {
		printf("\n%.10g", row[r]);
		for (c = 0; c < nr_cols; c++)
			printf(",%.6g", cell[r * nr_cols + c]);
	}
	printf("\n");
}

static void print_cells(const char *figure)
{
	unsigned int r, c;

	printf("%s, %s; rows %s, columns %s\n%10s", testbed.name, figure, options.rows.name,
	       options.cols.name, "");
	for (c = 0; c < nr_cols; c++)
		printf(" %10.10g", col[c]);
	for (r = 0; r < nr_rows; r++) {
		printf("\n%10.10g", row[r]);
		for (c = 0; c < nr_cols; c++)
			printf(" %10.5g", cell[r * nr_cols + c]);
	}
	printf("\n");
}

/* A first look in this process: names and values that don't exist are to be said once. */
static const char *check(void)
{
	struct run_options run = { .seed = options.seed, .seconds = 0.001, .quiet = true };
	const char *figure;
	unsigned int r, c;
	json_t *figures;

	for (r = 0; r < nr_rows; r++) {
		set(&options.rows, row[r]);
		for (c = 0; c < nr_cols; c++) {
			set(&options.cols, col[c]);
			if (r && c)
				continue;
			sim_start(options.seed);
			testbed_build();
			settings_command_apply();
			run_clear();
		}
	}
	figure = options.figure ? options.figure : testbed.figure;
	run_testbed(&run);
	figures = run_figures();
	figure_of(figures, figure);
	json_decref(figures);
	run_clear();
	return figure;
}

int command_sweep(int argc, char **argv)
{
	const char *figure;

	options_read(&options, argc, argv, OPT_PNG | OPT_SWEEP);
	if (!*options.rows.name || !*options.cols.name)
		usage_error("sweep: --rows and --cols are wanted");
	if (options.csv && options.png)
		usage_error("sweep: --csv or --png, not both");
	testbed_open(options.testbed);
	row = values_of(&options.rows, &nr_rows);
	col = values_of(&options.cols, &nr_cols);
	cell = calloc(nr_rows * nr_cols, sizeof(*cell));
	if (!row || !col || !cell)
		sim_fail("no memory for %u cells", nr_rows * nr_cols);
	figure = check();
	run_all();
	if (options.csv)
		print_csv();
	else if (options.png)
		plot_map(options.png, options.rows.name, options.cols.name, row, nr_rows, col,
			 nr_cols, cell, figure);
	else
		print_cells(figure);
	testbed_close();
	return 0;
}
