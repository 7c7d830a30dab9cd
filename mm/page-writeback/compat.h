/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernel versions, and nothing else. A field that moved stops the build
 * here, with a word on what it is needed for.
 */
#ifndef _PDFLUSH_COMPAT_H
#define _PDFLUSH_COMPAT_H

#include <linux/version.h>
#include <linux/backing-dev.h>
#include <linux/memcontrol.h>
#include <linux/mmzone.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/sysctl.h>
#include <linux/writeback.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "pdflush needs Linux 6.1 or later: older ones have no balance_dirty_pages() to replace"
#endif

/*
 * Declarations can be checked, but not what static functions do and take that are replaced. So no
 * kernel that tests have not been run with, unless somebody wants just that.
 */
#if !defined(PDFLUSH_TRY_KERNEL) && \
	(LINUX_VERSION_CODE >> 8) != (KERNEL_VERSION(6, 1, 0) >> 8) && \
	(LINUX_VERSION_CODE >> 8) != (KERNEL_VERSION(6, 12, 0) >> 8)
#error "pdflush is tested with Linux 6.1 and 6.12; to try another see admin-guide, Other kernels"
#endif

/* The throttle of the block layer (wbt) spares a device whose writers were held just now. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define compat_note_sleep(wb)	WRITE_ONCE((wb)->bdi->last_bdp_sleep, jiffies)
#else
#define compat_note_sleep(wb)	WRITE_ONCE((wb)->dirty_sleep, jiffies)
#endif

/* bdi->max_ratio: percent up to 6.1, parts of a million later. Result in 1/10000. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define compat_max_part(bdi)	((bdi)->max_ratio / (BDI_RATIO_SCALE / 100))
#else
#define compat_max_part(bdi)	((bdi)->max_ratio * 100)
#endif

/* Handlers of files under /proc/sys. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define compat_ctl_table	const struct ctl_table
#else
#define compat_ctl_table	struct ctl_table
#endif

/* A table's end: an empty entry before 6.11, its size since. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define COMPAT_TABLE_END
#else
#define COMPAT_TABLE_END	{ }
#endif

/*
 * Fields of the kernel's own that are read, written or called; one that is gone or has another type
 * stops the build with its name. All but nr_to_write are used in host-kernel.c, which
 * says why each may be.
 */
#define compat_same_type(type, field, want)						\
	static_assert(__same_type(((type *)0)->field, want),				\
		      "pdflush: " #type "." #field " is not what it was in 6.1")

/* the walker, its queue, and when it next runs */
compat_same_type(struct bdi_writeback, dwork, struct delayed_work);
compat_same_type(struct bdi_writeback, dwork.work.func, work_func_t);
compat_same_type(struct bdi_writeback, bw_dwork.wq, struct workqueue_struct *);
compat_same_type(struct bdi_writeback, work_lock, spinlock_t);
compat_same_type(struct bdi_writeback, last_old_flush, unsigned long);
compat_same_type(struct bdi_writeback, state, unsigned long);
static_assert(__same_type(dirty_writeback_interval, unsigned int),
	      "pdflush: dirty_writeback_interval is not what it was in 6.1");
static_assert(__same_type(laptop_mode, int), "pdflush: laptop_mode is not what it was in 6.1");

/* what the walker may still write: used in attach.c */
compat_same_type(struct writeback_control, nr_to_write, long);

/* what a device has dirty and has written */
compat_same_type(struct bdi_writeback, stat[WB_WRITTEN], struct percpu_counter);
compat_same_type(struct bdi_writeback, avg_write_bandwidth, unsigned long);
compat_same_type(struct bdi_writeback, dirty_exceeded, int);
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
compat_same_type(struct backing_dev_info, last_bdp_sleep, unsigned long);
#else
compat_same_type(struct bdi_writeback, dirty_sleep, unsigned long);
#endif

/* whose it is, and how long it stays */
compat_same_type(struct bdi_writeback, bdi, struct backing_dev_info *);
compat_same_type(struct backing_dev_info, wb, struct bdi_writeback);
compat_same_type(struct backing_dev_info, refcnt, struct kref);
compat_same_type(struct backing_dev_info, owner, struct device *);
compat_same_type(struct backing_dev_info, capabilities, unsigned int);
compat_same_type(struct backing_dev_info, max_ratio, unsigned int);

/* memory, the machine's and a cgroup's */
compat_same_type(struct pglist_data, totalreserve_pages, unsigned long);
#ifdef CONFIG_CGROUP_WRITEBACK
compat_same_type(struct bdi_writeback, memcg_css, struct cgroup_subsys_state *);
compat_same_type(struct mem_cgroup, memory.max, unsigned long);
compat_same_type(struct mem_cgroup, memory.high, unsigned long);
compat_same_type(struct mem_cgroup, nodeinfo[0], struct mem_cgroup_per_node *);
compat_same_type(struct mem_cgroup_per_node, lru_zone_size,
		 unsigned long[MAX_NR_ZONES][NR_LRU_LISTS]);
#endif

/* a caller's allowance */
compat_same_type(struct task_struct, nr_dirtied, int);
compat_same_type(struct task_struct, nr_dirtied_pause, int);
compat_same_type(struct task_struct, dirty_paused_when, unsigned long);

#endif
