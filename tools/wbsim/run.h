/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One run of a testbed, and what is known afterwards.
 */
#ifndef _SIM_RUN_H
#define _SIM_RUN_H

#include <jansson.h>
#include <linux/types.h>

/* A point of the time lines. */
struct sample {
	double seconds;
	unsigned long dirty, writeback, background, async, sync;
};

struct run_options {
	u64 seed;
	double seconds;		/* end then, if not before; 0: as the testbed says */
	bool explore;
	bool quiet;		/* no progress */
	bool samples;
};

extern struct sample *run_samples;
extern unsigned int nr_run_samples;

void run_testbed(const struct run_options *options);
json_t *run_figures(void);
void run_clear(void);
double figure_of(const json_t *figures, const char *name);
void print_table(const json_t *figures);

int command_run(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_explore(int argc, char **argv);

void plot_lines(const char *path);
void plot_map(const char *path, const char *rows, const char *cols, const double *row_value,
	      unsigned int nr_rows, const double *col_value, unsigned int nr_cols,
	      const double *cell, const char *figure);

#endif
