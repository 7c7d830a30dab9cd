// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl metrics: for Prometheus, as text.
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ctl.h"
#include "engine.h"
#include "livepatch.h"
#include "settings.h"

static const char help[] =
"pdflushctl metrics [--textfile DIR]\n"
"\n"
"The engine's figures in Prometheus' text format. Without the engine there is one:\n"
"pdflush_up 0.\n"
"\n"
"    --textfile DIR    into DIR/pdflush.prom, for the textfile collector of node_exporter; the\n"
"                      file is replaced whole. Without it, to standard output.\n"
"\n"
"For a timer or cron. Exit status: 0, also without the engine; 1 if DIR can't be written.\n";

#define FILE_NAME	"pdflush.prom"

/* What is to be written. */
static FILE *out;

static void family(const char *name, const char *type, const char *text)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, text, name, type);
}

static void single(const char *name, const char *type, const char *text, double value)
{
	family(name, type, text);
	fprintf(out, "%s %.15g\n", name, value);
}

/* One label; its value's own quotes and backslashes are marked. */
static void labelled(const char *name, const char *label, const char *value, double number)
{
	fprintf(out, "%s{%s=\"", name, label);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			fputc('\\', out);
		fputc(*value, out);
	}
	fprintf(out, "\"} %.15g\n", number);
}

static void put_verdicts(const struct engine *eng)
{
	static const char * const verdict[] = { "nothing", "kick", "pace", "wait" };
	char name[NAME_MAX_LEN];
	size_t i;

	family("pdflush_verdicts_total", "counter", "Checks of writers, by what came of them.");
	for (i = 0; i < ARRAY_SIZE(verdict); i++) {
		snprintf(name, sizeof(name), "verdict_%s", verdict[i]);
		labelled("pdflush_verdicts_total", "verdict", verdict[i],
			 (double)stat_of(eng, name));
	}
}

static void put_written(const struct engine *eng)
{
	static const char * const by[] = { "pdflush", "kupdate", "others" };
	char name[NAME_MAX_LEN];
	size_t i;

	family("pdflush_written_bytes_total", "counter",
	       "Written: in the background, as old data, by others.");
	for (i = 0; i < ARRAY_SIZE(by); i++) {
		snprintf(name, sizeof(name), "pages_by_%s", by[i]);
		labelled("pdflush_written_bytes_total", "by", by[i], stat_bytes(eng, name));
	}
}

/* The last slot has no end. */
static void put_stalls(const struct engine *eng)
{
	unsigned long long count = 0;
	size_t i;

	family("pdflush_stall_seconds", "histogram", "How long writers were held, each time.");
	for (i = 0; i < eng->nr_stalls; i++) {
		count += eng->stalls[i].count;
		if (i + 1 < eng->nr_stalls)
			fprintf(out, "pdflush_stall_seconds_bucket{le=\"%.15g\"} %llu\n",
				(double)eng->stalls[i + 1].from_us / 1e6, count);
	}
	fprintf(out, "pdflush_stall_seconds_bucket{le=\"+Inf\"} %llu\n", count);
	fprintf(out, "pdflush_stall_seconds_sum %.15g\n",
		(double)stat_of(eng, "stalled_ms") / 1e3);
	fprintf(out, "pdflush_stall_seconds_count %llu\n", count);
	single("pdflush_stall_longest_seconds", "gauge", "The longest that a writer was held.",
	       (double)stat_of(eng, "stall_max_ms") / 1e3);
	if (stat_there(eng, "held"))
		single("pdflush_held_writers", "gauge", "Writers held at this moment.",
		       (double)stat_of(eng, "held"));
}

static void put_memory(const struct engine *eng)
{
	int level;

	family("pdflush_threshold_bytes", "gauge", "Thresholds in force.");
	for (level = BACKGROUND; level < NR_LEVELS; level++)
		labelled("pdflush_threshold_bytes", "level", level_name[level],
			 threshold_bytes(eng, level));
	single("pdflush_dirtyable_bytes", "gauge", "Memory that ratios are a percentage of.",
	       stat_bytes(eng, "dirtyable"));
	single("pdflush_dirty_bytes", "gauge", "Dirty memory.", stat_bytes(eng, "dirty"));
	single("pdflush_writeback_bytes", "gauge", "Memory on its way to a device.",
	       stat_bytes(eng, "writeback"));
}

