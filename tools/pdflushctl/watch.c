// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl watch: a line every interval, as vmstat.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include "ctl.h"
#include "engine.h"

static const char help[] =
"pdflushctl watch [--csv] [-n COUNT] [INTERVAL]\n"
"\n"
"A line every INTERVAL seconds (1), until interrupted or for COUNT lines, on what happened\n"
"since the one before: memory in MB, verdicts, writers held at the end and how long writers\n"
"that went on were held, MB/s written by the pool in the background (pdflush), as old data\n"
"(kupdate) and by others, threads of the pool and those of them at work.\n"
"\n"
"    -n, --count COUNT    so many lines\n"
"        --csv            for programs: bytes, counts and seconds; columns stay, new ones are\n"
"                         added at the right\n"
"\n"
"Exit status: 0; 3 if the engine is not loaded, or no longer.\n";

#define LINES_TO_HEAD	20

/* Not back below zero: a module loaded anew counts from there. */
static double since(const struct engine *now, const struct engine *before, const char *name)
{
	unsigned long long a = stat_of(before, name), b = stat_of(now, name);

	return (double)(b >= a ? b - a : b);
}

static double mb(double bytes)
{
	return bytes / (1 << 20);
}

static double mb_s(const struct engine *now, const struct engine *before, const char *name,
		   double seconds)
{
	return mb(since(now, before, name) * (double)now->page) / seconds;
}

static double at_work(const struct engine *eng)
{
	return fmax((double)stat_of(eng, "threads") - (double)stat_of(eng, "threads_idle"), 0);
}

static void print_head(void)
{
	printf("---- memory, MB ---- ------ checks ------ --- held --- ----- MB/s by ----- pool\n"
	       " dirty  way   sync     kick  pace   wait now      ms  pdfl   kup others thr run\n");
}

static void print_line(const struct engine *now, const struct engine *before, double seconds)
{
	printf("%6.0f %5.0f %6.0f %8.0f %5.0f %6.0f %3llu %7.0f %5.0f %5.0f %6.0f %3llu %3.0f\n",
	       mb(stat_bytes(now, "dirty")), mb(stat_bytes(now, "writeback")),
	       mb(threshold_bytes(now, SYNC)), since(now, before, "verdict_kick"),
	       since(now, before, "verdict_pace"), since(now, before, "verdict_wait"),
	       stat_of(now, "held"), since(now, before, "stalled_ms"),
	       mb_s(now, before, "pages_by_pdflush", seconds),
	       mb_s(now, before, "pages_by_kupdate", seconds),
	       mb_s(now, before, "pages_by_others", seconds), stat_of(now, "threads"),
	       at_work(now));
}

static void print_csv_head(void)
{
	printf("seconds,dirty_bytes,writeback_bytes,background_bytes,async_bytes,sync_bytes,"
	       "nothing,kick,pace,wait,held_now,held_seconds,pdflush_bytes,kupdate_bytes,"
	       "others_bytes,threads,threads_idle\n");
}

static void print_csv(const struct engine *now, const struct engine *before, double seconds)
{
	static const char * const verdict[] = {
		"verdict_nothing", "verdict_kick", "verdict_pace", "verdict_wait",
	};
	static const char * const pages[] = {
		"pages_by_pdflush", "pages_by_kupdate", "pages_by_others",
	};
	size_t i;

	printf("%.3f,%.0f,%.0f,%.0f,%.0f,%.0f", seconds, stat_bytes(now, "dirty"),
	       stat_bytes(now, "writeback"), threshold_bytes(now, BACKGROUND),
	       threshold_bytes(now, ASYNC), threshold_bytes(now, SYNC));
	for (i = 0; i < ARRAY_SIZE(verdict); i++)
		printf(",%.0f", since(now, before, verdict[i]));
	printf(",%llu,%.3f", stat_of(now, "held"), since(now, before, "stalled_ms") / 1000);
	for (i = 0; i < ARRAY_SIZE(pages); i++)
		printf(",%.0f", since(now, before, pages[i]) * (double)now->page);
	printf(",%llu,%llu\n", stat_of(now, "threads"), stat_of(now, "threads_idle"));
}

/* A moment on a straight line: looks that take time add up to nothing. */
static void sleep_until(double when)
{
	struct timespec at = { .tv_sec = (time_t)when };

	at.tv_nsec = (long)((when - floor(when)) * 1e9);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL))
		;
}

/* @count: 0: for ever */
static int watch(bool csv, unsigned long count, double interval)
{
	double start = now_seconds(), last = start, now_at;
	struct engine before, now;
	unsigned long nr;

	if (!engine_read(&before))
		return ctl_not_loaded();
	if (csv)
		print_csv_head();
	for (nr = 0; !count || nr < count; nr++) {
		if (!csv && nr % LINES_TO_HEAD == 0)
			print_head();
		if (fflush(stdout))
			break;
		sleep_until(start + (double)(nr + 1) * interval);
		if (!engine_read(&now)) {
			engine_free(&before);
			return ctl_error(CTL_NOT_LOADED, "the engine has been unloaded meanwhile");
		}
		now_at = now_seconds();
		if (csv)
			print_csv(&now, &before, now_at - last);
		else
			print_line(&now, &before, now_at - last);
		last = now_at;
		engine_free(&before);
		before = now;
	}
	engine_free(&before);
	return CTL_FINE;
}

static int run(int argc, char **argv)
{
	unsigned long count = 0;
	double interval = 1;
	bool csv = false;
	const struct opt opts[] = {
		{ "csv", 0, OPT_FLAG, &csv },
		{ "count", 'n', OPT_COUNT, &count },
	};
	int status = options_read(&verb_watch, argc, argv, opts, ARRAY_SIZE(opts));

	if (status == OPT_GO_ON)
		status = options_interval(argc, argv, &interval);
	if (status != OPT_GO_ON)
		return status;
	return watch(csv, count, interval);
}

const struct verb verb_watch = { "watch", "a line a second, like vmstat", help, run };
