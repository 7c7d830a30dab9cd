/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Work items, done by kworkers that are made as needed. An item never runs twice at once.
 */
#ifndef _SHIM_LINUX_WORKQUEUE_H
#define _SHIM_LINUX_WORKQUEUE_H

#include <linux/list.h>
#include <sim-event.h>

struct workqueue_struct;
extern struct workqueue_struct *system_unbound_wq;

struct work_struct {
	void (*func)(struct work_struct *work);
	struct list_head queued;
	bool pending;
	bool running;
};

struct delayed_work {
	struct work_struct work;
	struct sim_event event;
};

#define DECLARE_DELAYED_WORK(name, fn)	struct delayed_work name = { .work.func = (fn) }

#define INIT_DELAYED_WORK(dwork, fn) \
	((void)(*(dwork) = (struct delayed_work){ .work.func = (fn) }))

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay);
bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay);
bool cancel_delayed_work_sync(struct delayed_work *dwork);
bool delayed_work_pending(const struct delayed_work *dwork);

#endif
