// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: texts in the form of sysctl.d(5), found in a few folders.
 *
 * The comment at the head tells what a profile is for; the comment above a setting why it has
 * its value.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"
#include "profile-file.h"

#define OWN_FOLDER	"/etc/pdflush/profiles"
#define MAX_FOLDERS	8

#ifndef PROFILES_DIR
#define PROFILES_DIR	"/usr/share/pdflush/profiles"
#endif

/* ---- Where they are ------------------------------------------------------------------------ */

struct folders {
	size_t nr;
	char path[MAX_FOLDERS][PATH_MAX];
};

static void add_folder(struct folders *folders, const char *path)
{
	if (folders->nr < MAX_FOLDERS && *path)
		snprintf(folders->path[folders->nr++], PATH_MAX, "%s", path);
}

/* Beside the program: in the tree that it was built in, or below another prefix. */
static void add_beside(struct folders *folders)
{
	static const char * const places[] = {
		"../tools/pdflushctl/profiles", "../share/pdflush/profiles",
	};
	char self[PATH_MAX - 64], path[PATH_MAX], *real;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (len <= 0)
		return;
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(path, sizeof(path), "%s/%s", self, places[i]);
		real = realpath(path, NULL);
		if (real && strcmp(real, PROFILES_DIR))
			add_folder(folders, real);
		free(real);
	}
}

/* The first has the say. */
static const struct folders *all_folders(void)
{
	static struct folders folders;
	const char *list = getenv("PDFLUSHCTL_PROFILES");
	char copy[PATH_MAX], *word, *rest = copy;

	if (folders.nr)
		return &folders;
	if (list && *list) {
		snprintf(copy, sizeof(copy), "%s", list);
		while ((word = strsep(&rest, ":")))
			add_folder(&folders, word);
		return &folders;
	}
	add_folder(&folders, OWN_FOLDER);
	add_folder(&folders, PROFILES_DIR);
	add_beside(&folders);
	return &folders;
}

/**
 * profiles_own_folder - where profiles of the administrator's own are
 */
const char *profiles_own_folder(void)
{
	return all_folders()->path[0];
}

/**
 * profile_name_ok - may a profile be called so?
 * @name: the name
 */
