// SPDX-License-Identifier: GPL-2.0
/*
 * The command line, as all commands have it.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <linux/kernel.h>
#include "options.h"
#include "settings.h"

enum { POLICY = 1, SET, SEED, JSON, PNG, CSV, ROWS, COLS, FIGURE, SEEDS, SECONDS };

static const struct option all[] = {
	{ "policy", required_argument, NULL, POLICY },
	{ "set", required_argument, NULL, SET },
	{ "seed", required_argument, NULL, SEED },
	{ "json", no_argument, NULL, JSON },
	{ "png", required_argument, NULL, PNG },
	{ "csv", no_argument, NULL, CSV },
	{ "rows", required_argument, NULL, ROWS },
	{ "cols", required_argument, NULL, COLS },
	{ "figure", required_argument, NULL, FIGURE },
	{ "seeds", required_argument, NULL, SEEDS },
	{ "seconds", required_argument, NULL, SECONDS },
	{ NULL, 0, NULL, 0 }
};

static const unsigned int belongs_to[] = {
	[JSON] = OPT_JSON, [PNG] = OPT_PNG, [CSV] = OPT_SWEEP, [ROWS] = OPT_SWEEP,
	[COLS] = OPT_SWEEP, [FIGURE] = OPT_SWEEP, [SEEDS] = OPT_SEEDS, [SECONDS] = OPT_JSON,
};

static u64 whole_number(const char *option, const char *text)
{
	char *end;
	u64 value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || errno)
		usage_error("--%s wants a number, not \"%s\"", option, text);
	return value;
}

static double number(const char *option, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0) || value > 1e6)
		usage_error("--%s wants a number above 0, not \"%s\"", option, text);
	return value;
}

static void read_axis(struct axis *axis, const char *option, const char *text)
{
	int end = 0;

	if (sscanf(text, "%63[^=]=%lf:%lf:%lf%n", axis->name, &axis->from, &axis->to, &axis->step,
		   &end) != 4 || text[end])
		usage_error("--%s wants NAME=FROM:TO:STEP, not \"%s\"", option, text);
	if (!axis->step || (axis->to - axis->from) / axis->step < 0)
		usage_error("--%s %s: such steps never lead from %g to %g", option, text,
			    axis->from,     axis->to);
	if ((axis->to - axis->from) / axis->step > 1000)
		usage_error("--%s %s: more than 1000 steps", option, text);
}

static void take(struct options *options, int option, const char *name)
{
	switch (option) {
	case POLICY:
		setting_command_replace("writeback_policy", optarg);
		break;
	case SET:
		setting_command(optarg);
		break;
	case SEED:
		options->seed = whole_number(name, optarg);
		break;
	case SEEDS:
		options->seeds = whole_number(name, optarg);
		break;
	case JSON:
		options->json = true;
		break;
	case CSV:
		options->csv = true;
		break;
	case PNG:
		options->png = optarg;
		break;
	case FIGURE:
		options->figure = optarg;
		break;
	case SECONDS:
		options->seconds = number(name, optarg);
		break;
	case ROWS:
		read_axis(&options->rows, name, optarg);
		break;
	case COLS:
		read_axis(&options->cols, name, optarg);
		break;
	}
}

/**
 * options_read - read a command's line
 * @options: result
 * @argc: of main(), without the program's name
 * @argv: likewise; the command first
 * @known: OPT_ bits
 */
void options_read(struct options *options, int argc, char **argv, unsigned int known)
{
	int option, which = 0;

	*options = (struct options){ .seed = 1, .seeds = 1000 };
	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", all, &which)) != -1) {
		if (option == ':')
			usage_error("%s wants a value", argv[optind - 1]);
		if (option == '?')
			usage_error("there is no option %s", argv[optind - 1]);
		if ((size_t)option < ARRAY_SIZE(belongs_to) && belongs_to[option] &&
		    !(belongs_to[option] & known))
			usage_error("%s has no option --%s", argv[0], all[which].name);
		take(options, option, all[which].name);
	}
	if (optind != argc - 1)
		usage_error("%s: %s", argv[0], optind == argc ? "a testbed is wanted" :
			    "one testbed only");
	options->testbed = argv[optind];
}
