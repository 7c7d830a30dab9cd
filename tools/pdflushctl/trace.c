// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl trace: verdicts and stalls as they happen.
 */
#include <dirent.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "ctl.h"
#include "engine.h"
#include "livepatch.h"
#include "tracing.h"

static const char help[] =
"pdflushctl trace [--pid N] [--device D] [--all] [-n COUNT]\n"
"\n"
"A line for each verdict on a writer and each end of a hold, until interrupted: seconds,\n"
"the task, its device, and\n"
"    kick, pace, wait    the verdict, with what was dirty, on its way, and the three thresholds\n"
"    held                it goes on: how long it was held, in how many sleeps\n"
"\n"
"    -p, --pid N         of this process (its threads of now) alone\n"
"    -d, --device D      of this device alone: sda, or the name in /proc/pdflush/devices\n"
"    -a, --all           verdicts \"nothing\", too: there are many\n"
"    -n, --count COUNT   end after so many lines\n"
"\n"
"Needs root and the module pdflush_trace. The trace instance pdflushctl-PID is removed at the\n"
"end. Exit status: 0, also on ^C; 1 if the kernel refused; 3 if the engine is not loaded.\n";

#define LOOK_NS		100000000	/* between two looks into the buffer */
#define MAX_THREADS	64		/* of one process, in a filter */
#define FILTER_MAX	4096

enum { NOTHING, KICK, PACE, WAIT };

struct trace {
	struct tracing buffer;
	unsigned long count;		/* lines to go, 0: no end */
	bool ended;
	unsigned long long start;	/* of the first event, ns */
	double mb;			/* of a page */
};

/* ---- Lines --------------------------------------------------------------------------------- */

static void task_name(int pid, char *buf, size_t size)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (!read_word(path, buf, size) || !*buf)
		snprintf(buf, size, "(gone)");
}

static void print_verdict(const struct trace *trace, struct tep_event *event,
			  struct tep_record *record)
{
	static const char * const name[] = { "nothing", "kick", "pace", "wait" };
	unsigned long long verdict = tracing_number(event, record, "verdict");

	printf("%-7s %.1f + %.1f of %.1f/%.1f/%.1f MB",
	       verdict < ARRAY_SIZE(name) ? name[verdict] : "?",
	       (double)tracing_number(event, record, "dirty") * trace->mb,
	       (double)tracing_number(event, record, "writeback") * trace->mb,
	       (double)tracing_number(event, record, "background") * trace->mb,
	       (double)tracing_number(event, record, "async") * trace->mb,
	       (double)tracing_number(event, record, "sync") * trace->mb);
	if (verdict >= PACE)
		printf(", for %llu pages", tracing_number(event, record, "hold"));
}

static int on_event(struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
	struct trace *trace = data;
	int pid = tep_data_pid(trace->buffer.tep, record);
	char comm[20], held[TEXT_MAX];
	unsigned long long sleeps;

	(void)cpu;
	if (trace->ended)
		return 1;
	if (!trace->start)
		trace->start = record->ts;
	task_name(pid, comm, sizeof(comm));
	printf("%11.6f %-15s %7d %-10s ", (double)(record->ts - trace->start) / 1e9, comm, pid,
	       tracing_device(event, record));
	if (!strcmp(event->name, TRACING_VERDICT)) {
		print_verdict(trace, event, record);
	} else {
		sleeps = tracing_number(event, record, "rounds");
		printf("held    %s in %llu sleep%s",
		       text_ms((double)tracing_number(event, record, "us") / 1000, held), sleeps,
		       sleeps == 1 ? "" : "s");
	}
	printf("\n");
	if (ferror(stdout) || (trace->count && !--trace->count))
		trace->ended = true;
	return trace->ended;
}

static int on_missed(struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
	(void)event;
	(void)data;
	fprintf(stderr, "pdflushctl trace: %lld events were lost on CPU %d: too many; use --pid "
			"or --device\n", record->missed_events, cpu);
	return 0;
}

/* ---- Filters ------------------------------------------------------------------------------- */

static void add_term(char *filter, const char *format, const char *value)
{
	size_t used = strlen(filter);

	used += (size_t)snprintf(filter + used, FILTER_MAX - used, "%s", used ? " && " : "");
	if (used < FILTER_MAX)
		snprintf(filter + used, FILTER_MAX - used, format, value);
}

