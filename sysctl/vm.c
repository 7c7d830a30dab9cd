// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's files under /proc/sys/vm, and what the stock dirty_* files do while attached.
 *
 * Every write is all or nothing. A name that exists there already must never be registered: the
 * kernel then drops the whole directory until reboot. So each is looked for first.
 */
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/namei.h>
#include <linux/string.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>
#include "files.h"
#include "parse.h"

#define DIR_VM		"/proc/sys/vm"
#define TEXT_ROOM	256

/* What a handler has to do at the start; see check_position(). */
enum position { AT_START, AT_END, MIDDLE };

/*
 * A value is read and written in one piece at the file's start: reading on finds the end, writing
 * on would be half a value.
 */
static enum position check_position(int write, const loff_t *pos)
{
	if (!*pos)
		return AT_START;
	return write ? MIDDLE : AT_END;
}

/**
 * sysctl_show_text - copy text out to a reader
 * @text: all there is to read from here on
 * @text_len: its length
 * @buffer: the reader's
 * @len: room there; result, what was copied
 * @pos: where in the file
 *
 * Returns 0.
 */
int sysctl_show_text(const char *text, size_t text_len, void *buffer, size_t *len, loff_t *pos)
{
	*len = min(*len, text_len);
	memcpy(buffer, text, *len);
	*pos += *len;
	return 0;
}

static int show_number(unsigned long value, void *buffer, size_t *len, loff_t *pos)
{
	char text[24];

	return sysctl_show_text(text, scnprintf(text, sizeof(text), "%lu\n", value), buffer, len,
				pos);
}

/*
 * One file of a threshold.
 *
 * @which: the threshold, by its offset in struct wb_settings
 * @bytes: it is the file in bytes
 */
static int setting_file(size_t which, bool bytes, int write, void *buffer, size_t *len,
			loff_t *pos)
{
	struct wb_settings set;
	unsigned long value;
	int err;

	switch (check_position(write, pos)) {
	case AT_END:
		*len = 0;
		return 0;
	case MIDDLE:
		return -EINVAL;
	case AT_START:
		break;
	}
	if (!write) {
		wb_get_settings(&set);
		value = wb_setting_read((void *)&set + which, bytes);
		return show_number(value, buffer, len, pos);
	}
	err = parse_number(buffer, *len, 0, bytes ? ULONG_MAX : 100, &value);
	if (err)
		return err;
	wb_setting_write((void *)wb_settings_lock() + which, bytes, value);
	wb_settings_unlock();
	*pos += *len;
	return 0;
}

#define SETTING_HANDLER(handler, member, in_bytes)						\
int handler(compat_ctl_table *table, int write, void *buffer, size_t *len, loff_t *pos)		\
{												\
	return setting_file(offsetof(struct wb_settings, member), in_bytes, write, buffer,	\
			    len, pos);								\
}

SETTING_HANDLER(sysctl_background_ratio, background, false)
SETTING_HANDLER(sysctl_background_bytes, background, true)
SETTING_HANDLER(sysctl_async_ratio, async, false)
SETTING_HANDLER(sysctl_async_bytes, async, true)
static SETTING_HANDLER(sysctl_sync_ratio, sync, false)
static SETTING_HANDLER(sysctl_sync_bytes, sync, true)

/* nr_pdflush_threads, read only. */
static int threads_file(compat_ctl_table *table, int write, void *buffer, size_t *len,
			loff_t *pos)
{
	struct pdflush_counts counts;

	if (write)
		return -EPERM;
	if (check_position(write, pos) != AT_START) {
		*len = 0;
		return 0;
	}
	pdflush_get_counts(&counts);
	return show_number(counts.threads, buffer, len, pos);
}

/* nr_pdflush_threads_min and _max; table->extra1 is not NULL for _max. */
static int thread_limit_file(compat_ctl_table *table, int write, void *buffer, size_t *len,
			     loff_t *pos)
{
	bool is_max = table->extra1;
	unsigned int min, max;
	unsigned long value;
	int err;

	switch (check_position(write, pos)) {
	case AT_END:
		*len = 0;
		return 0;
	case MIDDLE:
		return -EINVAL;
	case AT_START:
		break;
	}
	pdflush_get_limits(&min, &max);
	if (!write)
		return show_number(is_max ? max : min, buffer, len, pos);
	err = parse_number(buffer, *len, 1, PDFLUSH_LIMIT_THREADS, &value);
	if (err)
		return err;
	if (is_max)
		pdflush_set_limits(0, value);
	else
		pdflush_set_limits(value, 0);
	*pos += *len;
	return 0;
}

