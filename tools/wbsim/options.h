/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line, as all commands have it.
 */
#ifndef _SIM_OPTIONS_H
#define _SIM_OPTIONS_H

#include <linux/types.h>

/**
 * struct axis - values of a setting
 * @name: of the setting
 * @from: the first
 * @to: the last, if a number of steps leads there
 * @step: may be negative
 */
struct axis {
	char name[64];
	double from, to, step;
};

struct options {
	const char *testbed;
	u64 seed;
	u64 seeds;
	double seconds;
	bool json;
	bool csv;
	const char *png;
	const char *figure;
	struct axis rows, cols;
};

/* Which options a command knows. */
#define OPT_JSON	1
#define OPT_PNG		2
#define OPT_SWEEP	4
#define OPT_SEEDS	8

void options_read(struct options *options, int argc, char **argv, unsigned int known);

#endif
