// SPDX-License-Identifier: GPL-2.0
/*
 * What is worth a warning, in plain words: what it is, what it means.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ctl.h"
#include "livepatch.h"
#include "notes.h"

#define LONG_TO_WRITE	60	/* seconds that dirty memory may take to write */
#define OLD_ENOUGH	60000	/* dirty_expire_centisecs: 10 minutes */

static void add(struct notes *notes, const char *id, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add(struct notes *notes, const char *id, const char *format, ...)
{
	struct note *note = &notes->note[notes->nr];
	va_list args;

	if (notes->nr == MAX_NOTES)
		return;
	notes->nr++;
	note->id = id;
	va_start(args, format);
	vsnprintf(note->text, sizeof(note->text), format, args);
	va_end(args);
}

static void look_at_livepatch(struct notes *notes)
{
	char others[NOTE_MAX / 2], tasks[NOTE_MAX / 2];

	switch (livepatch_state()) {
	case PATCH_ON:
		break;
	case PATCH_GOING_ON:
	case PATCH_GOING_OFF:
		livepatch_blockers(tasks, sizeof(tasks));
		add(notes, "transition", "The engine is being %s: tasks still on the old side: %s.",
		    livepatch_state() == PATCH_GOING_ON ? "attached" : "detached",
		    *tasks ? tasks : "not known without root");
		break;
	case PATCH_OFF:
	case PATCH_NONE:
		add(notes, "replaced",
		    "The engine is loaded but not in force: the stock one is back. "
		    "Remove it: pdflushctl detach");
		break;
	}
	if (livepatch_others(others, sizeof(others)))
		add(notes, "other_livepatch",
		    "Another livepatch is in place: %s. One that replaces others would end the "
		    "engine.",
		    others);
}

/* What was asked for, in bytes. */
static double asked_bytes(const struct engine *eng, const struct settings *set, enum level level)
{
	enum setting_id ratio = SET_BACKGROUND_RATIO + 2 * level;
	double bytes = atof(set->value[setting_twin(ratio)]);

	if (bytes > 0)
		return bytes;
	return atof(set->value[ratio]) / 100 * stat_bytes(eng, "dirtyable");
}

/* The thresholds that the files give are those of this policy alone. */
static bool has_ratios(const struct settings *set)
{
	return !strcmp(set->value[SET_POLICY], "ratios");
}

static void look_at_thresholds(const struct engine *eng, const struct settings *set,
			       struct notes *notes)
{
	char asked_text[TEXT_MAX], bytes_text[TEXT_MAX];
	double asked, bytes, next;
	int level;

	for (level = BACKGROUND; level < NR_LEVELS && has_ratios(set); level++) {
		asked = asked_bytes(eng, set, level);
		bytes = threshold_bytes(eng, level);
		/* memory moves between the look at one file and the next: a tenth */
		if (asked <= bytes * 1.1 + 16 * (double)eng->page)
			continue;
		text_bytes(asked, asked_text);
		text_bytes(bytes, bytes_text);
		next = level < SYNC ? threshold_bytes(eng, level + 1) : 0;
		if (level < SYNC && next <= bytes)
			add(notes, "clamped",
			    "The %s threshold asks for %s but is pulled down to %s, as %s is "
			    "lower.",
			    level_name[level], asked_text, bytes_text, level_name[level + 1]);
		else
			add(notes, "clamped",
			    "The %s threshold asks for %s; only %s may be dirty at all.",
			    level_name[level], asked_text, bytes_text);
	}
	if (threshold_bytes(eng, SYNC) < (double)eng->page)
		add(notes, "no_room", "The sync threshold is 0: every writer waits for its data.");
}

static void look_at_old_data(const struct settings *set, struct notes *notes)
{
	unsigned long long expire = strtoull(set->value[SET_EXPIRE], NULL, 10), laptop;

	if (set->there[SET_WRITEBACK] && !strcmp(set->value[SET_WRITEBACK], "0"))
		add(notes, "old_data_off",
		    "Old data is not written by itself: dirty_writeback_centisecs is 0. "
		    "A power cut loses all that is dirty.");
	else if (set->there[SET_EXPIRE] && expire > OLD_ENOUGH)
		add(notes, "old_data_late",
		    "Data may stay in memory alone for %llu minutes: dirty_expire_centisecs is "
		    "%llu.",
		    expire / 6000, expire);
	if (read_number("/proc/sys/vm/laptop_mode", &laptop) && laptop)
		add(notes, "laptop_mode",
		    "laptop_mode is on: background writing starts only when a writer has to be "
		    "paced.");
}

static double held(const struct engine *eng, const struct device *dev)
{
	return (double)(dev->dirty + dev->writeback) * (double)eng->page;
}

static void look_at_devices(const struct engine *eng, struct notes *notes)
{
	double all = stat_bytes(eng, "dirty") + stat_bytes(eng, "writeback"), fastest = 0;
	char bytes[TEXT_MAX], ms[TEXT_MAX];
	const struct device *dev;
	size_t i;

	for (i = 0; i < eng->nr_devices; i++)
		if (eng->devices[i].speed > fastest)
			fastest = eng->devices[i].speed;
	for (i = 0; i < eng->nr_devices; i++) {
		dev = &eng->devices[i];
		if (dev->speed <= 0 || held(eng, dev) < threshold_bytes(eng, BACKGROUND))
			continue;
		text_bytes(held(eng, dev), bytes);
		text_ms(held(eng, dev) / dev->speed * 1000, ms);
		if (held(eng, dev) >= all / 2 && dev->speed < fastest / 4)
			add(notes, "slow_device",
			    "%s, a slow device, holds half of dirty memory or more: %s, %s to "
			    "write.",
			    dev->name, bytes, ms);
		else if (held(eng, dev) > LONG_TO_WRITE * dev->speed)
			add(notes, "long_to_write",
			    "%s needs %s to write the %s it holds: so long may a sync take.",
			    dev->name, ms, bytes);
	}
}

static void look_at_pool(const struct engine *eng, const struct settings *set,
			 struct notes *notes)
{
	unsigned long long threads = stat_of(eng, "threads"), refused, jobs;
	unsigned long long max = strtoull(set->value[SET_THREADS_MAX], NULL, 10);

	if (set->there[SET_THREADS_MAX] && threads >= max && !stat_of(eng, "threads_idle"))
		add(notes, "pool_at_max",
		    "The pool is at its maximum, %llu threads, and all are at work: "
		    "nr_pdflush_threads_max may be raised.", threads);
	refused = stat_of(eng, "operations_refused");
	jobs = stat_of(eng, "operations");
	if (refused > 100 && refused > jobs)
		add(notes, "jobs_refused",
		    "More jobs found no idle thread (%llu) than were taken at once (%llu).",
		    refused, jobs);
}

static void look_at_writers(const struct engine *eng, struct notes *notes)
{
	double now = stat_bytes(eng, "dirty") + stat_bytes(eng, "writeback");
	unsigned long long held_now = stat_of(eng, "held");

	if (now > threshold_bytes(eng, SYNC))
		add(notes, "writers_wait", "Dirty memory is above sync: writers wait.");
	else if (now > threshold_bytes(eng, ASYNC))
		add(notes, "writers_paced",
		    "Dirty memory is above async: writers are paced to what their devices do.");
	if (held_now)
		add(notes, "held_now", "%llu writer%s held at this moment; pdflushctl top shows "
			   "whom.",
		    held_now, held_now == 1 ? " is" : "s are");
}

/**
 * notes_take - collect the warnings
 * @eng: a look at the engine
 * @set: settings in force
 * @notes: result
 */
void notes_take(const struct engine *eng, const struct settings *set, struct notes *notes)
{
	notes->nr = 0;
	look_at_livepatch(notes);
	look_at_writers(eng, notes);
	look_at_thresholds(eng, set, notes);
	look_at_old_data(set, notes);
	look_at_devices(eng, notes);
	look_at_pool(eng, set, notes);
}
