// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl: looks at and sets the pdflush engine.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"

static const struct verb * const verbs[] = {
	&verb_status, &verb_top, &verb_watch, &verb_attach, &verb_detach, &verb_profile,
	&verb_trace, &verb_metrics, &verb_doctor,
};

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	return NULL;
}

static int help(void)
{
	size_t i;

	printf("pdflushctl: look at the pdflush writeback engine, and set it\n\n"
	       "pdflushctl VERB [OPTION]...\n");
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		printf("    %-9s %s\n", verbs[i]->name, verbs[i]->summary);
	printf("\npdflushctl VERB --help tells more; see also pdflushctl(8). Root is needed to "
	       "change\n"
	       "something, not to look.\n\n"
	       "Exit status: 0 fine, 1 failed, 2 wrong usage, 3 the engine is not loaded, 4 gave "
	       "up.\n");
	return CTL_FINE;
}

/* The last words may be lost on a full disk: that is a failure, too. */
static int end(int status)
{
	if ((fflush(stdout) || ferror(stdout)) && !status)
		return ctl_error(CTL_FAILED, "cannot write what is to be shown");
	return status;
}

int main(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2)
		return ctl_error(CTL_USAGE, "a verb is wanted; see pdflushctl --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return end(help());
	if (!strcmp(argv[1], "help") && argc < 3)
		return end(help());
	if (!strcmp(argv[1], "help")) {
		verb = find_verb(argv[2]);
		if (verb) {
			fputs(verb->help, stdout);
			return end(CTL_FINE);
		}
		return ctl_error(CTL_USAGE, "there is no verb %s; see pdflushctl --help", argv[2]);
	}
	verb = find_verb(argv[1]);
	if (!verb)
		return ctl_error(CTL_USAGE, "there is no verb %s; see pdflushctl --help", argv[1]);
	ctl_verb = verb->name;
	return end(verb->run(argc - 1, argv + 1));
}
