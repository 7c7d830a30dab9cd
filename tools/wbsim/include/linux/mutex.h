/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_MUTEX_H
#define _SHIM_LINUX_MUTEX_H

#include <linux/list.h>

struct task_struct;

struct mutex {
	struct task_struct *owner;
	struct list_head waiters;
};

#define DEFINE_MUTEX(name) \
	struct mutex name = { .waiters = LIST_HEAD_INIT((name).waiters) }

void mutex_init(struct mutex *lock);
void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);

#define lockdep_is_held(lock)	((lock)->owner == current)

#include <linux/sched.h>

#endif
