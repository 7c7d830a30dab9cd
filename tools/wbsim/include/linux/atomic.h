/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Atomic counters. As in the kernel they wrap, and what returns a value is fully ordered.
 */
#ifndef _SHIM_LINUX_ATOMIC_H
#define _SHIM_LINUX_ATOMIC_H

#include <linux/compiler.h>
#include <linux/types.h>

#define SHIM_ATOMIC(name, value)							\
static inline value name##_read(const name##_t *v)					\
{											\
	sim_point();									\
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);				\
}											\
static inline void name##_set(name##_t *v, value i)					\
{											\
	sim_point();									\
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);				\
}											\
static inline value name##_add_return(value i, name##_t *v)				\
{											\
	sim_point();									\
	return __atomic_add_fetch(&v->counter, i, __ATOMIC_SEQ_CST);			\
}											\
static inline value name##_sub_return(value i, name##_t *v)				\
{											\
	sim_point();									\
	return __atomic_sub_fetch(&v->counter, i, __ATOMIC_SEQ_CST);			\
}											\
static inline value name##_fetch_or(value i, name##_t *v)				\
{											\
	sim_point();									\
	return __atomic_fetch_or(&v->counter, i, __ATOMIC_SEQ_CST);			\
}											\
static inline value name##_fetch_andnot(value i, name##_t *v)				\
{											\
	sim_point();									\
	return __atomic_fetch_and(&v->counter, ~i, __ATOMIC_SEQ_CST);			\
}											\
static inline value name##_xchg(name##_t *v, value new)					\
{											\
	sim_point();									\
	return __atomic_exchange_n(&v->counter, new, __ATOMIC_SEQ_CST);			\
}											\
/* On failure *old becomes what was found, so the caller can try again with it. */	\
static inline bool name##_try_cmpxchg(name##_t *v, value *old, value new)		\
{											\
	sim_point();									\
	return __atomic_compare_exchange_n(&v->counter, old, new, false,		\
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);		\
}											\
static inline void name##_add(value i, name##_t *v) { name##_add_return(i, v); }	\
static inline void name##_sub(value i, name##_t *v) { name##_sub_return(i, v); }	\
static inline void name##_or(value i, name##_t *v) { name##_fetch_or(i, v); }		\
static inline void name##_inc(name##_t *v) { name##_add_return(1, v); }			\
static inline void name##_dec(name##_t *v) { name##_sub_return(1, v); }			\
static inline value name##_inc_return(name##_t *v) { return name##_add_return(1, v); }	\
static inline value name##_dec_return(name##_t *v) { return name##_sub_return(1, v); }	\
static inline bool name##_dec_and_test(name##_t *v) { return !name##_sub_return(1, v); }

SHIM_ATOMIC(atomic, int)
SHIM_ATOMIC(atomic64, s64)

#define ATOMIC_INIT(i)		{ (i) }
#define ATOMIC64_INIT(i)	{ (i) }

#endif
