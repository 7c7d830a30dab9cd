// SPDX-License-Identifier: GPL-2.0
/*
 * RCU. Each task knows when it entered its read section; a grace period that began later does not
 * wait for those who came after it.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "sim.h"

#define CALLBACK_DELAY	(NSEC_PER_SEC / HZ)

struct callback {
	struct callback *next;
	struct rcu_head *head;
	void (*func)(struct rcu_head *head);
	void *object;		/* to be freed, if there is no @func */
	u64 period;
};

static u64 period;		/* grace periods begun */
static unsigned int readers;	/* tasks in read sections */
static struct sim_wait waiting;
static struct callback *callbacks, **last = &callbacks;
static struct sim_event callback_event;

void rcu_read_lock(void)
{
	struct sim_task *me = sim_me();

	if (!me)
		return;
	if (!me->rcu_nest++) {
		me->rcu_since = period;
		readers++;
	}
	sim_point();
}

void rcu_read_unlock(void)
{
	struct sim_task *me = sim_me();

	if (!me)
		return;
	sim_point();
	BUG_ON(!me->rcu_nest);
	if (!--me->rcu_nest) {
		readers--;
		sim_wake_all(&waiting);
	}
}

/* Has everybody left who was inside when grace period @wanted began? */
static bool over(u64 wanted)
{
	struct sim_task *task;

	if (!readers)
		return true;
	list_for_each_entry(task, &sim_tasks, all)
		if (task->rcu_nest && task->rcu_since < wanted)
			return false;
	return true;
}

void synchronize_rcu(void)
{
	u64 mine = ++period;

	if (!sim_current)
		return;
	BUG_ON(sim_me()->rcu_nest);
	sim_point();
	while (!over(mine))
		sim_wait_on(&waiting);
	sim_point();
}

static void run_callbacks(struct sim_event *event)
{
	struct callback *cb;

	while ((cb = callbacks) && over(cb->period)) {
		callbacks = cb->next;
		if (!callbacks)
			last = &callbacks;
		if (cb->func)
			cb->func(cb->head);
		else
			kfree(cb->object);
		free(cb);
	}
	if (callbacks)
		sim_at(event, sim_clock + CALLBACK_DELAY);
}

static void add_callback(struct rcu_head *head, void (*func)(struct rcu_head *head), void *object)
{
	struct callback *cb = malloc(sizeof(*cb));

	BUG_ON(!cb);
	*cb = (struct callback){ .head = head, .func = func, .object = object, .period = ++period };
	*last = cb;
	last = &cb->next;
	callback_event.fn = run_callbacks;
	if (!callback_event.slot)
		sim_at(&callback_event, sim_clock + CALLBACK_DELAY);
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	sim_point();
	add_callback(head, func, NULL);
}

void shim_kfree_rcu(struct rcu_head *head, size_t offset)
{
	sim_point();
	add_callback(head, NULL, (char *)head - offset);
}

void rcu_barrier(void)
{
	while (callbacks && sim_current)
		sim_sleep(CALLBACK_DELAY);
}

/**
 * rcu_start - nobody reads, nothing is to be freed
 */
void rcu_start(void)
{
	sim_wait_init(&waiting);
	readers = 0;
	while (callbacks) {
		struct callback *cb = callbacks;

		callbacks = cb->next;
		free(cb);
	}
	last = &callbacks;
}
