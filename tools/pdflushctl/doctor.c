// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl doctor: can this kernel take the engine, what would change, what works against it.
 */
#include <dirent.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include "ctl.h"
#include "engine.h"
#include "livepatch.h"

static const char help[] =
"pdflushctl doctor\n"
"\n"
"Whether this kernel can take the engine, what of the stock engine it replaces, and which other\n"
"knobs work against it. Changes nothing.\n"
"\n"
"    ok      as it should be\n"
"    NO      the engine can't be loaded or built; what to do about it\n"
"    !       works, but is good to know\n"
"    ?       can't be seen, mostly for want of root\n"
"\n"
"Exit status: 0; 1 if there is a NO.\n";

enum finding { OK, NO, NOTE, UNKNOWN };

static unsigned int nr_no;

static void found(enum finding finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void found(enum finding finding, const char *format, ...)
{
	static const char * const mark[] = { "ok", "NO", "!", "?" };
	va_list args;

	if (finding == NO)
		nr_no++;
	printf("  %-3s ", mark[finding]);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* ---- Can this kernel take it? -------------------------------------------------------------- */

/* What attach.c of the engine replaces, and the walker that it calls. */
static const char * const functions[] = {
	"balance_dirty_pages", "wb_over_bg_thresh", "wb_wakeup_delayed", "global_dirty_limits",
	"dirty_background_ratio_handler", "dirty_background_bytes_handler", "dirty_ratio_handler",
	"dirty_bytes_handler", "wb_workfn",
};

static void check_version(const char *release)
{
	char arch[32] = "";
	struct utsname uts;
	unsigned int major = 0, minor = 0;

	sscanf(release, "%u.%u", &major, &minor);
	if (major == 6 && minor == 1)
		found(OK, "Linux %s", release);
	else if (major > 6 || (major == 6 && minor > 1))
		found(NOTE, "Linux %s: the engine is made for Debian's 6.1, and refuses a kernel "
			    "that lacks what it needs", release);
	else
		found(NO, "Linux %s is too old: 6.1 or later is needed", release);
	if (!read_word("/proc/sys/kernel/arch", arch, sizeof(arch)) && !uname(&uts))
		snprintf(arch, sizeof(arch), "%.31s", uts.machine);
	if (!strcmp(arch, "x86_64"))
		found(OK, "amd64");
	else
		found(NO, "the machine is %s: the engine is for amd64", arch);
}

/* The kernel's configuration: a text to free, or NULL. */
static char *read_config(const char *release)
{
	char path[PATH_MAX], *text;

	snprintf(path, sizeof(path), "/boot/config-%s", release);
	text = read_text(path);
	if (text)
		return text;
	snprintf(path, sizeof(path), "/lib/modules/%s/build/.config", release);
	return read_text(path);
}

static bool configured(const char *config, const char *name)
{
	char line[64];
	const char *at;

	snprintf(line, sizeof(line), "CONFIG_%s=y", name);
	at = strstr(config, line);
	return at && (at == config || at[-1] == '\n');
}

static void check_config(const char *release)
{
	static const struct {
		const char *name, *what;
	} needed[] = {
		{ "LIVEPATCH", "functions can't be replaced" },
		{ "KPROBES", "the engine can't see whether a function is there" },
		{ "KALLSYMS", "functions can't be found by name" },
		{ "MODULE_UNLOAD", "the engine can't be removed" },
		{ "TRACEPOINTS", "it can't be seen who wrote what" },
	};
	char *config = read_config(release);
	size_t i;

	for (i = 0; config && i < ARRAY_SIZE(needed); i++) {
		if (configured(config, needed[i].name))
			found(OK, "CONFIG_%s", needed[i].name);
		else
			found(NO, "CONFIG_%s is not set: %s; Debian's kernel has it",
			      needed[i].name, needed[i].what);
	}
	if (!config)
		found(UNKNOWN, "no /boot/config-%s: the configuration can't be seen",
		      release);
	if (path_exists("/sys/kernel/livepatch"))
		found(OK, "livepatching works: /sys/kernel/livepatch is there");
	else
		found(NO, "no /sys/kernel/livepatch: this kernel can't be livepatched; use "
			  "Debian's");
	free(config);
}

static bool has_symbol(const char *symbols, const char *name)
{
	size_t len = strlen(name);
	const char *at = symbols;

	while ((at = strstr(at, name))) {
		if (at > symbols && at[-1] == ' ' && (at[len] == '\n' || !at[len]))
			return true;
		at += len;
	}
	return false;
}

static void check_functions(void)
{
	char *symbols = read_text("/proc/kallsyms");
	unsigned int missing = 0;
	size_t i;

	if (!symbols || !*symbols) {
		found(UNKNOWN, "/proc/kallsyms can't be read: whether the functions are there");
		free(symbols);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (has_symbol(symbols, functions[i]))
			continue;
		found(NO, "this kernel has no function %s, which the engine replaces or calls",
		      functions[i]);
		missing++;
	}
	if (!missing)
		found(OK, "all %zu functions that it replaces or calls are there",
		      ARRAY_SIZE(functions));
	free(symbols);
}

static void check_module(const char *release)
{
	char path[PATH_MAX], *deps;

	snprintf(path, sizeof(path), "/lib/modules/%s/build/Makefile", release);
	if (path_exists(path))
		found(OK, "headers to build the module with");
	else
		found(NOTE, "no headers to build the module with: apt-get install linux-headers-%s",
		      release);
	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", release);
	deps = read_text(path);
	if (module_loaded("pdflush") || (deps && strstr(deps, "/pdflush.ko")))
		found(OK, "the module is installed");
	else
		found(NOTE, "modprobe finds no pdflush: make && make install, or attach --module "
			    "FILE");
	free(deps);
}

static bool secure_boot(bool *on)
{
	/* four bytes of attributes, then the value */
	char *text = read_text("/sys/firmware/efi/efivars/"
			       "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c");

	if (!text)
		return false;
	*on = text[4] == 1;
	free(text);
	return true;
}

static void check_signatures(void)
{
	char word[64];
	bool on = false, enforced;

	enforced = read_word("/sys/module/module/parameters/sig_enforce", word, sizeof(word)) &&
		   (*word == 'Y' || *word == '1');
	if (enforced)
		found(NO, "the kernel takes signed modules only: sign it (kmodsign) with a key "
			  "it knows");
	if (!read_word("/sys/kernel/security/lockdown", word, sizeof(word)))
		found(UNKNOWN, "/sys/kernel/security/lockdown can't be read");
	else if (!strstr(word, "[none]"))
		found(NO, "the kernel is locked down (%s): it takes signed modules only; sign "
			  "it, or switch Secure Boot off", word);
	if (secure_boot(&on) && on)
		found(NOTE, "Secure Boot is on: the module must be signed with an enrolled key "
		      "(mokutil)");
	if (!enforced && !on)
		found(OK, "no signature is asked for");
}

static void check_state(void)
{
	unsigned long long ftrace;

	if (read_number("/proc/sys/kernel/ftrace_enabled", &ftrace) && !ftrace)
		found(NO, "ftrace is switched off: echo 1 > /proc/sys/kernel/ftrace_enabled");
	if (engine_there())
		found(livepatch_state() == PATCH_ON ? OK : NOTE, "the engine is loaded%s",
		      livepatch_state() == PATCH_ON ? " and in force" : ", but not in force");
	else if (path_exists("/proc/sys/vm/dirty_async_ratio"))
		found(NO, "somebody else has made /proc/sys/vm/dirty_async_ratio: remove that "
			  "first");
}

/* ---- What would be lost -------------------------------------------------------------------- */

static void tell_losses(void)
{
	found(NOTE, "dirty_ratio and dirty_bytes become the async threshold; stock values come "
		    "back at detach");
	found(NOTE, "stock pacing by each device's share and a rate for each task is replaced by "
		    "turns at the device");
	found(NOTE, "background writing by kworkers is replaced by threads named pdflush, one a "
		    "device");
	found(NOTE, "/sys/class/bdi/*/min_ratio is not looked at; max_ratio is");
	found(NOTE, "a memory cgroup is held to the same percentages of its own memory, without "
		    "stock's share by write speed");
	found(NOTE, "the events writeback:balance_dirty_pages and bdi_dirty_ratelimit stay "
		    "silent; pdflush:* are there instead");
	found(NOTE, "the page allocator goes on looking at the stock dirty_ratio: set it to 100 "
		    "before attaching, or writing may take 3 %% longer");
}

/* ---- What works against it ----------------------------------------------------------------- */

static bool file_is(const char *format, const char *name, unsigned long long *value)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), format, name);
	return read_number(path, value);
}

