// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl status: how the engine stands, once.
 */
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ctl.h"
#include "engine.h"
#include "livepatch.h"
#include "notes.h"

static const char help[] =
"pdflushctl status [--json]\n"
"\n"
"The policy, thresholds as asked for and in force, dirty memory, devices, the pool, how long\n"
"writers were held, and what is worth a warning.\n"
"\n"
"A threshold in seconds is the time that the devices listed need to write so much, all at\n"
"once and as fast as they were measured. A MB is 2^20 bytes.\n"
"\n"
"    --json     for programs: names stay, new ones may come\n"
"\n"
"Exit status: 0, also with warnings; 3 if the engine is not loaded.\n";

static const char *state_text(void)
{
	switch (livepatch_state()) {
	case PATCH_ON:
		return "attached";
	case PATCH_GOING_ON:
		return "being attached";
	case PATCH_GOING_OFF:
		return "being detached";
	case PATCH_OFF:
	case PATCH_NONE:
		break;
	}
	return "loaded, but not in force";
}

static double percent_of_dirtyable(const struct engine *eng, double bytes)
{
	double all = stat_bytes(eng, "dirtyable");

	return all > 0 ? 100 * bytes / all : 0;
}

/* ---- For people ---------------------------------------------------------------------------- */

/* What was asked for, as it was asked for. */
static const char *asked(const struct settings *set, enum level level, char buf[TEXT_MAX])
{
	enum setting_id ratio = SET_BACKGROUND_RATIO + 2 * level;
	double bytes = atof(set->value[setting_twin(ratio)]);

	if (!set->there[ratio] || strcmp(set->value[SET_POLICY], "ratios"))
		return "-";
	if (bytes > 0)
		return text_bytes(bytes, buf);
	snprintf(buf, TEXT_MAX, "%.16s %%", set->value[ratio]);
	return buf;
}

static void print_level(const struct engine *eng, const char *name, const char *asked_text,
			double bytes)
{
	char size[TEXT_MAX], ms[TEXT_MAX] = "-";
	double speed = engine_speed(eng);

	if (speed > 0)
		text_ms(bytes / speed * 1000, ms);
	printf("%-12s %10s %7.1f %% %10s %9s\n", name, asked_text,
	       percent_of_dirtyable(eng, bytes), text_bytes(bytes, size), ms);
}

static void print_memory(const struct engine *eng, const struct settings *set)
{
	char buf[TEXT_MAX];
	int level;

	printf("\n%-12s %10s %9s %10s %9s\n", "", "asked for", "in force", "", "to write");
	for (level = BACKGROUND; level < NR_LEVELS; level++)
		print_level(eng, level_name[level], asked(set, level, buf),
			    threshold_bytes(eng, level));
	print_level(eng, "dirty now", "", stat_bytes(eng, "dirty"));
	print_level(eng, "on its way", "", stat_bytes(eng, "writeback"));
	printf("%-12s %10s %9s %10s\n", "dirtyable", "", "100.0 %",
	       text_bytes(stat_bytes(eng, "dirtyable"), buf));
}

static void print_devices(const struct engine *eng)
{
	char dirty[TEXT_MAX], way[TEXT_MAX], speed[TEXT_MAX], thread[16];
	const struct device *dev;
	size_t i;

	if (!eng->nr_devices) {
		printf("\nNo device has dirty data.\n");
		return;
	}
	printf("\n%-16s %10s %10s %12s %8s\n", "device", "dirty", "on its way", "writes", "thread");
	for (i = 0; i < eng->nr_devices; i++) {
		dev = &eng->devices[i];
		snprintf(thread, sizeof(thread), "%d", dev->thread);
		printf("%-16s %10s %10s %10s/s %8s\n", dev->name,
		       text_bytes((double)dev->dirty * (double)eng->page, dirty),
		       text_bytes((double)dev->writeback * (double)eng->page, way),
		       text_bytes(dev->speed, speed), dev->thread ? thread : "-");
	}
}

static unsigned long long stalls_count(const struct engine *eng)
{
	unsigned long long count = 0;
	size_t i;

	for (i = 0; i < eng->nr_stalls; i++)
		count += eng->stalls[i].count;
	return count;
}

static void print_pool(const struct engine *eng, const struct settings *set)
{
	unsigned long long threads = stat_of(eng, "threads"), idle = stat_of(eng, "threads_idle");

	printf("\nPool      %llu threads, %llu at work; %s to %s; %llu born, %llu died\n", threads,
	       threads > idle ? threads - idle : 0, set->value[SET_THREADS_MIN],
	       set->value[SET_THREADS_MAX], stat_of(eng, "threads_born"),
	       stat_of(eng, "threads_died"));
}

static void print_old_data(const struct settings *set)
{
	double every = atof(set->value[SET_WRITEBACK]), age = atof(set->value[SET_EXPIRE]);
	char every_text[TEXT_MAX], age_text[TEXT_MAX];

	if (every > 0)
		printf("Old data  is written when it is %s old; looked for every %s\n",
		       text_ms(age * 10, age_text), text_ms(every * 10, every_text));
	else
		printf("Old data  is not looked for\n");
}

