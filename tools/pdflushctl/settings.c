// SPDX-License-Identifier: GPL-2.0
/*
 * Settings of the engine by their names under /proc/sys/vm: what values they take, reading,
 * writing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ctl.h"
#include "settings.h"

#define BDFLUSH_NUMBERS	9
#define MOST_THREADS	1024	/* PDFLUSH_LIMIT_THREADS of the engine */

const char * const setting_name[NR_SETTINGS] = {
	[SET_POLICY] = "writeback_policy",
	[SET_BDFLUSH] = "bdflush",
	[SET_BACKGROUND_RATIO] = "dirty_background_ratio",
	[SET_BACKGROUND_BYTES] = "dirty_background_bytes",
	[SET_ASYNC_RATIO] = "dirty_async_ratio",
	[SET_ASYNC_BYTES] = "dirty_async_bytes",
	[SET_SYNC_RATIO] = "dirty_sync_ratio",
	[SET_SYNC_BYTES] = "dirty_sync_bytes",
	[SET_WRITEBACK] = "dirty_writeback_centisecs",
	[SET_EXPIRE] = "dirty_expire_centisecs",
	[SET_THREADS_MIN] = "nr_pdflush_threads_min",
	[SET_THREADS_MAX] = "nr_pdflush_threads_max",
};

/**
 * setting_find - look a setting up
 * @name: as under /proc/sys/vm; "vm." before it does not matter
 *
 * Returns its enum setting_id, or -1. dirty_ratio and dirty_bytes are other names of
 * dirty_async_ratio and dirty_async_bytes.
 */
int setting_find(const char *name)
{
	int id;

	if (!strncmp(name, "vm.", 3))
		name += 3;
	if (!strcmp(name, "dirty_ratio"))
		return SET_ASYNC_RATIO;
	if (!strcmp(name, "dirty_bytes"))
		return SET_ASYNC_BYTES;
	for (id = 0; id < NR_SETTINGS; id++)
		if (!strcmp(name, setting_name[id]))
			return id;
	return -1;
}

/**
 * setting_is_threshold - is it one of the six files of thresholds?
 * @id: the setting
 */
bool setting_is_threshold(enum setting_id id)
{
	return id >= SET_BACKGROUND_RATIO && id <= SET_SYNC_BYTES;
}

/**
 * setting_twin - the other spelling of a threshold
 * @id: the ratio or the bytes file
 */
enum setting_id setting_twin(enum setting_id id)
{
	return ((id - SET_BACKGROUND_RATIO) ^ 1) + SET_BACKGROUND_RATIO;
}

static bool whole_number(const char *text, unsigned long long most, unsigned long long *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && !*end && *value <= most;
}

static bool nine_numbers(const char *value)
{
	char copy[SETTING_MAX], *word, *rest = copy;
	unsigned long long number;
	unsigned int count = 0;

	snprintf(copy, sizeof(copy), "%s", value);
	while ((word = strsep(&rest, " "))) {
		if (!whole_number(word, 1000000, &number))
			return false;
		count++;
	}
	return count == BDFLUSH_NUMBERS;
}

/**
 * setting_valid - may a setting have this value?
 * @id: the setting
 * @value: tidy
 * @why: if not: what it wants
 *
 * Whether there is a policy of that name only the engine knows.
 */
bool setting_valid(enum setting_id id, const char *value, const char **why)
{
	unsigned long long number;

	switch (id) {
	case SET_POLICY:
		*why = "wants a word";
		return *value && !strpbrk(value, " /");
	case SET_BDFLUSH:
		*why = "wants nine whole numbers";
		return nine_numbers(value);
	case SET_BACKGROUND_RATIO:
	case SET_ASYNC_RATIO:
	case SET_SYNC_RATIO:
		*why = "wants percent, 0 to 100";
		return whole_number(value, 100, &number);
	case SET_BACKGROUND_BYTES:
	case SET_ASYNC_BYTES:
	case SET_SYNC_BYTES:
		*why = "wants a whole number of bytes";
		return whole_number(value, ~0ULL, &number);
	case SET_WRITEBACK:
	case SET_EXPIRE:
		*why = "wants hundredths of a second, 0 to 2147483647";
		return whole_number(value, 2147483647, &number);
	case SET_THREADS_MIN:
	case SET_THREADS_MAX:
		*why = "wants a number of threads, 1 to 1024";
		return whole_number(value, MOST_THREADS, &number) && number;
	case NR_SETTINGS:
		break;
	}
	return false;
}

/**
 * setting_tidy - no blanks around a value, single ones in it
 * @value: changed in place
 */
void setting_tidy(char *value)
{
	char *from = value + strspn(value, " \t\n\r"), *to = value;

	while (*from) {
		if (strchr(" \t\n\r", *from)) {
			from += strspn(from, " \t\n\r");
			if (*from)
				*to++ = ' ';
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* Below, a zero: the other spelling is in force. */
static bool is_set(const struct settings *set, enum setting_id id)
{
	return set->there[id] && strcmp(set->value[id], "0");
}

/**
 * settings_agree - can all of them be in force at once?
 * @set: valid ones
 * @why: if not
 */
bool settings_agree(const struct settings *set, const char **why)
{
	int id;

	for (id = SET_BACKGROUND_RATIO; id < SET_SYNC_BYTES; id += 2) {
		if (is_set(set, id) && is_set(set, setting_twin(id))) {
			*why = "gives a threshold in percent and in bytes: choose one";
			return false;
		}
	}
	if (set->there[SET_THREADS_MIN] && set->there[SET_THREADS_MAX] &&
	    atoi(set->value[SET_THREADS_MIN]) > atoi(set->value[SET_THREADS_MAX])) {
		*why = "has nr_pdflush_threads_min above nr_pdflush_threads_max";
		return false;
	}
	if (set->there[SET_BDFLUSH] &&
	    (!set->there[SET_POLICY] || strcmp(set->value[SET_POLICY], "bdflush"))) {
		*why = "has bdflush, which needs writeback_policy = bdflush";
		return false;
	}
	if (set->there[SET_BDFLUSH] && (set->there[SET_WRITEBACK] || set->there[SET_EXPIRE])) {
		*why = "gives when old data is written twice: bdflush has it, too";
		return false;
	}
	return true;
}

static const char *path_of(enum setting_id id, char path[64])
{
	snprintf(path, 64, "/proc/sys/vm/%s", setting_name[id]);
	return path;
}

/**
 * setting_read - the value in force
 * @id: the setting
 * @value: result, tidy
 *
 * Returns 0 or -errno; -ENOENT: the policy in force, or the kernel, has no such file.
 */
int setting_read(enum setting_id id, char value[SETTING_MAX])
{
	char path[64];

	errno = 0;
	if (!read_word(path_of(id, path), value, SETTING_MAX))
		return -(errno ? errno : EIO);
	setting_tidy(value);
	return 0;
}

/**
 * settings_read - all that are there
 * @set: result
 */
void settings_read(struct settings *set)
{
	int id;

	for (id = 0; id < NR_SETTINGS; id++)
		set->there[id] = !setting_read(id, set->value[id]);
}

/**
 * setting_write - set it
 * @id: the setting
 * @value: tidy
 *
 * Returns 0 or -errno.
 */
int setting_write(enum setting_id id, const char *value)
{
	char path[64], line[SETTING_MAX + 2];

	snprintf(line, sizeof(line), "%s\n", value);
	return write_text(path_of(id, path), line);
}
