// SPDX-License-Identifier: GPL-2.0
/*
 * One run: build the machine, attach the engine, let the programs work, detach, look at what is
 * left.
 */
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "invariant.h"
#include "machine.h"
#include "program.h"
#include "run.h"
#include "settings.h"
#include "testbed.h"

#define SAMPLE_NS	(100 * NSEC_PER_MSEC)

struct sample *run_samples;
unsigned int nr_run_samples;

static bool finished;
static u64 ended_at;		/* when the last program that is waited for was done */
static struct wb_counts_seen { u64 count[WB_NR_COUNTS]; u64 stall_max_us; } seen;
static struct pdflush_counts pool_before, pool_seen;
static struct machine machine_seen;
static struct { u64 written, read, busy_ns; } disks_seen;
static unsigned int most_threads;
static char policy_seen[WB_POLICY_NAME_MAX + 1];
static struct sim_event tick;
static bool keep_samples, show_progress;
static struct timespec last_shown;

static void keep_counts(void)
{
	unsigned int i;

	for (i = 0; i < WB_NR_COUNTS; i++)
		seen.count[i] = wb_counted(i);
	seen.stall_max_us = wb_stall_max_us();
	machine_seen = machine;
	memset(&disks_seen, 0, sizeof(disks_seen));
	for (i = 0; i < nr_devices; i++) {
		disks_seen.written += devices[i]->nr_written;
		disks_seen.read += devices[i]->disk.read_pages;
		disks_seen.busy_ns += devices[i]->disk.busy_ns;
	}
	pdflush_get_counts(&pool_seen);
	wb_policy_name(policy_seen, sizeof(policy_seen));
	policy_seen[strcspn(policy_seen, "\n")] = '\0';
}

/* The one who starts and ends it all. */
static void control(void *unused)
{
	(void)unused;
	mutex_init(&engine_mutex);
	engine_attach();
	programs_start();
	while (programs_left && sim_wait_until(&programs_done, testbed.max_ns))
		;
	ended_at = sim_clock;
	programs_stop = true;
	keep_counts();
	mutex_lock(&engine_mutex);
	engine_detach();
	mutex_unlock(&engine_mutex);
	finished = true;
}

/* The next run finds the engine's locks as this one leaves them. */
static bool is_finished(void)
{
	return finished && !sim_locks_held;
}

static void take_sample(void)
{
	struct dirty_domain dom;

	if (!(nr_run_samples & (nr_run_samples - 1))) {
		size_t room = nr_run_samples ? 2 * nr_run_samples : 1;

		run_samples = realloc(run_samples, room * sizeof(*run_samples));
		if (!run_samples)
			sim_fail("no memory for samples");
	}
	wb_machine_limits(&dom);
	run_samples[nr_run_samples++] = (struct sample){
		(double)sim_clock / NSEC_PER_SEC, machine.dirty, machine.writeback,
		dom.lim.background, dom.lim.async, dom.lim.sync,
	};
}

/* Once a second of real time, if anybody looks. */
static void progress(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec == last_shown.tv_sec)
		return;
	last_shown = now;
	fprintf(stderr, "\r%s: %.0f s of at most %.0f s  ", testbed.name,
		(double)sim_clock / NSEC_PER_SEC, (double)testbed.max_ns / NSEC_PER_SEC);
}

static void on_tick(struct sim_event *event)
{
	struct pdflush_counts counts;

	sim_observing = true;
	pdflush_get_counts(&counts);
	most_threads = max(most_threads, counts.threads);
	if (keep_samples)
		take_sample();
	sim_observing = false;
	if (show_progress)
		progress();
	sim_at(event, sim_clock + SAMPLE_NS);
}

/**
 * run_testbed - run the open testbed
 * @options: how
 *
 * The machine is there until run_clear().
 */