static int policy_file(compat_ctl_table *table, int write, void *buffer, size_t *len,
		       loff_t *pos)
{
	char text[WB_POLICY_NAME_MAX + 2];
	int err;

	switch (check_position(write, pos)) {
	case AT_END:
		*len = 0;
		return 0;
	case MIDDLE:
		return -EINVAL;
	case AT_START:
		break;
	}
	if (!write)
		return sysctl_show_text(text, wb_policy_name(text, sizeof(text)), buffer, len, pos);
	err = parse_word(buffer, *len, text, WB_POLICY_NAME_MAX) ?: wb_select_policy(text);
	if (!err)
		*pos += *len;
	return err;
}

static int policies_file(compat_ctl_table *table, int write, void *buffer, size_t *len,
			 loff_t *pos)
{
	char text[TEXT_ROOM];

	if (write)
		return -EPERM;
	if (check_position(write, pos) != AT_START) {
		*len = 0;
		return 0;
	}
	return sysctl_show_text(text, wb_policy_names(text, sizeof(text)), buffer, len, pos);
}

#define NEW_FILE(name, permissions, handler)	\
	{ .procname = name, .mode = permissions, .proc_handler = handler }

static struct ctl_table vm_files[] = {
	NEW_FILE("dirty_async_ratio", 0644, sysctl_async_ratio),
	NEW_FILE("dirty_async_bytes", 0644, sysctl_async_bytes),
	NEW_FILE("dirty_sync_ratio", 0644, sysctl_sync_ratio),
	NEW_FILE("dirty_sync_bytes", 0644, sysctl_sync_bytes),
	NEW_FILE("nr_pdflush_threads", 0444, threads_file),
	NEW_FILE("nr_pdflush_threads_min", 0644, thread_limit_file),
	{
		.procname = "nr_pdflush_threads_max",
		.mode = 0644,
		.proc_handler = thread_limit_file,
		.extra1 = &vm_files,	/* any address: says "max" */
	},
	NEW_FILE("writeback_policy", 0644, policy_file),
	NEW_FILE("writeback_available_policies", 0444, policies_file),
	COMPAT_TABLE_END
};

static struct ctl_table_header *vm_header;

/**
 * sysctl_path_exists - is there a file of this name?
 * @path: from the root
 *
 * May sleep.
 */
bool sysctl_path_exists(const char *path)
{
	struct path found;

	if (kern_path(path, LOOKUP_FOLLOW, &found))
		return false;
	path_put(&found);
	return true;
}

/**
 * sysctl_vm_register - add our files to /proc/sys/vm
 *
 * May sleep. Returns 0, -EEXIST if a file of a name of ours is there, -ENODEV if that can't be
 * seen, or -ENOMEM; says which in the log. Nothing is added on an error.
 */
int sysctl_vm_register(void)
{
	char path[sizeof(DIR_VM) + 40];
	size_t i;

	if (!sysctl_path_exists(DIR_VM "/dirty_ratio")) {
		pr_err("pdflush: not loaded: no " DIR_VM "/dirty_ratio to be seen from here\n");
		return -ENODEV;
	}
	/* made by a policy, later, by somebody who may not see this folder */
	if (sysctl_path_exists(DIR_VM "/bdflush")) {
		pr_err("pdflush: not loaded: " DIR_VM "/bdflush is there already\n");
		return -EEXIST;
	}
	for (i = 0; i < ARRAY_SIZE(vm_files) && vm_files[i].procname; i++) {
		snprintf(path, sizeof(path), DIR_VM "/%s", vm_files[i].procname);
		if (sysctl_path_exists(path)) {
			pr_err("pdflush: not loaded: %s is there already, made by something else\n",
			       path);
			return -EEXIST;
		}
	}
	vm_header = register_sysctl("vm", vm_files);
	if (!vm_header) {
		pr_err("pdflush: not loaded: no memory for files in " DIR_VM "\n");
		return -ENOMEM;
	}
	return 0;
}

/**
 * sysctl_vm_unregister - take them away
 *
 * May sleep: waits for whoever is reading or writing one. May be called twice.
 */
void sysctl_vm_unregister(void)
{
	if (vm_header)
		unregister_sysctl_table(vm_header);
	vm_header = NULL;
}