static bool has_wbt(const char *name)
{
	unsigned long long value;

	/* a loop device without a file, say */
	if (file_is("/sys/block/%.200s/size", name, &value) && !value)
		return false;
	return file_is("/sys/block/%.200s/queue/wbt_lat_usec", name, &value) && value;
}

static bool has_max_ratio(const char *name)
{
	unsigned long long value;

	return file_is("/sys/class/bdi/%.200s/max_ratio", name, &value) && value < 100;
}

static bool has_min_ratio(const char *name)
{
	unsigned long long value;

	return file_is("/sys/class/bdi/%.200s/min_ratio", name, &value) && value;
}

static bool has_strict_limit(const char *name)
{
	unsigned long long value;

	return file_is("/sys/class/bdi/%.200s/strict_limit", name, &value) && value;
}

static void check_devices(void)
{
	char names[160];

	if (folder_names("/sys/block", has_wbt, names, sizeof(names)))
		found(NOTE, "the block layer throttles background writing (wbt) on %s; 0 in "
		      "queue/wbt_lat_usec ends it", names);
	if (folder_names("/sys/class/bdi", has_max_ratio, names, sizeof(names)))
		found(NOTE, "max_ratio holds %s to a part of the thresholds", names);
	if (folder_names("/sys/class/bdi", has_strict_limit, names, sizeof(names)))
		found(NOTE, "strict_limit holds %s to its own part alone", names);
	if (folder_names("/sys/class/bdi", has_min_ratio, names, sizeof(names)))
		found(NOTE, "min_ratio of %s has no effect while attached", names);
}

