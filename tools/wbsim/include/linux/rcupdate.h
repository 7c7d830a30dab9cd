/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU where one thread runs at a time and never gives way inside a read section.
 */
#ifndef _SHIM_LINUX_RCUPDATE_H
#define _SHIM_LINUX_RCUPDATE_H

#include <linux/compiler.h>
#include <linux/types.h>

static inline void rcu_read_lock(void) { }
static inline void rcu_read_unlock(void) { }

#endif
