// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl trace: verdicts and stalls as they happen, through libtracefs.
 *
 * The events go to a buffer of our own, an instance, so that nobody else's tracing is disturbed;
 * it is removed at the end.
 */
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <event-parse.h>
#include <tracefs.h>
#include "ctl.h"
#include "engine.h"
#include "livepatch.h"

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

#define SYSTEM		"pdflush"
#define VERDICT		"pdflush_verdict"
#define RELEASE		"pdflush_release"
#define INSTANCE	"pdflushctl-"
#define LOOK_NS		100000000	/* between two looks into the buffer */
#define MAX_THREADS	64		/* of one process, in a filter */
#define FILTER_MAX	4096

enum { NOTHING, KICK, PACE, WAIT };

struct trace {
	struct tep_handle *tep;
	struct tracefs_instance *instance;
	unsigned long count;		/* lines to go, 0: no end */
	bool ended;
	unsigned long long start;	/* of the first event, ns */
	double mb;			/* of a page */
};

/* ---- Lines --------------------------------------------------------------------------------- */

static unsigned long long field(struct tep_event *event, struct tep_record *record,
				const char *name)
{
	unsigned long long value = 0;

	tep_get_field_val(NULL, event, name, record, &value, 0);
	return value;
}

/* Of numbers, the name in /proc/pdflush/devices. The last one asked for is kept. */
static const char *device_name(const char *bdi)
{
	static char known[33], name[33];
	char path[96], line[128], *rest, *text;

	if (!strcmp(known, bdi))
		return name;
	snprintf(known, sizeof(known), "%s", bdi);
	snprintf(name, sizeof(name), "%s", bdi);
	snprintf(path, sizeof(path), "/sys/dev/block/%.40s/uevent", bdi);
	text = read_text(path);
	for (rest = text; rest; ) {
		snprintf(line, sizeof(line), "%s", strsep(&rest, "\n"));
		if (!strncmp(line, "DEVNAME=", 8))
			snprintf(name, sizeof(name), "%.32s", line + 8);
	}
	free(text);
	return name;
}

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
	unsigned long long verdict = field(event, record, "verdict");

	printf("%-7s %.1f + %.1f of %.1f/%.1f/%.1f MB",
	       verdict < ARRAY_SIZE(name) ? name[verdict] : "?",
	       (double)field(event, record, "dirty") * trace->mb,
	       (double)field(event, record, "writeback") * trace->mb,
	       (double)field(event, record, "background") * trace->mb,
	       (double)field(event, record, "async") * trace->mb,
	       (double)field(event, record, "sync") * trace->mb);
	if (verdict >= PACE)
		printf(", for %llu pages", field(event, record, "hold"));
}

static int on_event(struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
	struct trace *trace = data;
	int pid = tep_data_pid(trace->tep, record), len = 0;
	char comm[20], device[33], held[TEXT_MAX];
	const char *raw;

	(void)cpu;
	if (trace->ended)
		return 1;
	if (!trace->start)
		trace->start = record->ts;
	raw = tep_get_field_raw(NULL, event, "device", record, &len, 0);
	snprintf(device, sizeof(device), "%.*s", raw ? len : 0, raw ? raw : "");
	task_name(pid, comm, sizeof(comm));
	printf("%11.6f %-15s %7d %-10s ", (double)(record->ts - trace->start) / 1e9, comm, pid,
	       device_name(device));
	if (!strcmp(event->name, VERDICT))
		print_verdict(trace, event, record);
	else
		printf("held    %s in %llu sleeps",
		       text_ms((double)field(event, record, "us") / 1000, held),
		       field(event, record, "rounds"));
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

/* ---- The instance -------------------------------------------------------------------------- */

/* Instances of runs that were killed. */
static void remove_old(void)
{
	char **names = tracefs_instances("^" INSTANCE "[0-9]+$");
	struct tracefs_instance *old;
	size_t i;

	for (i = 0; names && names[i]; i++) {
		if (!kill(atoi(names[i] + strlen(INSTANCE)), 0) || errno != ESRCH)
			continue;
		old = tracefs_instance_create(names[i]);
		if (!old)
			continue;
		tracefs_instance_destroy(old);
		tracefs_instance_free(old);
	}
	tracefs_list_free(names);
}

static int start(struct trace *trace, const char *filter, bool all)
{
	static const char * const systems[] = { SYSTEM, NULL };
	char name[32], verdicts[FILTER_MAX + 32];
	const char *none = "0";

	remove_old();
	trace->tep = tracefs_local_events_system(NULL, systems);
	if (!trace->tep)
		return ctl_error(CTL_FAILED, "cannot read the format of the events");
	snprintf(name, sizeof(name), INSTANCE "%d", getpid());
	trace->instance = tracefs_instance_create(name);
	if (!trace->instance)
		return ctl_error(CTL_FAILED, "cannot make a trace instance: %s", strerror(errno));
	snprintf(verdicts, sizeof(verdicts), "%s%s%s", all ? "" : "verdict > 0",
		 *filter && !all ? " && " : "", filter);
	if (tracefs_event_file_write(trace->instance, SYSTEM, VERDICT, "filter",
				     *verdicts ? verdicts : none) < 0 ||
	    tracefs_event_file_write(trace->instance, SYSTEM, RELEASE, "filter",
				     *filter ? filter : none) < 0)
		return ctl_error(CTL_FAILED, "the kernel refused the filter");
	tracefs_follow_missed_events(trace->instance, on_missed, trace);
	if (tracefs_event_enable(trace->instance, SYSTEM, VERDICT) ||
	    tracefs_event_enable(trace->instance, SYSTEM, RELEASE))
		return ctl_error(CTL_FAILED, "the kernel refused to switch the events on");
	return CTL_FINE;
}

static void stop(struct trace *trace)
{
	if (trace->instance) {
		tracefs_event_disable(trace->instance, SYSTEM, NULL);
		tracefs_instance_destroy(trace->instance);
		tracefs_instance_free(trace->instance);
	}
	if (trace->tep)
		tep_free(trace->tep);
}

static int follow(struct trace *trace)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };

	fprintf(stderr, "pdflushctl trace: tracing; ^C ends it\n");
	while (!trace->ended && !livepatch_interrupted()) {
		tracefs_iterate_raw_events(trace->tep, trace->instance, NULL, 0, on_event, trace);
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
	if (!tracefs_event_file_exists(NULL, SYSTEM, VERDICT, "format"))
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
	stop(&trace);
	return status;
}

const struct verb verb_trace = { "trace", "verdicts and stalls as they happen", help, run };
