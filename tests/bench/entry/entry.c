// SPDX-License-Identifier: GPL-2.0
/*
 * entry: what it costs to have dirtied a page.
 *
 *	insmod entry.ko file=/mnt/0/file [calls=N]
 *	cat /sys/module/entry/parameters/{ns,loop_ns}
 *
 * On loading calls balance_dirty_pages_ratelimited() for the file so many times, each time counting
 * a page to the calling task as folio_account_dirtied() does; nothing gets dirty, so the machine
 * stays far below all thresholds. ns is the time of it all, loop_ns that of the same loop without
 * the call. Under virtual timing that is a number of instructions.
 *
 * Also tells what the engine's record of a device takes from the kernel's heap: device_bytes.
 */
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/writeback.h>
#include <linux/page-writeback.h>

static char *file;
module_param(file, charp, 0444);
MODULE_PARM_DESC(file, "A file on a disk, which is opened for writing");

static unsigned int calls = 1000000;
module_param(calls, uint, 0444);
MODULE_PARM_DESC(calls, "How often (1000000)");

static unsigned long long ns;
module_param(ns, ullong, 0444);
MODULE_PARM_DESC(ns, "Result: time of all calls");

static unsigned long long loop_ns;
module_param(loop_ns, ullong, 0444);
MODULE_PARM_DESC(loop_ns, "Result: time of as many turns of the loop");

static unsigned int device_bytes;
module_param(device_bytes, uint, 0444);
MODULE_PARM_DESC(device_bytes, "Result: memory for a device, as the heap rounds it up");

/* A page is dirtied: that much of it counts here */
static void account_page(void)
{
	current->nr_dirtied++;
	barrier();
}

static u64 time_calls(struct address_space *mapping)
{
	u64 start = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < calls; i++) {
		account_page();
		balance_dirty_pages_ratelimited(mapping);
	}
	return ktime_get_ns() - start;
}

static u64 time_loop(void)
{
	u64 start = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < calls; i++)
		account_page();
	current->nr_dirtied = 0;
	return ktime_get_ns() - start;
}

static int __init entry_init(void)
{
	struct file *filp;

	if (!file || !calls)
		return -EINVAL;
	filp = filp_open(file, O_WRONLY, 0);
	if (IS_ERR(filp))
		return PTR_ERR(filp);
	device_bytes = kmalloc_size_roundup(sizeof(struct wb_device));
	loop_ns = time_loop();
	ns = time_calls(filp->f_mapping);
	filp_close(filp, NULL);
	return 0;
}

static void __exit entry_exit(void)
{
}

module_init(entry_init);
module_exit(entry_exit);

MODULE_DESCRIPTION("Cost of balance_dirty_pages_ratelimited()");
MODULE_LICENSE("GPL");