static void put_pool(const struct engine *eng)
{
	single("pdflush_threads", "gauge", "Threads of the pool.",
	       (double)stat_of(eng, "threads"));
	single("pdflush_idle_threads", "gauge", "Threads of the pool that have nothing to do.",
	       (double)stat_of(eng, "threads_idle"));
	single("pdflush_threads_born_total", "counter", "Threads started.",
	       (double)stat_of(eng, "threads_born"));
	single("pdflush_threads_died_total", "counter", "Threads ended.",
	       (double)stat_of(eng, "threads_died"));
	single("pdflush_operations_total", "counter", "Jobs taken by the pool.",
	       (double)stat_of(eng, "operations"));
	single("pdflush_operations_refused_total", "counter",
	       "Jobs that found no idle thread and were left to the next one.",
	       (double)stat_of(eng, "operations_refused"));
}

static void put_devices(const struct engine *eng)
{
	const struct device *dev = eng->devices;
	size_t nr = eng->nr_devices, i;

	single("pdflush_devices", "gauge", "Disks known to the engine.",
	       (double)stat_of(eng, "devices"));
	if (!nr)
		return;
	family("pdflush_device_dirty_bytes", "gauge", "Dirty memory of a disk.");
	for (i = 0; i < nr; i++)
		labelled("pdflush_device_dirty_bytes", "device", dev[i].name,
			 (double)dev[i].dirty * (double)eng->page);
	family("pdflush_device_writeback_bytes", "gauge", "Memory on its way to a disk.");
	for (i = 0; i < nr; i++)
		labelled("pdflush_device_writeback_bytes", "device", dev[i].name,
			 (double)dev[i].writeback * (double)eng->page);
	family("pdflush_device_write_bytes_per_second", "gauge",
	       "What a disk was measured to write.");
	for (i = 0; i < nr; i++)
		labelled("pdflush_device_write_bytes_per_second", "device", dev[i].name,
			 dev[i].speed);
}

static void put_all(const struct engine *eng)
{
	char policy[SETTING_MAX];

	single("pdflush_up", "gauge", "Whether the engine is in force.",
	       livepatch_state() == PATCH_ON);
	if (!setting_read(SET_POLICY, policy)) {
		family("pdflush_policy_info", "gauge", "The policy in force.");
		labelled("pdflush_policy_info", "policy", policy, 1);
	}
	put_memory(eng);
	put_devices(eng);
	put_verdicts(eng);
	put_stalls(eng);
	put_written(eng);
	put_pool(eng);
}

/* Returns a string to free, or NULL. */
static char *all_text(void)
{
	struct engine eng;
	size_t size = 0;
	char *text = NULL;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	if (engine_read(&eng)) {
		put_all(&eng);
		engine_free(&eng);
	} else {
		single("pdflush_up", "gauge", "Whether the engine is in force.", 0);
	}
	if (fclose(out))
		return NULL;
	return text;
}

static int run(int argc, char **argv)
{
	const char *dir = NULL;
	const struct opt opts[] = {
		{ "textfile", 0, OPT_TEXT, &dir },
	};
	int status = options_read(&verb_metrics, argc, argv, opts, ARRAY_SIZE(opts)), err;
	char *text;

	if (status != OPT_GO_ON)
		return status;
	if (optind < argc)
		return ctl_error(CTL_USAGE, "%s is one word too many", argv[optind]);
	text = all_text();
	if (!text)
		return ctl_error(CTL_FAILED, "no memory");
	if (!dir) {
		fputs(text, stdout);
		free(text);
		return CTL_FINE;
	}
	err = replace_file(dir, FILE_NAME, text);
	free(text);
	if (err)
		return ctl_error(CTL_FAILED, "cannot write %s/%s: %s", dir, FILE_NAME,
				 strerror(-err));
	return CTL_FINE;
}

const struct verb verb_metrics = { "metrics", "figures for Prometheus", help, run };
