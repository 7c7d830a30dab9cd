/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_COMPILER_H
#define _SHIM_LINUX_COMPILER_H

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

/*
 * Where another CPU may get in between: `wbsim explore` lets the seed choose another task there.
 * Unit tests have no tasks.
 */
#ifdef WBSIM
extern _Bool sim_exploring;
void sim_point_slow(void);

static inline void sim_point(void)
{
	if (unlikely(sim_exploring))
		sim_point_slow();
}
#else
static inline void sim_point(void) { }
#endif

/* One access, neither split nor repeated nor left out. */
#define READ_ONCE(x)	({ sim_point(); *(const volatile typeof(x) *)&(x); })
#define WRITE_ONCE(x, value)					\
do {								\
	sim_point();						\
	*(volatile typeof(x) *)&(x) = (value);			\
} while (0)

/* One task runs at a time, so every access is seen by all in the order it was made. */
#define smp_mb()		sim_point()
#define smp_rmb()		sim_point()
#define smp_wmb()		sim_point()
#define smp_mb__after_atomic()	sim_point()
#define smp_mb__before_atomic()	sim_point()
#define barrier()		__asm__ __volatile__("" : : : "memory")

/* Marks for sparse and the linker */
#define __rcu
#define __force
#define __user
#define __init
#define __exit
#define __read_mostly

#endif
