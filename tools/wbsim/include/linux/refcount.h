/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reference counts. Where the kernel's warn and stick, these end the program.
 */
#ifndef _SHIM_LINUX_REFCOUNT_H
#define _SHIM_LINUX_REFCOUNT_H

#include <linux/atomic.h>
#include <linux/kernel.h>

typedef struct {
	atomic_t refs;
} refcount_t;

#define REFCOUNT_INIT(n)	{ .refs = ATOMIC_INIT(n) }

static inline void refcount_set(refcount_t *r, int n)
{
	atomic_set(&r->refs, n);
}

static inline unsigned int refcount_read(const refcount_t *r)
{
	return atomic_read(&r->refs);
}

static inline bool refcount_inc_not_zero(refcount_t *r)
{
	int old = atomic_read(&r->refs);

	do {
		if (!old)
			return false;
		BUG_ON(old < 0 || old == INT_MAX);
	} while (!atomic_try_cmpxchg(&r->refs, &old, old + 1));
	return true;
}

static inline void refcount_inc(refcount_t *r)
{
	BUG_ON(!refcount_inc_not_zero(r));
}

static inline bool refcount_dec_and_test(refcount_t *r)
{
	int left = atomic_dec_return(&r->refs);

	BUG_ON(left < 0);
	return !left;
}

#endif