bool profile_name_ok(const char *name)
{
	const char *c;

	for (c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-", *c))
			return false;
	return *name && *name != '.' && strlen(name) < 64;
}

/**
 * profile_find - where a profile is
 * @name: a name, or a file with a / in it
 * @path: result
 */
bool profile_find(const char *name, char path[PATH_MAX])
{
	const struct folders *folders = all_folders();
	size_t i;

	if (strchr(name, '/')) {
		snprintf(path, PATH_MAX, "%s", name);
		return !access(path, F_OK);
	}
	for (i = 0; i < folders->nr && profile_name_ok(name); i++)
		if ((size_t)snprintf(path, PATH_MAX, "%s/%s", folders->path[i], name) < PATH_MAX &&
		    !access(path, F_OK))
			return true;
	return false;
}

static int is_profile(const struct dirent *entry)
{
	return profile_name_ok(entry->d_name);
}

/**
 * profiles_each - look at every profile that can be named
 * @look: called in the order of folders and names
 * @data: for @look
 */
void profiles_each(profile_fn look, void *data)
{
	const struct folders *folders = all_folders();
	char path[PATH_MAX], real[PATH_MAX];
	struct dirent **entries;
	bool go_on = true;
	size_t i;
	int nr, n;

	for (i = 0; i < folders->nr; i++) {
		nr = scandir(folders->path[i], &entries, is_profile, alphasort);
		for (n = 0; n < nr; n++) {
			/* one of the same name in a folder before has the say */
			snprintf(real, sizeof(real), "%s/%s", folders->path[i], entries[n]->d_name);
			if (go_on && profile_find(entries[n]->d_name, path) && !strcmp(path, real))
				go_on = look(entries[n]->d_name, path, data);
			free(entries[n]);
		}
		if (nr >= 0)
			free(entries);
	}
}

/* ---- What is in them ----------------------------------------------------------------------- */

static void add_comment(char comment[REASON_MAX], const char *line)
{
	size_t used = strlen(comment);

	line += strspn(line, "#; \t");
	if (!*line || !strncmp(line, "SPDX-", 5))
		return;
	snprintf(comment + used, REASON_MAX - used, "%s%s", used ? " " : "", line);
	used = strlen(comment);
	while (used && isspace((unsigned char)comment[used - 1]))
		comment[--used] = '\0';
}

static bool take_setting(struct profile *prof, char *line, const char *comment, char *why,
			 size_t size)
{
	char *value = strchr(line, '=');
	const char *wants;
	int id;

	if (!value) {
		snprintf(why, size, "no NAME = VALUE: %s", line);
		return false;
	}
	*value++ = '\0';
	setting_tidy(line);
	setting_tidy(value);
	id = setting_find(line);
	if (id < 0) {
		snprintf(why, size, "%s is no setting of the engine", line);
		return false;
	}
	if (prof->set.there[id]) {
		snprintf(why, size, "%s is there twice", line);
		return false;
	}
	if (strlen(value) >= SETTING_MAX || !setting_valid(id, value, &wants)) {
		snprintf(why, size, "%s %s, not \"%.40s\"", line,
			 strlen(value) >= SETTING_MAX ? "wants less" : wants, value);
		return false;
	}
	prof->set.there[id] = true;
	snprintf(prof->set.value[id], SETTING_MAX, "%s", value);
	snprintf(prof->reason[id], REASON_MAX, "%s", comment);
	return true;
}

static bool take_text(struct profile *prof, char *text, char *why, size_t size)
{
	char comment[REASON_MAX] = "", *line, *rest = text, said[160];
	bool head = true;
	int nr = 0;

	while ((line = strsep(&rest, "\n"))) {
		nr++;
		line += strspn(line, " \t\r");
		if (*line == '#' || *line == ';') {
			add_comment(comment, line);
			continue;
		}
		if (*line && take_setting(prof, line, comment, said, sizeof(said))) {
			head = false;
		} else if (*line) {
			snprintf(why, size, "%s:%d: %s", prof->path, nr, said);
			return false;
		} else if (head && *comment && !*prof->about) {
			snprintf(prof->about, REASON_MAX, "%s", comment);
		}
		comment[0] = '\0';
	}
	return true;
}

/**
 * profile_read - read a profile
 * @name: of it
 * @path: where it is
 * @prof: result
 * @why: if it can't be used: what is wrong, with file and line
 * @size: of @why
 */
bool profile_read(const char *name, const char *path, struct profile *prof, char *why,
		  size_t size)
{
	const char *fault;
	char text[16384];
	size_t len, i;
	FILE *file;

	memset(prof, 0, sizeof(*prof));
	snprintf(prof->name, sizeof(prof->name), "%s", name);
	snprintf(prof->path, sizeof(prof->path), "%s", path);
	file = fopen(path, "re");
	if (!file) {
		snprintf(why, size, "cannot read %s: %s", path, strerror(errno));
		return false;
	}
	len = fread(text, 1, sizeof(text) - 1, file);
	if (ferror(file) || len == sizeof(text) - 1 || memchr(text, 0, len)) {
		fclose(file);
		snprintf(why, size, "%s is no profile: not a short text", path);
		return false;
	}
	fclose(file);
	text[len] = '\0';
	if (!take_text(prof, text, why, size))
		return false;
	for (i = 0; i < NR_SETTINGS && !prof->set.there[i]; i++)
		;
	if (i == NR_SETTINGS) {
		snprintf(why, size, "%s sets nothing", path);
		return false;
	}
	if (!settings_agree(&prof->set, &fault)) {
		snprintf(why, size, "%s %s", path, fault);
		return false;
	}
	return true;
}
