/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulated machine never suspends.
 */
#ifndef _SHIM_LINUX_FREEZER_H
#define _SHIM_LINUX_FREEZER_H

#include <linux/sched.h>

static inline void set_freezable(void) { }
static inline bool try_to_freeze(void) { return false; }
#define freezing(task)	((void)(task), false)

#endif