/* The threads a process has now; false if there is none. */
static bool threads_term(unsigned long pid, char *term, size_t size)
{
	char path[48], real[300];
	struct dirent *entry;
	size_t used = 0, nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%lu/task", pid);
	dir = opendir(root_path(path, real, sizeof(real)));
	if (!dir)
		return false;
	while ((entry = readdir(dir)) && nr < MAX_THREADS)
		if (atoi(entry->d_name) > 0)
			used += (size_t)snprintf(term + used, size - used, "%scommon_pid == %s",
						 nr++ ? " || " : "", entry->d_name);
	closedir(dir);
	return nr;
}

/* What events call a device that people call so: its number, if it is a disk. */
static bool device_term(const char *device, char *number, size_t size)
{
	char path[128];

	if (strchr(device, '/') || strchr(device, '"') || strlen(device) > 31)
		return false;
	snprintf(path, sizeof(path), "/sys/block/%s/dev", device);
	if (read_word(path, number, size) && *number)
		return true;
	snprintf(number, size, "%s", device);
	snprintf(path, sizeof(path), "/sys/class/bdi/%s", device);
	return path_exists(path);
}

static int make_filter(unsigned long pid, const char *device, char *filter)
{
	char number[40], threads[FILTER_MAX / 2];

	if (pid) {
		if (!threads_term(pid, threads, sizeof(threads)))
			return ctl_error(CTL_FAILED, "there is no process %lu", pid);
		add_term(filter, "(%s)", threads);
	}
	if (device) {
		if (!device_term(device, number, sizeof(number)))
			return ctl_error(CTL_FAILED, "there is no disk %s; a partition's disk is "
						     "meant: see /proc/pdflush/devices", device);
		add_term(filter, "device == \"%s\"", number);
	}
	return CTL_FINE;
}

/* ---- The verb ------------------------------------------------------------------------------ */

static int start(struct trace *trace, const char *filter, bool all)
{
	char verdicts[FILTER_MAX + 32];

	if (!tracing_open(&trace->buffer))
		return ctl_error(CTL_FAILED, "the kernel makes no trace instance; see dmesg");
	snprintf(verdicts, sizeof(verdicts), "%s%s%s", all ? "" : "verdict > 0",
		 *filter && !all ? " && " : "", filter);
	tracefs_follow_missed_events(trace->buffer.instance, on_missed, trace);
	if (!tracing_enable(&trace->buffer, TRACING_VERDICT, verdicts) ||
	    !tracing_enable(&trace->buffer, TRACING_RELEASE, filter))
		return ctl_error(CTL_FAILED, "the kernel refused the events or their filter");
	return CTL_FINE;
}

static int follow(struct trace *trace)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };

	fprintf(stderr, "pdflushctl trace: tracing; ^C ends it\n");
	while (!trace->ended && !livepatch_interrupted()) {
		tracing_read(&trace->buffer, on_event, trace);
		if (fflush(stdout))
			break;
		if (!engine_there())
			return ctl_error(CTL_NOT_LOADED, "the engine has been unloaded meanwhile");
		if (!trace->ended)
			nanosleep(&pause, NULL);
	}
	return CTL_FINE;
}

static int check_tracing(void)
{
	if (!engine_there())
		return ctl_not_loaded();
	if (geteuid())
		return ctl_need_root("trace");
	if (!tracefs_tracing_dir())
		return ctl_error(CTL_FAILED, "there is no tracefs; try: mount -t tracefs tracefs "
				 "/sys/kernel/tracing");
	if (!tracing_there())
		return ctl_error(CTL_FAILED, "there are no events; try: modprobe pdflush_trace");
	return CTL_FINE;
}

static int run(int argc, char **argv)
{
	struct trace trace = { .mb = (double)sysconf(_SC_PAGESIZE) / (1 << 20) };
	char filter[FILTER_MAX] = "";
	const char *device = NULL;
	unsigned long pid = 0;
	bool all = false;
	const struct opt opts[] = {
		{ "pid", 'p', OPT_COUNT, &pid },
		{ "device", 'd', OPT_TEXT, &device },
		{ "all", 'a', OPT_FLAG, &all },
		{ "count", 'n', OPT_COUNT, &trace.count },
	};
	int status = options_read(&verb_trace, argc, argv, opts, ARRAY_SIZE(opts));

	if (status != OPT_GO_ON)
		return status;
	if (optind < argc)
		return ctl_error(CTL_USAGE, "%s is one word too many", argv[optind]);
	status = check_tracing();
	if (!status)
		status = make_filter(pid, device, filter);
	if (status)
		return status;
	/* from here on there is something to take away */
	livepatch_catch_signals();
	signal(SIGPIPE, SIG_IGN);
	status = start(&trace, filter, all);
	if (!status)
		status = follow(&trace);
	tracing_close(&trace.buffer);
	return status;
}

const struct verb verb_trace = { "trace", "verdicts and stalls as they happen", help, run };
