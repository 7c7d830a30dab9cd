/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

/* Settings under /proc/sys/vm, in the order in which they must be written. */
enum setting_id {
	SET_POLICY,		/* first: files of its own may come and go with a policy */
	SET_BDFLUSH,
	SET_BACKGROUND_RATIO,
	SET_BACKGROUND_BYTES,
	SET_ASYNC_RATIO,
	SET_ASYNC_BYTES,
	SET_SYNC_RATIO,
	SET_SYNC_BYTES,
	SET_WRITEBACK,
	SET_EXPIRE,
	SET_THREADS_MIN,
	SET_THREADS_MAX,
	NR_SETTINGS
};

#define SETTING_MAX 128		/* of a value */

/**
 * struct settings - values as in the files
 * @there: it has a value
 * @value: without a newline, blanks in it made single
 */
struct settings {
	bool there[NR_SETTINGS];
	char value[NR_SETTINGS][SETTING_MAX];
};

extern const char * const setting_name[NR_SETTINGS];

int setting_find(const char *name);
bool setting_valid(enum setting_id id, const char *value, const char **why);
void setting_tidy(char *value);
bool setting_is_threshold(enum setting_id id);
enum setting_id setting_twin(enum setting_id id);
bool settings_agree(const struct settings *set, const char **why);
void settings_read(struct settings *set);
int setting_write(enum setting_id id, const char *value);
int setting_read(enum setting_id id, char value[SETTING_MAX]);

#endif