static void check_other_patches(void)
{
	char names[160];

	if (livepatch_others(names, sizeof(names)))
		found(NOTE, "other livepatches: %s; one that replaces the same functions is "
			    "refused or refuses, one that replaces all others ends the engine",
			    names);
}

/* Does a text set a vm.dirty_ something? */
static bool sets_dirty(const char *text)
{
	const char *at = text, *line;

	while ((at = strstr(at, "dirty_"))) {
		for (line = at; line > text && line[-1] != '\n'; line--)
			;
		line += strspn(line, " \t-");
		if (*line != '#' && *line != ';' && strchr(at, '=') &&
		    strchr(at, '=') < at + strcspn(at, "\n"))
			return true;
		at++;
	}
	return false;
}

static bool file_sets_dirty(const char *path)
{
	char *text = read_text(path);
	bool sets = text && sets_dirty(text);

	free(text);
	return sets;
}

static void check_sysctl_folder(const char *folder)
{
	char real[PATH_MAX], path[PATH_MAX];
	struct dirent *entry;
	DIR *dir = opendir(root_path(folder, real, sizeof(real)));

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (strstr(entry->d_name, ".conf") && file_sets_dirty(path))
			found(NOTE, "%s sets vm.dirty_*: before the engine is loaded that is for "
				    "the stock one, later for the engine", path);
	}
	if (dir)
		closedir(dir);
}

static void check_sysctl(void)
{
	static const char * const folders[] = {
		"/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d",
	};
	size_t i;

	if (file_sets_dirty("/etc/sysctl.conf"))
		found(NOTE, "/etc/sysctl.conf sets vm.dirty_*: before the engine is loaded that "
			    "is for the stock one, later for the engine");
	for (i = 0; i < ARRAY_SIZE(folders); i++)
		check_sysctl_folder(folders[i]);
}

