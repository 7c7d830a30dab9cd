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
static bool in_callback;

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
	if (!me->rcu_nest)
		sim_fail("%s leaves an RCU read section that it is not in", current->comm);
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
	sim_may_sleep("waits for a grace period");
	sim_point();
	while (!over(mine))
		sim_wait_on(&waiting);
	sim_point();
}

/**
 * rcu_must_protect - a pointer or list is read that only RCU keeps in place
 *
 * Or a lock that keeps away who would change it. Looking from outside is always safe.
 */
void rcu_must_protect(void)
{
	struct sim_task *me = sim_me();

	if (me && !sim_observing && !me->rcu_nest && !me->task.preempt_count)
		sim_fail("%s reads what RCU protects outside of a read section", current->comm);
}

/**
 * sim_in_softirq - does the running code stand for a softirq?
 */
bool sim_in_softirq(void)
{
	return sim_current ? sim_me()->softirq : in_callback;
}

/* The longest that a grace period takes is a matter of chance: often it is over at once. */
static u64 callback_delay(void)
{
	return sim_exploring && rng_next(&sim_rng) & 1 ? 0 : CALLBACK_DELAY;
}

static void run_callbacks(struct sim_event *event)
{
	struct callback *cb;

	in_callback = true;
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
	in_callback = false;
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
		sim_at(&callback_event, sim_clock + callback_delay());
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
	in_callback = false;
	while (callbacks) {
		struct callback *cb = callbacks;

		callbacks = cb->next;
		free(cb);
	}
	last = &callbacks;
}