static void print_stalls(const struct engine *eng)
{
	char all[TEXT_MAX], longest[TEXT_MAX];

	printf("Held      writers were held %llu times, %s in all, at most %s\n", stalls_count(eng),
	       text_ms((double)stat_of(eng, "stalled_ms"), all),
	       text_ms((double)stat_of(eng, "stall_max_ms"), longest));
	printf("Checks    %llu nothing, %llu kick, %llu pace, %llu wait\n",
	       stat_of(eng, "verdict_nothing"), stat_of(eng, "verdict_kick"),
	       stat_of(eng, "verdict_pace"), stat_of(eng, "verdict_wait"));
}

static void print_written(const struct engine *eng)
{
	char pool[TEXT_MAX], old[TEXT_MAX], others[TEXT_MAX];

	printf("Written   %s in the background, %s as old data, %s by others\n",
	       text_bytes(stat_bytes(eng, "pages_by_pdflush"), pool),
	       text_bytes(stat_bytes(eng, "pages_by_kupdate"), old),
	       text_bytes(stat_bytes(eng, "pages_by_others"), others));
}

static void print_all(const struct engine *eng, const struct settings *set,
		      const struct notes *notes)
{
	char policies[SETTING_MAX];
	size_t i;

	if (!read_word("/proc/sys/vm/writeback_available_policies", policies, sizeof(policies)))
		snprintf(policies, sizeof(policies), "%s", set->value[SET_POLICY]);
	printf("pdflush   %s; policy %s of: %s\n", state_text(), set->value[SET_POLICY], policies);
	if (set->there[SET_BDFLUSH])
		printf("bdflush   %s\n", set->value[SET_BDFLUSH]);
	print_memory(eng, set);
	print_devices(eng);
	print_pool(eng, set);
	print_old_data(set);
	print_stalls(eng);
	print_written(eng);
	for (i = 0; i < notes->nr; i++)
		printf("%s! %s\n", i ? "" : "\n", notes->note[i].text);
}

/* ---- For programs -------------------------------------------------------------------------- */

static void put_number(json_t *to, const char *name, double value)
{
	json_object_set_new(to, name, json_real(value));
}

static void put_count(json_t *to, const char *name, unsigned long long value)
{
	json_object_set_new(to, name, json_integer((json_int_t)value));
}

static void put_stat(json_t *to, const char *name, const struct engine *eng, const char *stat)
{
	put_count(to, name, stat_of(eng, stat));
}

static void put_stat_bytes(json_t *to, const char *name, const struct engine *eng, const char *stat)
{
	put_count(to, name, stat_of(eng, stat) * eng->page);
}

/* A setting as a number, or as the text it is. */
static void put_setting(json_t *to, const struct settings *set, enum setting_id id)
{
	char *end;
	long long number;

	if (!set->there[id])
		return;
	number = strtoll(set->value[id], &end, 10);
	json_object_set_new(to, setting_name[id], *end ? json_string(set->value[id]) :
			    json_integer(number));
}

static json_t *json_thresholds(const struct engine *eng)
{
	json_t *all = json_object();
	double speed = engine_speed(eng), bytes;
	int level;

	for (level = BACKGROUND; level < NR_LEVELS; level++) {
		json_t *one = json_object();

		bytes = threshold_bytes(eng, level);
		put_count(one, "bytes", (unsigned long long)bytes);
		put_number(one, "percent", percent_of_dirtyable(eng, bytes));
		json_object_set_new(one, "seconds",
				    speed > 0 ? json_real(bytes / speed) : json_null());
		json_object_set_new(all, level_name[level], one);
	}
	return all;
}

static json_t *json_memory(const struct engine *eng)
{
	json_t *memory = json_object();

	put_stat_bytes(memory, "dirtyable_bytes", eng, "dirtyable");
	put_stat_bytes(memory, "dirty_bytes", eng, "dirty");
	put_stat_bytes(memory, "writeback_bytes", eng, "writeback");
	return memory;
}

static json_t *json_settings(const struct settings *set)
{
	json_t *all = json_object();
	int id;

	for (id = 0; id < NR_SETTINGS; id++)
		put_setting(all, set, id);
	return all;
}

static json_t *json_devices(const struct engine *eng)
{
	json_t *all = json_array();
	size_t i;

	for (i = 0; i < eng->nr_devices; i++) {
		const struct device *dev = &eng->devices[i];
		json_t *one = json_object();

		json_object_set_new(one, "name", json_string(dev->name));
		put_count(one, "dirty_bytes", dev->dirty * eng->page);
		put_count(one, "writeback_bytes", dev->writeback * eng->page);
		put_count(one, "write_bytes_per_second", (unsigned long long)dev->speed);
		json_object_set_new(one, "thread",
				    dev->thread ? json_integer(dev->thread) : json_null());
		json_array_append_new(all, one);
	}
	return all;
}