static void check_tuned(void)
{
	static const char * const folders[] = {
		"/etc/tuned/profiles", "/etc/tuned", "/usr/lib/tuned/profiles", "/usr/lib/tuned",
	};
	char name[64], path[PATH_MAX];
	size_t i;

	if (!read_word("/etc/tuned/active_profile", name, sizeof(name)) || !*name)
		return;
	for (i = 0; i < ARRAY_SIZE(folders); i++) {
		snprintf(path, sizeof(path), "%s/%s/tuned.conf", folders[i], name);
		if (!file_sets_dirty(path))
			continue;
		found(NOTE, "tuned's profile %s sets vm.dirty_* (%s), and again at each restart "
			    "of tuned",
		      name, path);
		return;
	}
	found(NOTE, "tuned is active with the profile %s: one that it includes may set "
		    "vm.dirty_*", name);
}

#define CGROUP_DEPTH	6

static void count_groups(const char *path, int depth, unsigned int *count, char *first, size_t size)
{
	char real[PATH_MAX], below[PATH_MAX], value[32];
	struct dirent *entry;
	DIR *dir;

	snprintf(below, sizeof(below), "%s/memory.max", path);
	if (read_word(below, value, sizeof(value)) && *value && strcmp(value, "max")) {
		if (!(*count)++)
			snprintf(first, size, "%s", path);
	} else {
		snprintf(below, sizeof(below), "%s/memory.high", path);
		if (read_word(below, value, sizeof(value)) && *value && strcmp(value, "max") &&
		    !(*count)++)
			snprintf(first, size, "%s", path);
	}
	dir = depth ? opendir(root_path(path, real, sizeof(real))) : NULL;
	while (dir && (entry = readdir(dir))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.' ||
		    (size_t)snprintf(below, sizeof(below), "%s/%s", path, entry->d_name) >=
		    sizeof(below))
			continue;
		count_groups(below, depth - 1, count, first, size);
	}
	if (dir)
		closedir(dir);
}

static void check_groups(void)
{
	unsigned int count = 0;
	char first[200];

	count_groups("/sys/fs/cgroup", CGROUP_DEPTH, &count, first, sizeof(first));
	if (count)
		found(NOTE, "%u cgroup%s a memory limit (%s%s): writers there are held by the "
		      "thresholds of that memory, too", count, count == 1 ? " has" : "s have",
		      first,
		      count == 1 ? "" : ", ...");
}

static void check_modes(void)
{
	unsigned long long value;

	if (read_number("/proc/sys/vm/laptop_mode", &value) && value)
		found(NOTE, "laptop_mode is on: background writing starts only when a writer has "
			    "to be paced; echo 0 > /proc/sys/vm/laptop_mode");
	if (read_number("/proc/sys/vm/dirty_writeback_centisecs", &value) && !value)
		found(NOTE, "dirty_writeback_centisecs is 0: old data is not written by itself");
}

static int run(int argc, char **argv)
{
	char release[128];
	struct utsname uts;
	int status = options_read(&verb_doctor, argc, argv, NULL, 0);

	if (status != OPT_GO_ON)
		return status;
	if (optind < argc)
		return ctl_error(CTL_USAGE, "%s is one word too many", argv[optind]);
	if (!read_word("/proc/sys/kernel/osrelease", release, sizeof(release)) && !uname(&uts))
		snprintf(release, sizeof(release), "%s", uts.release);

	printf("Can this kernel take the engine?\n");
	check_version(release);
	check_config(release);
	check_functions();
	check_module(release);
	check_signatures();
	check_state();

	printf("\nWhat changes while it is attached\n");
	tell_losses();

	printf("\nWhat works against it, or beside it\n");
	check_devices();
	check_groups();
	check_other_patches();
	check_sysctl();
	check_tuned();
	check_modes();

	if (nr_no)
		printf("\nThe engine can't be used here: %u reason%s above.\n", nr_no,
		       nr_no == 1 ? "" : "s");
	else
		printf("\nNothing stands in the way.\n");
	return nr_no ? CTL_FAILED : CTL_FINE;
}

const struct verb verb_doctor = {
	"doctor", "can this kernel take it, what would change, what fights it", help, run
};
