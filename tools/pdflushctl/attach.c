// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl attach: load the engine and see it in force, or leave things as they were.
 */
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"
#include "engine.h"
#include "livepatch.h"
#include "process.h"

static const char help[] =
"pdflushctl attach [--timeout SECONDS] [--module FILE] [NAME=VALUE]...\n"
"\n"
"Loads the engine and waits until all tasks have come over to it, which takes a second or so.\n"
"NAME=VALUE are parameters of the module: background, async, sync (percent), policy.\n"
"\n"
"    -t, --timeout SECONDS    give up then (60): tasks go back to the stock engine, the module\n"
"                             is removed, nothing is left. The same on ^C.\n"
"    -m, --module FILE        this pdflush.ko, with the pdflush_trace.ko beside it, if any;\n"
"                             else modprobe's\n"
"\n"
"Says on stderr which tasks have not come over and which function they sleep in.\n"
"\n"
"Exit status: 0, also if it was attached before; 1 if the kernel refused; 4 if it gave up.\n";

#define MAX_PARAMETERS	16
#define WAY_BACK	10	/* seconds at least; a transition takes one or two */

/* ---- What the kernel log says of a refusal ------------------------------------------------- */

static int open_log(void)
{
	char real[PATH_MAX];
	int fd = open(root_path("/dev/kmsg", real, sizeof(real)),
		      O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* The last of our lines since open_log(); "" if there is none. */
static void read_log(int fd, char *buf, size_t size)
{
	static const char mark[] = "pdflush: not loaded: ";
	char record[8192], *found;
	ssize_t got;

	buf[0] = '\0';
	while (fd >= 0 && (got = read(fd, record, sizeof(record) - 1)) > 0) {
		record[got] = '\0';
		found = strstr(record, mark);
		if (!found)
			continue;
		found += strlen(mark);
		snprintf(buf, size, "%.*s", (int)strcspn(found, "\n"), found);
	}
	if (fd >= 0)
		close(fd);
}

/* ---- Loading ------------------------------------------------------------------------------- */

/* The module of tracepoints, if it lies beside the engine's. It is not needed. */
static void load_tracepoints(const char *module, double seconds)
{
	const char *slash = strrchr(module, '/');
	char path[PATH_MAX], said[256];
	const char *argv[] = { "insmod", path, NULL };

	snprintf(path, sizeof(path), "%.*spdflush_trace.ko",
		 slash ? (int)(slash - module) + 1 : 0, module);
	if (!module_loaded("pdflush_trace") && !access(path, R_OK))
		process_run(argv, seconds, said, sizeof(said));
}

static int load(const char *module, char **parameters, double seconds)
{
	const char *argv[MAX_PARAMETERS + 3] = { "modprobe", "pdflush" };
	char said[256], reason[256];
	int log = open_log(), status, i;

	if (module) {
		argv[0] = "insmod";
		argv[1] = module;
		load_tracepoints(module, seconds);
	}
	for (i = 0; parameters[i]; i++)
		argv[i + 2] = parameters[i];
	status = process_run(argv, seconds, said, sizeof(said));
	read_log(log, reason, sizeof(reason));
	if (status == PROCESS_STILL_RUNS)
		return ctl_error(CTL_GAVE_UP, "%s is still at it after %.0f s; see: ps, dmesg",
				 argv[0], seconds);
	if (status && *reason)
		return ctl_error(CTL_FAILED, "the engine refused: %s", reason);
	if (status)
		return ctl_error(CTL_FAILED, "%s; pdflushctl doctor tells what may be missing",
				 *said ? said : "loading failed without a word");
	return CTL_FINE;
}

static bool remove_module(double seconds)
{
	const char *argv[] = { "rmmod", "pdflush", NULL };
	char said[256];

	return !process_run(argv, seconds, said, sizeof(said));
}

/* ---- Waiting, and the way back ------------------------------------------------------------- */

static int turn_back(enum patch_wait why, double seconds)
{
	const char *reason = why == WAIT_INTERRUPTED ? "interrupted" : "not all tasks came over";
	char blockers[512];

	livepatch_blockers(blockers, sizeof(blockers));
	fprintf(stderr, "pdflushctl attach: %s%s%s; going back\n", reason, *blockers ? ": " : "",
		blockers);
	if (livepatch_state() != PATCH_NONE && livepatch_enable(false))
		return ctl_error(CTL_FAILED,
				 "cannot go back: write 0 to "
				 "/sys/kernel/livepatch/pdflush/enabled");
	if (livepatch_wait(PATCH_NONE, seconds) != WAIT_DONE) {
		livepatch_blockers(blockers, sizeof(blockers));
		return ctl_error(CTL_GAVE_UP,
				 "still on the way back, waiting for %s; end with: pdflushctl "
				 "detach",
				 *blockers ? blockers : "tasks");
	}
	if (module_loaded("pdflush") && !remove_module(seconds))
		return ctl_error(CTL_GAVE_UP, "the stock engine is in force, but the module is "
					      "still in use; remove it with: rmmod pdflush");
	return ctl_error(CTL_GAVE_UP,
			 "gave up (%s); the stock engine is in force, as before. Try a longer "
			 "--timeout",
			 reason);
}

static int wait_for_tasks(double seconds)
{
	enum patch_wait result = livepatch_wait(PATCH_ON, seconds);
	struct engine eng;

	if (result != WAIT_DONE)
		return turn_back(result, seconds > WAY_BACK ? seconds : WAY_BACK);
	if (engine_read(&eng)) {
		printf("attached\n");
		engine_free(&eng);
		return CTL_FINE;
	}
	return ctl_error(CTL_FAILED, "the livepatch is in force, but there is no /proc/pdflush; "
				     "see dmesg");
}

static int attach(const char *module, char **parameters, double seconds)
{
	double end = now_seconds() + seconds;
	int status;

	switch (livepatch_state()) {
	case PATCH_ON:
		if (*parameters)
			return ctl_error(CTL_FAILED, "it is attached already: parameters are of "
						     "no use; change files in /proc/sys/vm, or "
						     "apply a profile");
		printf("attached already\n");
		return CTL_FINE;
	case PATCH_GOING_ON:
		return wait_for_tasks(seconds);
	case PATCH_GOING_OFF:
	case PATCH_OFF:
		return ctl_error(CTL_FAILED,
				 "it is being detached; end that first with: pdflushctl detach");
	case PATCH_NONE:
		break;
	}
	/* one that was switched off can't be switched on again */
	if (module_loaded("pdflush") && !remove_module(seconds))
		return ctl_error(CTL_FAILED, "an old module is still in use; see: lsmod, dmesg");
	status = load(module, parameters, seconds);
	if (status)
		return status;
	seconds = end - now_seconds();
	return wait_for_tasks(seconds > 0 ? seconds : 0);
}

static int run(int argc, char **argv)
{
	const char *module = NULL;
	double seconds = 60;
	const struct opt opts[] = {
		{ "timeout", 't', OPT_SECONDS, &seconds },
		{ "module", 'm', OPT_TEXT, &module },
	};
	int status = options_read(&verb_attach, argc, argv, opts, ARRAY_SIZE(opts)), i;

	if (status != OPT_GO_ON)
		return status;
	for (i = optind; i < argc; i++)
		if (!strchr(argv[i], '=') || argv[i][0] == '=' || i - optind == MAX_PARAMETERS)
			return ctl_error(CTL_USAGE, "%s is no NAME=VALUE; see pdflushctl attach "
						    "--help",
					 argv[i]);
	if (!ctl_may_change())
		return ctl_need_root("attach");
	if (module && access(module, R_OK))
		return ctl_error(CTL_FAILED, "cannot read %s: make builds it", module);
	livepatch_catch_signals();
	return attach(module, argv + optind, seconds);
}

const struct verb verb_attach = { "attach", "load the engine and see it in force", help, run };
