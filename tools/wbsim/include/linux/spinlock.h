/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spinlocks. They also watch what a deadlock needs: being taken twice by a task, and being taken
 * in a timer while tasks take it with interrupts on.
 */
#ifndef _SHIM_LINUX_SPINLOCK_H
#define _SHIM_LINUX_SPINLOCK_H

#include <linux/sched.h>

extern bool sim_observing;

typedef struct {
	struct task_struct *owner;
	bool locked;
	bool in_timer;		/* was taken there */
	bool irqs_on;		/* was taken by a task that a timer could interrupt */
} spinlock_t;

#define __SPIN_LOCK_UNLOCKED(name)	{ .locked = false }
#define DEFINE_SPINLOCK(name)		spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define spin_lock_init(lock)		((void)(*(lock) = (spinlock_t){ .locked = false }))

void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void sim_spin(const spinlock_t *lock);

static inline void local_irq_disable(void)
{
	if (current)
		current->irqs_off++;
}

static inline void local_irq_enable(void)
{
	if (current)
		current->irqs_off--;
}

static inline void spin_lock_irq(spinlock_t *lock)
{
	local_irq_disable();
	spin_lock(lock);
}

static inline void spin_unlock_irq(spinlock_t *lock)
{
	spin_unlock(lock);
	local_irq_enable();
}

#define spin_lock_irqsave(lock, flags)	((flags) = 0, spin_lock_irq(lock))
#define spin_unlock_irqrestore(lock, flags)	((void)(flags), spin_unlock_irq(lock))

#endif
