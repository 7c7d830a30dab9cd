// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/sys/vm/bdflush: nine numbers, there while the policy of that name is in force.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/bdflush.h>
#include <linux/page-writeback.h>
#include "files.h"
#include "parse.h"

#define PATH		"/proc/sys/vm/bdflush"
#define TEXT_ROOM	(BDFLUSH_FIELDS * 22)

static struct ctl_table_header *header;

/* As 2.4 showed them: tabs between, a newline behind. */
static size_t print_numbers(char *text, size_t room)
{
	unsigned long number[BDFLUSH_FIELDS];
	size_t len = 0;
	unsigned int i;

	bdflush_get_numbers(number);
	for (i = 0; i < BDFLUSH_FIELDS; i++)
		len += scnprintf(text + len, room - len, "%s%lu", i ? "\t" : "", number[i]);
	return len + scnprintf(text + len, room - len, "\n");
}

static int bdflush_file(compat_ctl_table *table, int write, void *buffer, size_t *len, loff_t *pos)
{
	unsigned long number[BDFLUSH_FIELDS];
	char text[TEXT_ROOM];
	unsigned int n;
	int err;

	if (!write)
		return sysctl_show_text(text, *pos ? 0 : print_numbers(text, sizeof(text)), buffer,
					len, pos);
	if (*pos)
		return -EINVAL;
	err = parse_numbers(buffer, *len, number, BDFLUSH_FIELDS, &n) ?:
	      bdflush_set_numbers(number, n);
	if (!err)
		*pos += *len;
	return err;
}

static struct ctl_table files[] = {
	{ .procname = "bdflush", .mode = 0644, .proc_handler = bdflush_file },
	COMPAT_TABLE_END
};

/**
 * host_show_bdflush_file - the policy comes into force: make its file
 *
 * May sleep. Returns 0, -EEXIST if something else has made one of that name, or -ENOMEM; says so in
 * the log.
 */
int host_show_bdflush_file(void)
{
	/* a name made twice costs the kernel the whole directory */
	if (sysctl_path_exists(PATH)) {
		pr_err("pdflush: %s is there already, made by something else\n", PATH);
		return -EEXIST;
	}
	header = register_sysctl("vm", files);
	if (!header) {
		pr_err("pdflush: no memory for %s\n", PATH);
		return -ENOMEM;
	}
	return 0;
}

/**
 * host_hide_bdflush_file - take it away
 *
 * May sleep: waits for whoever is reading or writing it. May be called twice.
 */
void host_hide_bdflush_file(void)
{
	if (header)
		unregister_sysctl_table(header);
	header = NULL;
}

/* ---- The module's parameter: whose rules ----------------------------------------------------- */

static int set_rules(const char *text, const struct kernel_param *param)
{
	enum bdflush_kernel rules;
	int err = bdflush_parse_rules(text, &rules);

	if (err) {
		pr_err("pdflush: bdflush_rules is 2.4.8 or 2.4.19\n");
		return err;
	}
	bdflush_set_rules(rules);
	return 0;
}

static int get_rules(char *text, const struct kernel_param *param)
{
	return scnprintf(text, PAGE_SIZE, "%s\n", bdflush_rules_name(bdflush_get_rules()));
}

static const struct kernel_param_ops rules_ops = { .set = set_rules, .get = get_rules };
module_param_cb(bdflush_rules, &rules_ops, NULL, 0644);
MODULE_PARM_DESC(bdflush_rules, "whose rules policy bdflush follows: 2.4.19 (default) or 2.4.8, "
		 "where callers above nfract write");