static json_t *json_pool(const struct engine *eng)
{
	json_t *pool = json_object();

	put_stat(pool, "threads", eng, "threads");
	put_stat(pool, "idle", eng, "threads_idle");
	put_stat(pool, "born", eng, "threads_born");
	put_stat(pool, "died", eng, "threads_died");
	put_stat(pool, "operations", eng, "operations");
	put_stat(pool, "operations_refused", eng, "operations_refused");
	return pool;
}

static json_t *json_verdicts(const struct engine *eng)
{
	json_t *verdicts = json_object();

	put_stat(verdicts, "nothing", eng, "verdict_nothing");
	put_stat(verdicts, "kick", eng, "verdict_kick");
	put_stat(verdicts, "pace", eng, "verdict_pace");
	put_stat(verdicts, "wait", eng, "verdict_wait");
	return verdicts;
}

static json_t *json_written(const struct engine *eng)
{
	json_t *written = json_object();

	put_stat_bytes(written, "pdflush_bytes", eng, "pages_by_pdflush");
	put_stat_bytes(written, "kupdate_bytes", eng, "pages_by_kupdate");
	put_stat_bytes(written, "others_bytes", eng, "pages_by_others");
	return written;
}

static json_t *json_stalls(const struct engine *eng)
{
	json_t *stalls = json_object(), *slots = json_array();
	size_t i;

	put_count(stalls, "count", stalls_count(eng));
	put_stat(stalls, "total_ms", eng, "stalled_ms");
	put_stat(stalls, "max_ms", eng, "stall_max_ms");
	if (stat_there(eng, "held"))
		put_stat(stalls, "held_now", eng, "held");
	for (i = 0; i < eng->nr_stalls; i++) {
		json_t *slot = json_object();

		put_count(slot, "from_us", eng->stalls[i].from_us);
		put_count(slot, "count", eng->stalls[i].count);
		json_array_append_new(slots, slot);
	}
	json_object_set_new(stalls, "histogram", slots);
	return stalls;
}

static json_t *json_notes(const struct notes *notes)
{
	json_t *all = json_array();
	size_t i;

	for (i = 0; i < notes->nr; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "id", json_string(notes->note[i].id));
		json_object_set_new(one, "text", json_string(notes->note[i].text));
		json_array_append_new(all, one);
	}
	return all;
}

static json_t *json_policies(void)
{
	char words[SETTING_MAX], *word, *rest = words;
	json_t *all = json_array();

	if (!read_word("/proc/sys/vm/writeback_available_policies", words, sizeof(words)))
		return all;
	setting_tidy(words);
	while ((word = strsep(&rest, " ")))
		if (*word)
			json_array_append_new(all, json_string(word));
	return all;
}

static void print_json(const struct engine *eng, const struct settings *set,
		       const struct notes *notes)
{
	json_t *all = json_object();

	json_object_set_new(all, "loaded", json_true());
	json_object_set_new(all, "attached", json_boolean(livepatch_state() == PATCH_ON));
	json_object_set_new(all, "state", json_string(state_text()));
	json_object_set_new(all, "policy", json_string(set->value[SET_POLICY]));
	json_object_set_new(all, "policies", json_policies());
	json_object_set_new(all, "settings", json_settings(set));
	json_object_set_new(all, "thresholds", json_thresholds(eng));
	json_object_set_new(all, "memory", json_memory(eng));
	json_object_set_new(all, "devices", json_devices(eng));
	json_object_set_new(all, "pool", json_pool(eng));
	json_object_set_new(all, "verdicts", json_verdicts(eng));
	json_object_set_new(all, "stalls", json_stalls(eng));
	json_object_set_new(all, "written", json_written(eng));
	json_object_set_new(all, "warnings", json_notes(notes));
	json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	printf("\n");
	json_decref(all);
}

static int run(int argc, char **argv)
{
	struct settings set;
	struct engine eng;
	struct notes notes;
	bool json = false;
	const struct opt opts[] = {
		{ "json", 'j', OPT_FLAG, &json },
	};
	int status = options_read(&verb_status, argc, argv, opts, ARRAY_SIZE(opts));

	if (status != OPT_GO_ON)
		return status;
	if (optind < argc)
		return ctl_error(CTL_USAGE, "%s is one word too many", argv[optind]);
	/* in one piece, to a terminal as well */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	if (!engine_read(&eng)) {
		if (json)
			printf("{\n  \"loaded\": false\n}\n");
		return ctl_not_loaded();
	}
	settings_read(&set);
	notes_take(&eng, &set, &notes);
	if (json)
		print_json(&eng, &set, &notes);
	else
		print_all(&eng, &set, &notes);
	engine_free(&eng);
	return CTL_FINE;
}

const struct verb verb_status = { "status", "how the engine stands, once", help, run };
