// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl profile: sets of settings, applied whole or not at all.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "ctl.h"
#include "engine.h"
#include "profile-file.h"

static const char help[] =
"pdflushctl profile list\n"
"pdflushctl profile show NAME\n"
"pdflushctl profile apply [--dry-run] NAME\n"
"pdflushctl profile save [--force] NAME\n"
"\n"
"    list     the profiles there are\n"
"    show     a profile's settings, each with its reason and the value in force\n"
"    apply    write them: all, or none if one of them is refused. Prints what changed.\n"
"    save     keep the values in force as a profile of your own\n"
"\n"
"    -n, --dry-run    check all, write nothing, print what would change\n"
"    -f, --force      save: over one that is there\n"
"\n"
"NAME is that of a file in /etc/pdflush/profiles (your own) or /usr/share/pdflush/profiles, or\n"
"a path with a / in it. Profiles are texts in the form of sysctl.d(5). Values last until the\n"
"engine is detached. PDFLUSHCTL_PROFILES in the environment names other folders, with : between.\n"
"\n"
"Exit status: 0; 1 if a profile is bad, missing or refused, and nothing was changed; 3 if the\n"
"engine is not loaded.\n";

#define TEXT_WIDTH	72

/* ---- list, show ---------------------------------------------------------------------------- */

/* The first sentence, or what fits. */
static void print_short(const char *text, size_t width)
{
	const char *dot = strstr(text, ". ");
	size_t len = dot ? (size_t)(dot - text) : strlen(text);

	while (len && !dot && text[len - 1] == '.')
		len--;
	if (len <= width)
		printf("%.*s\n", (int)len, text);
	else
		printf("%.*s...\n", (int)width - 3, text);
}

static bool list_one(const char *name, const char *path, void *unused)
{
	struct profile prof;
	char why[300];

	(void)unused;
	printf("%-16s ", name);
	if (profile_read(name, path, &prof, why, sizeof(why)))
		print_short(prof.about, 78 - 17);
	else
		printf("(bad: %s)\n", why);
	return true;
}

static int list(void)
{
	profiles_each(list_one, NULL);
	return CTL_FINE;
}

static void print_wrapped(const char *text, const char *indent)
{
	size_t column = 0, len;

	while (*text) {
		len = strcspn(text, " ");
		if (column && column + 1 + len > TEXT_WIDTH) {
			putchar('\n');
			column = 0;
		}
		column += (size_t)printf("%s%.*s", column ? " " : indent, (int)len, text);
		text += len;
		text += strspn(text, " ");
	}
	if (column)
		putchar('\n');
}

static int load(const char *name, struct profile *prof)
{
	char path[PATH_MAX], why[PATH_MAX + 200];

	if (!profile_find(name, path))
		return ctl_error(CTL_FAILED, "there is no profile %s; see pdflushctl profile list",
				 name);
	if (!profile_read(name, path, prof, why, sizeof(why)))
		return ctl_error(CTL_FAILED, "%s", why);
	return CTL_FINE;
}

static int show(const char *name)
{
	struct settings now = { 0 };
	struct profile prof;
	int status = load(name, &prof), id;

	if (status)
		return status;
	if (engine_there())
		settings_read(&now);
	printf("%s (%s)\n", prof.name, prof.path);
	print_wrapped(prof.about, "");
	for (id = 0; id < NR_SETTINGS; id++) {
		if (!prof.set.there[id])
			continue;
		printf("\n%s = %s", setting_name[id], prof.set.value[id]);
		if (now.there[id] && strcmp(now.value[id], prof.set.value[id]))
			printf("    (now %s)", now.value[id]);
		putchar('\n');
		print_wrapped(prof.reason[id], "    ");
	}
	return CTL_FINE;
}

/* ---- apply --------------------------------------------------------------------------------- */

/*
 * Write a setting, if that is needed. A 0 goes to the file of a threshold that is in force: to the
 * other one it would change nothing.
 */
static int put(enum setting_id id, const char *value)
{
	char now[SETTING_MAX] = "", twin[SETTING_MAX] = "";

	setting_read(id, now);
	if (setting_is_threshold(id) && !strcmp(value, "0")) {
		setting_read(setting_twin(id), twin);
		if (strcmp(twin, "0") && *twin)
			return setting_write(setting_twin(id), "0");
	}
	return strcmp(now, value) ? setting_write(id, value) : 0;
}

