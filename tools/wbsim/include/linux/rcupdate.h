/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RCU: a grace period is over when every task that was in a read section has left it.
 */
#ifndef _SHIM_LINUX_RCUPDATE_H
#define _SHIM_LINUX_RCUPDATE_H

#include <linux/compiler.h>
#include <linux/types.h>

void rcu_read_lock(void);
void rcu_read_unlock(void);
void synchronize_rcu(void);
void rcu_barrier(void);
void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void shim_kfree_rcu(struct rcu_head *head, size_t offset);

/* The head's place in what is to be freed tells where that begins. */
#define kfree_rcu(ptr, member) \
	shim_kfree_rcu(&(ptr)->member, offsetof(typeof(*(ptr)), member))

#ifdef WBSIM
void rcu_must_protect(void);
#else
static inline void rcu_must_protect(void) { }
#endif

#define rcu_dereference(p)			({ rcu_must_protect(); READ_ONCE(p); })
#define rcu_dereference_protected(p, cond)	((void)(cond), (p))
#define rcu_assign_pointer(p, value)		WRITE_ONCE(p, value)

#endif
