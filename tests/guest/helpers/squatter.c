// SPDX-License-Identifier: GPL-2.0
/*
 * squatter: sits where the engine wants to be. Parameters:
 *	vm_file=NAME	make a file /proc/sys/vm/NAME
 *	proc_dir=NAME	make a folder /proc/NAME
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/proc_fs.h>
#include <linux/sysctl.h>
#include "compat.h"

static char *vm_file;
module_param(vm_file, charp, 0444);
MODULE_PARM_DESC(vm_file, "name of a file to make in /proc/sys/vm");

static char *proc_dir;
module_param(proc_dir, charp, 0444);
MODULE_PARM_DESC(proc_dir, "name of a folder to make in /proc");

static int value = 42;
static struct ctl_table files[] = {
	{
		.data = &value,
		.maxlen = sizeof(value),
		.mode = 0644,
		.proc_handler = proc_dointvec,
	},
	COMPAT_TABLE_END
};
static struct ctl_table_header *header;
static struct proc_dir_entry *dir;

static int __init squatter_init(void)
{
	if (vm_file) {
		files[0].procname = vm_file;
		header = register_sysctl("vm", files);
		if (!header)
			return -ENOMEM;
	}
	if (proc_dir)
		dir = proc_mkdir(proc_dir, NULL);
	return 0;
}

static void __exit squatter_exit(void)
{
	if (header)
		unregister_sysctl_table(header);
	proc_remove(dir);
}

module_init(squatter_init);
module_exit(squatter_exit);
MODULE_DESCRIPTION("Takes the places that pdflush wants, for tests");
MODULE_LICENSE("GPL");
