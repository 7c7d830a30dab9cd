// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/pdflush: stats ("name value" lines), devices (one a line), stalls (a histogram).
 * Names, once there, stay: programs read them.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/vmstat.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>
#include "files.h"

static struct proc_dir_entry *dir;
static unsigned long written_before;	/* pages the machine had written when we were loaded */

static const char * const verdict_names[WB_NR_VERDICTS] = {
	[WB_NOTHING] = "verdict_nothing",
	[WB_KICK] = "verdict_kick",
	[WB_PACE] = "verdict_pace",
	[WB_WAIT] = "verdict_wait",
};

static void show(struct seq_file *m, const char *name, u64 value)
{
	seq_printf(m, "%s %llu\n", name, value);
}

static int show_stats(struct seq_file *m, void *unused)
{
	u64 pdflush = wb_counted(WB_COUNT_BY_PDFLUSH), kupdate = wb_counted(WB_COUNT_BY_KUPDATE);
	u64 all = global_node_page_state(NR_WRITTEN) - written_before;
	struct pdflush_counts counts;
	struct dirty_domain dom;
	unsigned int i;

	for (i = 0; i < WB_NR_VERDICTS; i++)
		show(m, verdict_names[i], wb_counted(WB_COUNT_VERDICT + i));
	show(m, "stalled_ms", wb_counted(WB_COUNT_STALLED_US) / USEC_PER_MSEC);
	show(m, "stall_max_ms", wb_stall_max_us() / USEC_PER_MSEC);
	show(m, "pages_by_pdflush", pdflush);
	show(m, "pages_by_kupdate", kupdate);
	/* ours are counted when sent off, all when they have arrived */
	show(m, "pages_by_others", all > pdflush + kupdate ? all - pdflush - kupdate : 0);
	pdflush_get_counts(&counts);
	show(m, "threads", counts.threads);
	show(m, "threads_idle", counts.idle);
	show(m, "threads_born", counts.born);
	show(m, "threads_died", counts.died);
	show(m, "operations", counts.operations);
	show(m, "operations_refused", counts.refused);
	wb_machine_limits(&dom);
	show(m, "background_thresh", dom.lim.background);
	show(m, "async_thresh", dom.lim.async);
	show(m, "sync_thresh", dom.lim.sync);
	show(m, "dirtyable", dom.lim.dirtyable);
	show(m, "dirty", dom.dirty);
	show(m, "writeback", dom.writeback);
	show(m, "devices", wb_devices());
	show(m, "held", wb_held());
	return 0;
}

/* A disk with all its cgroups' records. Under rcu_read_lock(). */
static void show_disk(struct seq_file *m, struct wb_device *disk)
{
	unsigned long dirty = 0, writeback = 0, seen = 0, mb100;
	struct wb_device_counts counts;
	struct wb_device *dev;
	pid_t worker = READ_ONCE(disk->worker);

	list_for_each_entry_rcu(dev, &disk->members, member) {
		host_device_counts_exact(dev->wb, &counts);
		dirty += counts.dirty;
		writeback += counts.writeback;
		/* each record saw what went by it: the fastest saw most of the disk */
		seen = max(seen, READ_ONCE(dev->bandwidth));
	}
	host_device_counts(disk->wb, &counts);
	mb100 = (seen ?: counts.bandwidth) * 100 / (SZ_1M >> PAGE_SHIFT);
	seq_printf(m, "%-15s %10lu %10lu %7lu.%02lu ", disk->name, dirty, writeback, mb100 / 100,
		   mb100 % 100);
	if (worker)
		seq_printf(m, "%7d\n", worker);
	else
		seq_puts(m, "      -\n");
}

static int show_devices(struct seq_file *m, void *unused)
{
	struct wb_device *dev;

	seq_printf(m, "%-15s %10s %10s %10s %7s\n", "device", "dirty", "writeback", "write_MB/s",
		   "thread");
	rcu_read_lock();
	list_for_each_entry_rcu(dev, &wb_disk_list, disk_node)
		show_disk(m, dev);
	rcu_read_unlock();
	return 0;
}

static int show_stalls(struct seq_file *m, void *unused)
{
	unsigned int slot;

	seq_printf(m, "%12s %10s\n", "from_us", "stalls");
	for (slot = 0; slot < WB_STALL_SLOTS; slot++)
		seq_printf(m, "%12llu %10llu\n", slot ? 1ULL << slot : 0, wb_stalls_in_slot(slot));
	return 0;
}

/**
 * proc_pdflush_create - make /proc/pdflush
 *
 * May sleep. Returns 0 or an error, told in the log; then nothing is left there.
 */
int proc_pdflush_create(void)
{
	written_before = global_node_page_state(NR_WRITTEN);
	/* the kernel warns with a trace of a name made twice */
	if (sysctl_path_exists("/proc/pdflush")) {
		pr_err("pdflush: not loaded: /proc/pdflush is there already\n");
		return -EEXIST;
	}
	dir = proc_mkdir("pdflush", NULL);
	if (!dir) {
		pr_err("pdflush: not loaded: no memory for /proc/pdflush\n");
		return -ENOMEM;
	}
	if (!proc_create_single("stats", 0444, dir, show_stats) ||
	    !proc_create_single("devices", 0444, dir, show_devices) ||
	    !proc_create_single("stalls", 0444, dir, show_stalls)) {
		pr_err("pdflush: not loaded: no memory for files in /proc/pdflush\n");
		proc_pdflush_remove();
		return -ENOMEM;
	}
	return 0;
}

/**
 * proc_pdflush_remove - take it away
 *
 * May sleep: waits for readers. May be called twice.
 */
void proc_pdflush_remove(void)
{
	if (dir)
		proc_remove(dir);
	dir = NULL;
}
