// SPDX-License-Identifier: GPL-2.0
/*
 * Options of a verb, from a table, by getopt_long().
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ctl.h"

#define MAX_OPTS	16
#define FIRST_LONG	256	/* what getopt_long() returns for an option without a letter */

/**
 * parse_seconds - a time as people write it: 2, 0.5
 * @text: to its end
 * @value: result; left alone on an error
 *
 * From a hundredth of a second to a day.
 */
bool parse_seconds(const char *text, double *value)
{
	char *end;
	double number;

	errno = 0;
	number = strtod(text, &end);
	if (errno || end == text || *end || !isfinite(number) || number < 0.01 || number > 86400)
		return false;
	*value = number;
	return true;
}

/**
 * parse_count - a whole number from 1 on
 * @text: to its end
 * @value: result; left alone on an error
 */
bool parse_count(const char *text, unsigned long *value)
{
	char *end;
	unsigned long number;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || !number)
		return false;
	*value = number;
	return true;
}

static int take_value(const struct opt *opt, const char *text)
{
	switch (opt->kind) {
	case OPT_FLAG:
		*(bool *)opt->value = true;
		return OPT_GO_ON;
	case OPT_TEXT:
		*(const char **)opt->value = text;
		return OPT_GO_ON;
	case OPT_COUNT:
		if (parse_count(text, opt->value))
			return OPT_GO_ON;
		return ctl_error(CTL_USAGE, "--%s wants a whole number from 1 on, not %s",
				 opt->name, text);
	case OPT_SECONDS:
		if (parse_seconds(text, opt->value))
			return OPT_GO_ON;
		return ctl_error(CTL_USAGE, "--%s wants seconds, 0.01 to 86400, not %s",
				 opt->name, text);
	}
	return CTL_USAGE;
}

static int complain(const struct verb *verb, char **argv, int what)
{
	const char *word = argv[optind - 1];

	if (what == ':')
		return ctl_error(CTL_USAGE, "%s wants a value; see pdflushctl %s --help", word,
				 verb->name);
	if (optopt && optopt < FIRST_LONG)
		return ctl_error(CTL_USAGE, "there is no option -%c; see pdflushctl %s --help",
				 optopt, verb->name);
	return ctl_error(CTL_USAGE, "there is no option %s; see pdflushctl %s --help", word,
			 verb->name);
}

/**
 * options_read - take the options of a verb
 * @verb: for its help
 * @argc: as given to the verb
 * @argv: as given to the verb; what are no options are moved to its end
 * @opts: the options there are, besides --help
 * @nr_opts: how many
 *
 * Returns OPT_GO_ON, with optind at the first word that is no option, or an exit code.
 */
int options_read(const struct verb *verb, int argc, char **argv, const struct opt *opts,
		 size_t nr_opts)
{
	struct option longs[MAX_OPTS + 2] = { 0 };
	char shorts[2 * MAX_OPTS + 4] = ":h", *s = shorts + 2;
	int found, status;
	size_t i;

	for (i = 0; i < nr_opts && i < MAX_OPTS; i++) {
		longs[i].name = opts[i].name;
		longs[i].has_arg = opts[i].kind == OPT_FLAG ? no_argument : required_argument;
		longs[i].val = FIRST_LONG + (int)i;
		if (!opts[i].letter)
			continue;
		*s++ = opts[i].letter;
		if (opts[i].kind != OPT_FLAG)
			*s++ = ':';
	}
	longs[i].name = "help";
	longs[i].val = 'h';
	opterr = 0;
	optind = 1;
	while ((found = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (found == 'h') {
			fputs(verb->help, stdout);
			return CTL_FINE;
		}
		if (found == '?' || found == ':')
			return complain(verb, argv, found);
		for (i = 0; i < nr_opts; i++)
			if (found == FIRST_LONG + (int)i || found == opts[i].letter)
				break;
		status = take_value(&opts[i], optarg);
		if (status != OPT_GO_ON)
			return status;
	}
	return OPT_GO_ON;
}

/**
 * options_interval - take the one word that may follow the options: seconds
 * @argc: as options_read() left them
 * @argv: as options_read() left them
 * @interval: result; stays as it is if there is no word
 *
 * Returns OPT_GO_ON, or the status to end with.
 */
int options_interval(int argc, char **argv, double *interval)
{
	if (optind < argc && !parse_seconds(argv[optind++], interval))
		return ctl_error(CTL_USAGE, "the interval is seconds, 0.01 to 86400, not %s",
				 argv[optind - 1]);
	if (optind < argc)
		return ctl_error(CTL_USAGE, "%s is one word too many", argv[optind]);
	return OPT_GO_ON;
}
