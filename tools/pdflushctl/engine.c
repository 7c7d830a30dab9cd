// SPDX-License-Identifier: GPL-2.0
/*
 * The files under /proc/pdflush. Lines and columns are looked up by name, so that new ones do no
 * harm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"
#include "engine.h"

const char * const level_name[NR_LEVELS] = { "background", "async", "sync" };

/**
 * engine_there - is the engine loaded?
 */
bool engine_there(void)
{
	return path_exists("/proc/pdflush/stats");
}

static bool read_stats(struct engine *eng)
{
	char *text = read_text("/proc/pdflush/stats"), *line, *rest = text;

	if (!text)
		return false;
	while ((line = strsep(&rest, "\n")) && eng->nr_stats < MAX_STATS)
		if (sscanf(line, "%31s %llu", eng->stats[eng->nr_stats].name,
			   &eng->stats[eng->nr_stats].value) == 2)
			eng->nr_stats++;
	free(text);
	return true;
}

enum column { COL_DEVICE, COL_DIRTY, COL_WRITEBACK, COL_SPEED, COL_THREAD, COL_OTHER };

static enum column column_of(const char *head)
{
	static const char * const name[] = {
		"device", "dirty", "writeback", "write_MB/s", "thread",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(name); i++)
		if (!strcmp(head, name[i]))
			return i;
	return COL_OTHER;
}

static void take_column(struct device *dev, enum column column, const char *word)
{
	switch (column) {
	case COL_DEVICE:
		snprintf(dev->name, sizeof(dev->name), "%s", word);
		break;
	case COL_DIRTY:
		dev->dirty = strtoull(word, NULL, 10);
		break;
	case COL_WRITEBACK:
		dev->writeback = strtoull(word, NULL, 10);
		break;
	case COL_SPEED:
		dev->speed = strtod(word, NULL) * (1 << 20);
		break;
	case COL_THREAD:
		dev->thread = atoi(word);	/* "-": 0 */
		break;
	case COL_OTHER:
		break;
	}
}

static char *next_word(char **rest)
{
	char *word;

	while ((word = strsep(rest, " \t")))
		if (*word)
			return word;
	return NULL;
}

#define MAX_COLUMNS 16

static void read_devices(struct engine *eng)
{
	char *text = read_text("/proc/pdflush/devices"), *line, *word, *rest = text;
	enum column column[MAX_COLUMNS];
	size_t columns = 0, i;
	struct device *more;

	line = text ? strsep(&rest, "\n") : NULL;
	while (line && columns < MAX_COLUMNS && (word = next_word(&line)))
		column[columns++] = column_of(word);
	while (rest && (line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		more = realloc(eng->devices, (eng->nr_devices + 1) * sizeof(*more));
		if (!more)
			break;
		eng->devices = more;
		more += eng->nr_devices++;
		memset(more, 0, sizeof(*more));
		for (i = 0; i < columns && (word = next_word(&line)); i++)
			take_column(more, column[i], word);
	}
	free(text);
}

static void read_stalls(struct engine *eng)
{
	char *text = read_text("/proc/pdflush/stalls"), *line, *rest = text;
	struct stall_slot *slot;

	while (text && (line = strsep(&rest, "\n")) && eng->nr_stalls < MAX_STALLS) {
		slot = &eng->stalls[eng->nr_stalls];
		if (sscanf(line, "%llu %llu", &slot->from_us, &slot->count) == 2)
			eng->nr_stalls++;
	}
	free(text);
}

/**
 * engine_read - look at the engine
 * @eng: result; engine_free() it
 *
 * False, and nothing to free, if it is not loaded.
 */
bool engine_read(struct engine *eng)
{
	memset(eng, 0, sizeof(*eng));
	eng->page = (unsigned long)sysconf(_SC_PAGESIZE);
	if (!read_stats(eng))
		return false;
	read_devices(eng);
	read_stalls(eng);
	return true;
}

/**
 * engine_free - give the memory of a look back
 * @eng: the look
 */
void engine_free(struct engine *eng)
{
	free(eng->devices);
	eng->devices = NULL;
}

/**
 * stat_there - has this engine such a line?
 * @eng: a look
 * @name: as in /proc/pdflush/stats
 */
bool stat_there(const struct engine *eng, const char *name)
{
	size_t i;

	for (i = 0; i < eng->nr_stats; i++)
		if (!strcmp(eng->stats[i].name, name))
			return true;
	return false;
}

/**
 * stat_of - a line's value
 * @eng: a look
 * @name: as in /proc/pdflush/stats; 0 if it is not there
 */
unsigned long long stat_of(const struct engine *eng, const char *name)
{
	size_t i;

	for (i = 0; i < eng->nr_stats; i++)
		if (!strcmp(eng->stats[i].name, name))
			return eng->stats[i].value;
	return 0;
}

/**
 * stat_bytes - the value of a line that counts pages
 * @eng: a look
 * @name: as in /proc/pdflush/stats
 */
double stat_bytes(const struct engine *eng, const char *name)
{
	return (double)stat_of(eng, name) * (double)eng->page;
}

/**
 * threshold_bytes - a threshold in force
 * @eng: a look
 * @level: which
 */
double threshold_bytes(const struct engine *eng, enum level level)
{
	char name[NAME_MAX_LEN];

	snprintf(name, sizeof(name), "%s_thresh", level_name[level]);
	return stat_bytes(eng, name);
}

/**
 * engine_speed - what all devices listed write together, bytes a second
 * @eng: a look
 *
 * 0 if none is listed.
 */
double engine_speed(const struct engine *eng)
{
	double speed = 0;
	size_t i;

	for (i = 0; i < eng->nr_devices; i++)
		speed += eng->devices[i].speed;
	return speed;
}
