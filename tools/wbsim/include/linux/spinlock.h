/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Spinlocks. They also watch for what could deadlock; see tools/wbsim/lock.c.
 */
#ifndef _SHIM_LINUX_SPINLOCK_H
#define _SHIM_LINUX_SPINLOCK_H

#include <linux/sched.h>

extern bool sim_observing;

typedef struct {
	struct task_struct *owner;
	const char *name;
	unsigned int class;	/* by name; 0: not yet known */
	bool locked;
} spinlock_t;

#define __SPIN_LOCK_UNLOCKED(lock)	{ .name = #lock }
#define DEFINE_SPINLOCK(lock)		spinlock_t lock = __SPIN_LOCK_UNLOCKED(lock)
#define spin_lock_init(lock)		((void)(*(lock) = (spinlock_t){ .name = #lock }))

void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void sim_spin(const spinlock_t *lock);

void local_irq_disable(void);
void local_irq_enable(void);
unsigned long shim_irq_save(void);

#define local_irq_save(flags)	((void)((flags) = shim_irq_save()))

static inline void local_irq_restore(unsigned long flags)
{
	if (!flags)
		local_irq_enable();
}

static inline void spin_lock_irq(spinlock_t *lock)
{
	local_irq_disable();
	spin_lock(lock);
}

/* As in the kernel, interrupts are on afterwards whatever they were before. */
static inline void spin_unlock_irq(spinlock_t *lock)
{
	spin_unlock(lock);
	local_irq_enable();
}

#define spin_lock_irqsave(lock, flags)		\
do {						\
	local_irq_save(flags);			\
	spin_lock(lock);			\
} while (0)

static inline void spin_unlock_irqrestore(spinlock_t *lock, unsigned long flags)
{
	spin_unlock(lock);
	local_irq_restore(flags);
}

#endif
