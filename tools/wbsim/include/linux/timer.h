/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers. Their functions run in a task of their own that stands for the softirq: it needs no CPU
 * and may not sleep. When exploring, also on top of tasks that have interrupts on.
 */
#ifndef _SHIM_LINUX_TIMER_H
#define _SHIM_LINUX_TIMER_H

#include <linux/list.h>
#include <linux/jiffies.h>
#include <sim-event.h>

struct timer_list {
	void (*function)(struct timer_list *timer);
	struct sim_event event;
	struct list_head expired;	/* its time has come, function not yet called */
	bool pending;
};

#define DEFINE_TIMER(name, fn)	struct timer_list name = { .function = (fn) }

void timer_setup(struct timer_list *timer, void (*fn)(struct timer_list *timer),
		 unsigned int flags);
int mod_timer(struct timer_list *timer, unsigned long expires);
int del_timer(struct timer_list *timer);
int del_timer_sync(struct timer_list *timer);

static inline bool timer_pending(const struct timer_list *timer)
{
	return READ_ONCE(timer->pending);
}

#endif