void run_testbed(const struct run_options *options)
{
	finished = false;
	most_threads = 0;
	nr_run_samples = 0;
	keep_samples = options->samples;
	show_progress = !options->quiet && isatty(STDERR_FILENO);
	clock_gettime(CLOCK_MONOTONIC, &last_shown);
	wb_counts_reset();
	pdflush_get_counts(&pool_before);
	sim_start(options->seed);
	testbed_build();
	if (options->seconds)
		testbed.max_ns = options->seconds * NSEC_PER_SEC;
	settings_command_apply();
	sim_set_cpus(machine.cpus);
	sim_set_slice(machine.slice_ns);
	if (options->explore)
		sim_explore();
	invariant_start(options->explore || machine.writers + nr_devices <= 16);
	sim_go(sim_new_task("control", control, NULL));
	if (!options->explore) {
		tick.fn = on_tick;
		sim_at(&tick, 0);
	}
	sim_run(testbed.max_ns + 3600 * NSEC_PER_SEC, is_finished);
	if (!finished)
		invariant_broken("detach", "the run does not come to an end");
	sim_step_hook = NULL;
	if (show_progress)
		fprintf(stderr, "\r\033[K");
}

/**
 * run_clear - forget the machine
 */
void run_clear(void)
{
	testbed_clear();
	sim_finish();
}

/* ---- Figures --------------------------------------------------------------------------------- */

static double mb(double pages)
{
	return pages / PAGES_PER_MB;
}

static double ms(u64 ns)
{
	return (double)ns / NSEC_PER_MSEC;
}

/* No more digits than mean something, so that the text is short and the same everywhere. */
static json_t *rounded(double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.6g", value);
	return json_real(strtod(text, NULL));
}

static void put_number(json_t *object, const char *name, double value)
{
	json_object_set_new(object, name, rounded(value));
}

/* The programs of one entry of the testbed. */
static json_t *program_figures(unsigned int first, unsigned int last)
{
	struct histogram *latency = calloc(1, sizeof(*latency));
	static const char * const latencies[] = { "mean_ms", "p50_ms", "p99_ms", "max_ms" };
	u64 written = 0, read = 0, ops = 0, stalled = 0, held = 0, start = U64_MAX, end = 0;
	json_t *object = json_object();
	double seconds;
	unsigned int i;

	for (i = first; i < last; i++) {
		struct program *program = &programs[i];

		written += program->bytes_written;
		read += program->bytes_read;
		ops += program->ops;
		stalled += program->task ? program->task->stalled_ns : program->stalled_ns;
		held += program->held_calls;
		start = min(start, program->start_ns);
		end = max(end, program->done_at ? program->done_at : ended_at);
		if (program->latency)
			histogram_merge(latency, program->latency);
	}
	seconds = end > start ? (double)(end - start) / NSEC_PER_SEC : 0;
	json_object_set_new(object, "programs", json_integer(last - first));
	put_number(object, "seconds", seconds);
	put_number(object, "written_mb", (double)written / (1 << 20));
	put_number(object, "read_mb", (double)read / (1 << 20));
	json_object_set_new(object, "operations", json_integer(ops));
	put_number(object, "throughput",
		   seconds > 0 ? (double)(written + read) / (1 << 20) / seconds : 0);
	put_number(object, "held_ms", ms(stalled));
	json_object_set_new(object, "slow_operations", json_integer(held));
	if (latency->n) {
		put_number(object, "mean_ms", (double)latency->sum / latency->n / 1000);
		put_number(object, "p50_ms", histogram_percentile(latency, 500) / 1000.0);
		put_number(object, "p99_ms", histogram_percentile(latency, 990) / 1000.0);
		put_number(object, "max_ms", latency->max / 1000.0);
	} else {
		for (i = 0; i < ARRAY_SIZE(latencies); i++)
			json_object_set_new(object, latencies[i], json_null());
	}
	free(latency);
	return object;
}

static json_t *device_figures(void)
{
	json_t *all = json_object();

	json_object_set_new(all, "number", json_integer(nr_devices));
	put_number(all, "written_mb", mb(disks_seen.written));
	put_number(all, "read_mb", mb(disks_seen.read));
	put_number(all, "busy_percent", 100.0 * disks_seen.busy_ns / nr_devices / (ended_at + 1));
	return all;
}

