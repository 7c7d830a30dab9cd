// SPDX-License-Identifier: GPL-2.0
/*
 * Locks of the kernel, between coroutines. A lock is a switch point; one that is taken makes its
 * taker wait its turn.
 */
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include "sim.h"

bool sim_observing;
bool sim_saw_lock;

/* A run switches at some of the locks that are taken with no other held. */
static void lock_point(void)
{
	if (sim_exploring)
		sim_point();
	else if (sim_current && sim_me()->has_cpu && !current->preempt_count &&
		 !sim_me()->rcu_nest && !(rng_next(&sim_rng) & 63))
		sim_yield();
}

/**
 * sim_spin - somebody else holds a lock: let him run
 * @lock: the lock
 */
void sim_spin(const spinlock_t *lock)
{
	BUG_ON(!sim_current);			/* an event would spin forever */
	BUG_ON(lock->owner == current);		/* deadlock */
	sim_yield();
}

void spin_lock(spinlock_t *lock)
{
	if (sim_observing) {
		sim_saw_lock |= lock->locked;
		return;
	}
	lock_point();
	while (lock->locked)
		sim_spin(lock);
	if (sim_current && sim_me()->softirq)
		lock->in_timer = true;
	else if (sim_current && !current->irqs_off)
		lock->irqs_on = true;
	BUG_ON(lock->in_timer && lock->irqs_on);	/* a timer could deadlock */
	lock->locked = true;
	lock->owner = current;
	preempt_disable();
}

void spin_unlock(spinlock_t *lock)
{
	if (sim_observing)
		return;
	BUG_ON(!lock->locked || lock->owner != current);
	lock->locked = false;
	lock->owner = NULL;
	preempt_enable();
	sim_point();
}

void mutex_init(struct mutex *lock)
{
	lock->owner = NULL;
	INIT_LIST_HEAD(&lock->waiters);
}

void mutex_lock(struct mutex *lock)
{
	if (!sim_current)
		return;		/* before the start there is nobody else */
	lock_point();
	BUG_ON(current->preempt_count);
	BUG_ON(lock->owner == current);
	while (lock->owner) {
		list_add_tail(&sim_me()->wait, &lock->waiters);
		sim_block();
	}
	lock->owner = current;
}

void mutex_unlock(struct mutex *lock)
{
	struct sim_task *next;

	if (!sim_current)
		return;
	BUG_ON(lock->owner != current);
	lock->owner = NULL;
	next = list_first_entry_or_null(&lock->waiters, struct sim_task, wait);
	if (next) {
		list_del_init(&next->wait);
		sim_wake(next);
	}
	sim_point();
}
