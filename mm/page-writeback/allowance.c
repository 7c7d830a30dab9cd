// SPDX-License-Identifier: GPL-2.0
/*
 * How many pages a task may dirty before it is asked again. Pure.
 *
 *	allowance
 *	  1024 |*******
 *	       |       ****
 *	       |           ***      distance / 64, far off
 *	       |              **
 *	       |                **  square root, near: n writers at n pages each
 *	     1 |                  *_____   stay within n * n pages
 *	       +------------------+----- dirty pages
 *	                       threshold
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/page-writeback.h>

#define SOFT_MIN	32UL	/* what the kernel gives a new task */
#define PACED_MS	16UL	/* a caller paced alone is held about 1.5 times that long */

/**
 * wb_allowance_free - allowance of a caller that is not held
 * @distance: pages to the next threshold above
 */
unsigned long wb_allowance_free(unsigned long distance)
{
	unsigned long near;

	if (distance < 4)
		return 1;
	/* 1 << log2(d)/2 is at least half the root and never more, and costs one instruction */
	near = 1UL << (ilog2(distance) >> 1);
	return min(max(near, distance / 64), WB_ALLOWANCE_MAX);
}
EXPORT_SYMBOL_GPL(wb_allowance_free);

/**
 * wb_allowance_soft - allowance by the distance to the background threshold
 * @distance: pages
 *
 * To pass that one by a little only starts the writer a little late, so callers need not be asked
 * as often as near one that holds them.
 */
unsigned long wb_allowance_soft(unsigned long distance)
{
	return clamp(distance / 8, SOFT_MIN, WB_ALLOWANCE_MAX);
}
EXPORT_SYMBOL_GPL(wb_allowance_soft);

/**
 * wb_allowance_paced - allowance of a caller that was held at its device
 * @bandwidth: pages a second the device writes
 * @waiters: callers held there
 *
 * All of them together get what the device writes in PACED_MS.
 */
unsigned long wb_allowance_paced(unsigned long bandwidth, unsigned int waiters)
{
	unsigned long all = min(bandwidth * PACED_MS / 1000, WB_ALLOWANCE_MAX);

	return max(all / max(waiters, 1U), 1UL);
}
EXPORT_SYMBOL_GPL(wb_allowance_paced);

/**
 * wb_allowance_held_max - the most that a held caller gets
 * @lim: of the domain it is held in
 *
 * However fast a device is, a few held callers must not cross the room from async to sync.
 */
unsigned long wb_allowance_held_max(const struct wb_limits *lim)
{
	return max3((lim->sync - lim->async) / 16, lim->sync / 256, 1UL);
}
EXPORT_SYMBOL_GPL(wb_allowance_held_max);

/**
 * wb_hold_pages - what a caller's device has to write before the caller goes on
 * @pages_dirtied: by the caller since it was last asked
 *
 * Half as much again, so that dirty memory shrinks however many writers there are: 2.5's
 * SYNC_WRITEBACK_PAGES to RATELIMIT_PAGES.
 */
unsigned long wb_hold_pages(unsigned long pages_dirtied)
{
	return pages_dirtied + (pages_dirtied + 1) / 2;
}
EXPORT_SYMBOL_GPL(wb_hold_pages);
