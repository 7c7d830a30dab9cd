/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tick counter, from the virtual clock. It wraps a minute after the start, so that what does
 * not bear that is found.
 */
#ifndef _SHIM_LINUX_JIFFIES_H
#define _SHIM_LINUX_JIFFIES_H

#include <linux/types.h>

#define HZ		250
#define INITIAL_JIFFIES	(-60UL * HZ)

unsigned long sim_jiffies(void);
#define jiffies	sim_jiffies()

#define MAX_SCHEDULE_TIMEOUT	(~0UL >> 1)

static inline unsigned long msecs_to_jiffies(unsigned int ms)
{
	return ((unsigned long)ms * HZ + 999) / 1000;
}

static inline unsigned int jiffies_to_msecs(unsigned long j)
{
	return j * (1000 / HZ);
}

#define time_after(a, b)	((long)((b) - (a)) < 0)
#define time_before(a, b)	time_after(b, a)
#define time_after_eq(a, b)	((long)((a) - (b)) >= 0)
#define time_before_eq(a, b)	time_after_eq(b, a)

#endif
