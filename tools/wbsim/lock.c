// SPDX-License-Identifier: GPL-2.0
/*
 * Locks of the kernel, between coroutines. A lock is a switch point; one that is taken makes its
 * taker wait its turn.
 *
 * What could deadlock is reported when it is seen to be possible, not only when it happens: locks
 * taken in both orders, and a lock that timers take and tasks take with interrupts on.
 */
#include <string.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include "sim.h"

#define MAX_CLASSES	32

/*
 * Locks of one name, as those of all devices, are of one class. @after: classes that were taken
 * with it held.
 */
struct lock_class {
	const char *name;
	u32 after;
	bool in_softirq;	/* was taken there */
	bool irqs_on;		/* was held by a task that a timer could interrupt */
};

static struct lock_class classes[MAX_CLASSES];	/* from 1 */
static unsigned int nr_classes;

bool sim_observing;
bool sim_saw_lock;
unsigned int sim_locks_held;

/**
 * locks_start - forget in which order locks were taken, so that a seed does not need those before
 */
void locks_start(void)
{
	unsigned int i;

	for (i = 1; i <= nr_classes; i++)
		classes[i] = (struct lock_class){ .name = classes[i].name };
	sim_locks_held = 0;
}

static void find_class(spinlock_t *lock)
{
	const char *name = lock->name ?: "a lock";
	unsigned int i;

	for (i = 1; i <= nr_classes; i++)
		if (!strcmp(classes[i].name, name))
			break;
	BUG_ON(i == MAX_CLASSES);
	if (i > nr_classes)
		classes[++nr_classes].name = name;
	lock->class = i;
}

static void note_irqs_on(struct lock_class *class)
{
	class->irqs_on = true;
	if (class->in_softirq)
		sim_fail("deadlock: %s is held with interrupts on, and timers take it",
			 class->name);
}

static void note_context(struct lock_class *class)
{
	if (!sim_in_softirq()) {
		if (sim_current && !current->irqs_off)
			note_irqs_on(class);
		return;
	}
	class->in_softirq = true;
	if (class->irqs_on)
		note_irqs_on(class);
}

static void note_order(unsigned int mine)
{
	struct sim_task *me = sim_me();
	unsigned int i, k;

	for (i = 0; i < me->nr_held; i++) {
		unsigned int held = me->held[i]->class;

		if (classes[held].after & 1U << mine)
			continue;
		if (held == mine || classes[mine].after & 1U << held)
			sim_fail("deadlock: %s and %s are taken in both orders",
				 classes[held].name, classes[mine].name);
		for (k = 1; k <= nr_classes; k++)
			if (k == held || classes[k].after & 1U << held)
				classes[k].after |= 1U << mine | classes[mine].after;
	}
}

static void note_held(spinlock_t *lock)
{
	struct sim_task *me = sim_me();

	BUG_ON(me->nr_held == ARRAY_SIZE(me->held));
	me->held[me->nr_held++] = lock;
	sim_locks_held++;
}

static void note_released(spinlock_t *lock)
{
	struct sim_task *me = sim_me();
	unsigned int i;

	for (i = me->nr_held; i--; )
		if (me->held[i] == lock) {
			me->held[i] = me->held[--me->nr_held];
			sim_locks_held--;
			return;
		}
}

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
	if (!sim_current)
		sim_fail("deadlock: %s is held, and a callback waits for it", lock->name);
	if (lock->owner == current)
		sim_fail("deadlock: %s takes %s, which it holds", current->comm, lock->name);
	sim_yield();
}

void spin_lock(spinlock_t *lock)
{
	if (sim_observing) {
		sim_saw_lock |= lock->locked;
		return;
	}
	lock_point();
	if (!lock->class)
		find_class(lock);
	while (lock->locked)
		sim_spin(lock);
	note_context(&classes[lock->class]);
	if (sim_current) {
		note_order(lock->class);
		note_held(lock);
	}
	lock->locked = true;
	lock->owner = current;
	preempt_disable();
}

void spin_unlock(spinlock_t *lock)
{
	if (sim_observing)
		return;
	if (!lock->locked || lock->owner != current)
		sim_fail("%s releases %s, which it does not hold",
			 sim_current ? current->comm : "a callback", lock->name);
	if (sim_current)
		note_released(lock);
	lock->locked = false;
	lock->owner = NULL;
	preempt_enable();
	sim_point();
}

unsigned long shim_irq_save(void)
{
	unsigned long off = 0;

	if (sim_observing || !sim_current)
		return 0;
	off = current->irqs_off;
	current->irqs_off = true;
	return off;
}

void local_irq_disable(void)
{
	shim_irq_save();
}

void local_irq_enable(void)
{
	unsigned int i;

	if (sim_observing || !sim_current)
		return;
	current->irqs_off = false;
	if (sim_me()->softirq)
		return;
	for (i = 0; i < sim_me()->nr_held; i++)
		note_irqs_on(&classes[sim_me()->held[i]->class]);
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
	sim_may_sleep("takes a mutex");
	if (lock->owner == current)
		sim_fail("deadlock: %s takes a mutex that it holds", current->comm);
	sim_locks_held++;
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
	if (lock->owner != current)
		sim_fail("%s releases a mutex that it does not hold", current->comm);
	lock->owner = NULL;
	sim_locks_held--;
	next = list_first_entry_or_null(&lock->waiters, struct sim_task, wait);
	if (next) {
		list_del_init(&next->wait);
		sim_wake(next);
	}
	sim_point();
}
