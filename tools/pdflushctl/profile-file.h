/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROFILE_FILE_H
#define PROFILE_FILE_H

#include <limits.h>
#include "settings.h"

#define REASON_MAX	400

/**
 * struct profile - settings that belong together, and why they are as they are
 * @name: of the file
 * @path: where it is
 * @about: the comment at its head
 * @set: the settings
 * @reason: the comment before each
 */
struct profile {
	char name[64];
	char path[PATH_MAX];
	char about[REASON_MAX];
	struct settings set;
	char reason[NR_SETTINGS][REASON_MAX];
};

/* Called for each profile; false ends the round. */
typedef bool (*profile_fn)(const char *name, const char *path, void *data);

bool profile_name_ok(const char *name);
bool profile_find(const char *name, char path[PATH_MAX]);
bool profile_read(const char *name, const char *path, struct profile *prof, char *why,
		  size_t size);
void profiles_each(profile_fn look, void *data);
const char *profiles_own_folder(void);

#endif
