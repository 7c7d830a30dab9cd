/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_SEQLOCK_H
#define _SHIM_LINUX_SEQLOCK_H

#include <linux/spinlock.h>

typedef struct {
	unsigned int sequence;
	spinlock_t lock;
} seqlock_t;

#define DEFINE_SEQLOCK(name)	seqlock_t name = { .lock = __SPIN_LOCK_UNLOCKED(name) }

static inline unsigned int read_seqbegin(const seqlock_t *sl)
{
	unsigned int seq;

	while ((seq = READ_ONCE(sl->sequence)) & 1 && !sim_observing)
		sim_spin(&sl->lock);
	return seq;
}

static inline bool read_seqretry(const seqlock_t *sl, unsigned int start)
{
	return READ_ONCE(sl->sequence) != start;
}

#define write_seqlock_irqsave(sl, flags)		\
do {							\
	spin_lock_irqsave(&(sl)->lock, flags);		\
	WRITE_ONCE((sl)->sequence, (sl)->sequence + 1);	\
} while (0)

#define write_sequnlock_irqrestore(sl, flags)		\
do {							\
	WRITE_ONCE((sl)->sequence, (sl)->sequence + 1);	\
	spin_unlock_irqrestore(&(sl)->lock, flags);	\
} while (0)

#endif