/**
 * run_figures - what a run has shown
 */
json_t *run_figures(void)
{
	static const char *const by[NR_BY] = {
		[BY_BACKGROUND] = "background", [BY_KUPDATE] = "kupdate", [BY_SYNC] = "sync",
		[BY_JOURNAL] = "journal", [BY_CALLER] = "caller", [BY_RECLAIM] = "reclaim",
	};
	static const char *const verdicts[] = { "nothing", "kick", "pace", "wait" };
	json_t *top = json_object(), *part;
	unsigned int i, first;

	json_object_set_new(top, "testbed", json_string(testbed.name));
	json_object_set_new(top, "seed", json_integer(sim_seed));
	json_object_set_new(top, "policy", json_string(old_2531 ? "2.5.31" : policy_seen));
	put_number(top, "seconds", (double)ended_at / NSEC_PER_SEC);

	part = json_object();
	put_number(part, "dirtied_mb", mb(machine_seen.dirtied));
	put_number(part, "peak_mb", mb(machine_seen.peak));
	put_number(part, "memory_stalled_ms", ms(machine_seen.memory_stalled_ns));
	put_number(part, "journal_stalled_ms", ms(machine_seen.fs_stalled_ns));
	json_object_set_new(top, "memory", part);

	part = json_object();
	for (i = 0; i < NR_BY; i++)
		put_number(part, by[i], mb(machine_seen.written[i]));
	json_object_set_new(top, "written_by_mb", part);

	part = json_object();
	for (i = 0; i < WB_NR_VERDICTS; i++)
		json_object_set_new(part, verdicts[i],
				    json_integer(seen.count[WB_COUNT_VERDICT + i]));
	put_number(part, "held_ms", seen.count[WB_COUNT_STALLED_US] / 1000.0);
	put_number(part, "longest_ms", seen.stall_max_us / 1000.0);
	json_object_set_new(top, "verdicts", part);

	part = json_object();
	json_object_set_new(part, "threads", json_integer(max(most_threads, pool_seen.threads)));
	json_object_set_new(part, "born", json_integer(pool_seen.born - pool_before.born));
	json_object_set_new(part, "died", json_integer(pool_seen.died - pool_before.died));
	json_object_set_new(top, "pool", part);
	json_object_set_new(top, "devices", device_figures());

	for (first = 0; first < nr_programs; first = i) {
		for (i = first; i < nr_programs && (i == first || programs[i].number); i++)
			;
		json_object_set_new(top, programs[first].name, program_figures(first, i));
	}
	return top;
}

/**
 * figure_of - one figure by its name
 * @figures: from run_figures()
 * @name: as "ftp.seconds"
 *
 * NAN for what this run has not got, a percentile of no operations. Ends the program if there is
 * no such number.
 */
double figure_of(const json_t *figures, const char *name)
{
	const char *dot = strchr(name, '.');
	const json_t *value = figures;
	char group[64];

	if (dot) {
		snprintf(group, sizeof(group), "%.*s", (int)(dot - name), name);
		value = json_object_get(value, group);
	}
	value = json_object_get(value, dot ? dot + 1 : name);
	if (json_is_null(value))
		return NAN;
	if (!json_is_number(value))
		usage_error("there is no figure %s", name);
	return json_number_value(value);
}

static void print_value(const json_t *value)
{
	if (json_is_string(value))
		printf("%s", json_string_value(value));
	else if (json_is_null(value))
		printf("-");
	else
		printf("%.10g", json_number_value(value));
}

/**
 * print_table - figures for people
 * @figures: from run_figures()
 */
void print_table(const json_t *figures)
{
	const char *name, *inner_name;
	json_t *value, *inner;

	json_object_foreach((json_t *)figures, name, value) {
		if (!json_is_object(value)) {
			printf("%-16s ", name);
			print_value(value);
			printf("\n");
			continue;
		}
		printf("%s\n", name);
		json_object_foreach(value, inner_name, inner) {
			printf("    %-20s ", inner_name);
			print_value(inner);
			printf("\n");
		}
	}
}