/* All as it was. Returns false, having said why, if that can't be. */
static bool restore(const struct settings *before)
{
	bool fine = true;
	int id, err;

	for (id = 0; id < NR_SETTINGS; id++) {
		if (!before->there[id])
			continue;
		/* the other spelling was in force, and is written in its turn */
		if (setting_is_threshold(id) && !strcmp(before->value[id], "0") &&
		    strcmp(before->value[setting_twin(id)], "0"))
			continue;
		err = put(id, before->value[id]);
		if (!err)
			continue;
		ctl_error(CTL_FAILED, "%s could not be set back to %s: %s", setting_name[id],
			  before->value[id], strerror(-err));
		fine = false;
	}
	return fine;
}

static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);
	const char *at = words;

	while ((at = strstr(at, word))) {
		if ((at == words || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
		at += len;
	}
	return false;
}

/* Everything that can be known before the first write. */
static int check(const struct profile *prof, const struct settings *before)
{
	char policies[SETTING_MAX];
	int id;

	if (!read_word("/proc/sys/vm/writeback_available_policies", policies, sizeof(policies)))
		return ctl_error(CTL_FAILED,
				 "cannot read /proc/sys/vm/writeback_available_policies");
	setting_tidy(policies);
	if (prof->set.there[SET_POLICY] && !has_word(policies, prof->set.value[SET_POLICY]))
		return ctl_error(CTL_FAILED, "%s needs the policy %s; this engine has: %s. "
				 "Nothing was changed", prof->name, prof->set.value[SET_POLICY],
				 policies);
	for (id = 0; id < NR_SETTINGS; id++)
		if (prof->set.there[id] && id != SET_BDFLUSH && !before->there[id])
			return ctl_error(CTL_FAILED, "this engine has no %s in /proc/sys/vm. "
					 "Nothing was changed", setting_name[id]);
	return CTL_FINE;
}

static bool may_write(void)
{
	char real[PATH_MAX];

	return !access(root_path("/proc/sys/vm/writeback_policy", real, sizeof(real)), W_OK);
}

static int give_up(const char *what, const char *value, const char *why,
		   const struct settings *before)
{
	if (restore(before))
		return ctl_error(CTL_FAILED, "%s = %s was refused (%s); all is as it was before",
				 what, value, why);
	return ctl_error(CTL_FAILED, "%s = %s was refused (%s), and not all could be set back; "
			 "see pdflushctl status", what, value, why);
}

/* What was written must be what is read now. A threshold of 0 reads so in both its files. */
static int verify(const struct profile *prof, const struct settings *before)
{
	char now[SETTING_MAX], why[SETTING_MAX + 16];
	int id;

	for (id = 0; id < NR_SETTINGS; id++) {
		if (!prof->set.there[id])
			continue;
		if (!setting_read(id, now) && !strcmp(now, prof->set.value[id]))
			continue;
		snprintf(why, sizeof(why), "it reads %s now", now);
		return give_up(setting_name[id], prof->set.value[id], why, before);
	}
	return CTL_FINE;
}

static const char *or_none(const struct settings *set, int id)
{
	return set->there[id] ? set->value[id] : "(no such file)";
}

static void print_changes(const struct settings *before, const struct settings *after)
{
	unsigned int changed = 0;
	int id;

	for (id = 0; id < NR_SETTINGS; id++) {
		if (!strcmp(or_none(before, id), or_none(after, id)))
			continue;
		printf("%-26s %s -> %s\n", setting_name[id], or_none(before, id),
		       or_none(after, id));
		changed++;
	}
	if (!changed)
		printf("nothing to change: all is so already\n");
}

/* What would be there afterwards. */
static void foresee(const struct profile *prof, const struct settings *before,
		    struct settings *after)
{
	int id;

	*after = *before;
	for (id = 0; id < NR_SETTINGS; id++) {
		if (!prof->set.there[id])
			continue;
		after->there[id] = true;
		snprintf(after->value[id], SETTING_MAX, "%s", prof->set.value[id]);
		if (setting_is_threshold(id) && after->there[setting_twin(id)])
			snprintf(after->value[setting_twin(id)], SETTING_MAX, "0");
	}
	if (prof->set.there[SET_POLICY] && strcmp(prof->set.value[SET_POLICY], "bdflush"))
		after->there[SET_BDFLUSH] = false;
}

static int write_all(const struct profile *prof, const struct settings *before)
{
	int id, err;

	for (id = 0; id < NR_SETTINGS; id++) {
		if (!prof->set.there[id])
			continue;
		err = put(id, prof->set.value[id]);
		if (err)
			return give_up(setting_name[id], prof->set.value[id], strerror(-err),
				       before);
	}
	return verify(prof, before);
}

static int apply(const char *name, bool dry_run)
{
	struct settings before, after;
	struct profile prof;
	int status = load(name, &prof);

	if (status)
		return status;
	if (!engine_there())
		return ctl_not_loaded();
	settings_read(&before);
	status = check(&prof, &before);
	if (status)
		return status;
	if (dry_run) {
		foresee(&prof, &before, &after);
		print_changes(&before, &after);
		return CTL_FINE;
	}
	if (!may_write())
		return ctl_need_root("profile apply ...");
	status = write_all(&prof, &before);
	if (status)
		return status;
	settings_read(&after);
	print_changes(&before, &after);
	return CTL_FINE;
}

/* ---- save ---------------------------------------------------------------------------------- */

/* Of a threshold's two files the one in force. */
static bool worth_saving(const struct settings *set, enum setting_id id)
{
	if (!set->there[id])
		return false;
	/* two of the nine numbers are these */
	if (set->there[SET_BDFLUSH] && (id == SET_WRITEBACK || id == SET_EXPIRE))
		return false;
	if (!setting_is_threshold(id) || strcmp(set->value[id], "0"))
		return true;
	/* both are 0: the ratio stands for it */
	return id < setting_twin(id) && !strcmp(set->value[setting_twin(id)], "0");
}

static void make_text(const struct settings *set, char *text, size_t size)
{
	time_t now = time(NULL);
	char date[32];
	size_t used;
	int id;

	strftime(date, sizeof(date), "%Y-%m-%d %H:%M", localtime(&now));
	used = (size_t)snprintf(text, size, "# Saved on %s from what was in force.\n", date);
	for (id = 0; id < NR_SETTINGS && used < size; id++)
		if (worth_saving(set, id))
			used += (size_t)snprintf(text + used, size - used,
						 "\n# As it was in force.\nvm.%s = %s\n",
						 setting_name[id], set->value[id]);
}

static int make_folder(const char *path)
{
	char copy[PATH_MAX], *slash;

	snprintf(copy, sizeof(copy), "%s", path);
	for (slash = copy + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(copy, 0755);
		*slash = '/';
	}
	return mkdir(copy, 0755) && errno != EEXIST ? -errno : 0;
}

static int save(const char *name, bool force)
{
	const char *folder = profiles_own_folder();
	char text[4096], path[PATH_MAX];
	struct settings set;
	int err;

	if (!profile_name_ok(name))
		return ctl_error(CTL_USAGE,
				 "a profile's name has letters, digits, and . _ - inside, not "
				 "%s", name);
	if (!engine_there())
		return ctl_not_loaded();
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return ctl_error(CTL_FAILED, "%s is too long a path", folder);
	if (!force && !access(path, F_OK))
		return ctl_error(CTL_FAILED, "%s is there already; save --force writes over it",
					     path);
	settings_read(&set);
	make_text(&set, text, sizeof(text));
	err = make_folder(folder) ?: replace_file(folder, name, text);
	if (err == -EACCES || err == -EPERM)
		return ctl_need_root("profile save ...");
	if (err)
		return ctl_error(CTL_FAILED, "cannot write %s: %s", path, strerror(-err));
	printf("saved as %s\n", path);
	return CTL_FINE;
}

/* ---- The verb ------------------------------------------------------------------------------ */

static int run(int argc, char **argv)
{
	bool dry_run = false, force = false;
	const struct opt opts[] = {
		{ "dry-run", 'n', OPT_FLAG, &dry_run },
		{ "force", 'f', OPT_FLAG, &force },
	};
	int status = options_read(&verb_profile, argc, argv, opts, ARRAY_SIZE(opts)), words;
	const char *what;

	if (status != OPT_GO_ON)
		return status;
	what = optind < argc ? argv[optind++] : "";
	words = argc - optind;
	if (dry_run && strcmp(what, "apply"))
		return ctl_error(CTL_USAGE, "--dry-run is for apply");
	if (force && strcmp(what, "save"))
		return ctl_error(CTL_USAGE, "--force is for save");
	if (!strcmp(what, "list") && !words)
		return list();
	if (!strcmp(what, "show") && words == 1)
		return show(argv[optind]);
	if (!strcmp(what, "apply") && words == 1)
		return apply(argv[optind], dry_run);
	if (!strcmp(what, "save") && words == 1)
		return save(argv[optind], force);
	return ctl_error(CTL_USAGE, "list, or show, apply or save with a NAME; see pdflushctl "
				    "profile --help");
}

const struct verb verb_profile = {
	"profile", "sets of settings, applied whole or not at all", help, run
};
