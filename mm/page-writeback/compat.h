/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernel versions, and nothing else. A field that moved stops the build
 * here, with a word on what it is needed for.
 */
#ifndef _PDFLUSH_COMPAT_H
#define _PDFLUSH_COMPAT_H

#include <linux/version.h>
#include <linux/backing-dev.h>
#include <linux/mmzone.h>
#include <linux/stddef.h>
#include <linux/sysctl.h>
#include <linux/writeback.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "pdflush needs Linux 6.1 or later: older ones have no balance_dirty_pages() to replace"
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

/* Fields of the kernel's own that are read or called; a type that changed stops the build. */
#define compat_same_type(type, field, want)						\
	static_assert(__same_type(((type *)0)->field, want),				\
		      "pdflush: " #type "." #field " is not what it was in 6.1")

compat_same_type(struct bdi_writeback, dwork, struct delayed_work);
compat_same_type(struct bdi_writeback, bw_dwork.wq, struct workqueue_struct *);
compat_same_type(struct bdi_writeback, work_lock, spinlock_t);
compat_same_type(struct bdi_writeback, last_old_flush, unsigned long);
compat_same_type(struct bdi_writeback, avg_write_bandwidth, unsigned long);
compat_same_type(struct bdi_writeback, dirty_exceeded, int);
compat_same_type(struct pglist_data, totalreserve_pages, unsigned long);
compat_same_type(struct task_struct, nr_dirtied_pause, int);
compat_same_type(struct task_struct, dirty_paused_when, unsigned long);

#endif
