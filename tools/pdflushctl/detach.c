// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl detach: bring the stock engine back and unload ours.
 */
#include <getopt.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "ctl.h"
#include "livepatch.h"
#include "process.h"

static const char help[] =
"pdflushctl detach [--timeout SECONDS]\n"
"\n"
"Brings the stock engine back, with the settings it had before, and unloads the module.\n"
"Nothing dirty is lost. The module of tracepoints, pdflush_trace, stays.\n"
"\n"
"    -t, --timeout SECONDS    give up then (60): the engine stays in force. The same on ^C.\n"
"\n"
"Says on stderr which tasks have not gone over and which function they sleep in.\n"
"\n"
"Exit status: 0; 1 if it failed; 3 if there was no engine; 4 if it gave up.\n";

#define TRY_NS	100000000
#define WAY_BACK	10	/* seconds at least */

/* The last calls into the module end a moment after the transition. */
static int unload(double end)
{
	const struct timespec pause = { .tv_nsec = TRY_NS };
	const char *argv[] = { "rmmod", "pdflush", NULL };
	char said[256];
	double left;
	int status;

	do {
		left = end - now_seconds();
		status = process_run(argv, left > 1 ? left : 1, said, sizeof(said));
		if (!status) {
			printf("detached\n");
			return CTL_FINE;
		}
		if (status == PROCESS_STILL_RUNS)
			return ctl_error(CTL_GAVE_UP,
					 "the stock engine is in force; the module leaves when a "
					 "device "
					 "answers that one of its threads waits for; see dmesg");
		nanosleep(&pause, NULL);
	} while (now_seconds() < end && !livepatch_interrupted());
	return ctl_error(CTL_GAVE_UP, "the stock engine is in force, but the module stays: %s",
			 *said ? said : "rmmod failed");
}

static int turn_back(enum patch_wait why, double seconds)
{
	const char *reason = why == WAIT_INTERRUPTED ? "interrupted" : "not all tasks went over";
	char blockers[512];

	livepatch_blockers(blockers, sizeof(blockers));
	fprintf(stderr, "pdflushctl detach: %s%s%s; the engine stays\n", reason,
		*blockers ? ": " : "", blockers);
	/* it may have ended just now */
	if (livepatch_state() == PATCH_NONE)
		return unload(now_seconds() + seconds);
	if (livepatch_enable(true))
		return ctl_error(CTL_FAILED, "cannot go back: still being detached; try again: "
				 "pdflushctl detach");
	if (livepatch_wait(PATCH_ON, seconds) != WAIT_DONE)
		return ctl_error(CTL_GAVE_UP, "on the way back to the engine, but not there yet; "
				 "see: pdflushctl status");
	return ctl_error(CTL_GAVE_UP,
			 "gave up (%s); the engine is in force, as before. Try a longer --timeout",
			 reason);
}

static int detach(double seconds)
{
	double end = now_seconds() + seconds;
	enum patch_wait result;
	int err;

	switch (livepatch_state()) {
	case PATCH_NONE:
		if (!module_loaded("pdflush"))
			return ctl_error(CTL_NOT_LOADED, "there is nothing to detach");
		return unload(end);
	case PATCH_ON:
	case PATCH_GOING_ON:
		err = livepatch_enable(false);
		if (err)
			return ctl_error(CTL_FAILED, "the kernel refused to switch the livepatch "
						     "off (%d); see dmesg", err);
		break;
	case PATCH_GOING_OFF:
	case PATCH_OFF:
		break;
	}
	result = livepatch_wait(PATCH_NONE, seconds);
	if (result != WAIT_DONE)
		return turn_back(result, seconds > WAY_BACK ? seconds : WAY_BACK);
	return unload(end);
}

static int run(int argc, char **argv)
{
	double seconds = 60;
	const struct opt opts[] = {
		{ "timeout", 't', OPT_SECONDS, &seconds },
	};
	int status = options_read(&verb_detach, argc, argv, opts, ARRAY_SIZE(opts));

	if (status != OPT_GO_ON)
		return status;
	if (optind < argc)
		return ctl_error(CTL_USAGE, "%s is one word too many", argv[optind]);
	if (!ctl_may_change())
		return ctl_need_root("detach");
	livepatch_catch_signals();
	return detach(seconds);
}

const struct verb verb_detach = { "detach", "bring the stock engine back", help, run };
