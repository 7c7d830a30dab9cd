/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hash tables of a fixed size. Keys are addresses, which differ from run to run: what counts is
 * how far they are from a base that the simulator sets, so that chains are always the same.
 */
#ifndef _SHIM_LINUX_HASHTABLE_H
#define _SHIM_LINUX_HASHTABLE_H

#include <linux/rculist.h>

#define DEFINE_HASHTABLE(name, bits)	struct hlist_head name[1 << (bits)]

extern unsigned long sim_hash_base;

static inline unsigned int shim_hash(unsigned long key, size_t size)
{
	return ((key - sim_hash_base) * 0x9e3779b97f4a7c15UL >> 40) & (size - 1);
}

#define hash_add_rcu(table, node, key) \
	hlist_add_head_rcu(node, &(table)[shim_hash(key, ARRAY_SIZE(table))])
#define hash_del_rcu(node)	hlist_del_init_rcu(node)

#define hash_for_each_possible_rcu(table, obj, member, key)				\
	for (struct hlist_node *shim_pos =						\
		     rcu_dereference((table)[shim_hash(key, ARRAY_SIZE(table))].first);	\
	     shim_pos && ((obj) = container_of(shim_pos, typeof(*(obj)), member), true); \
	     shim_pos = READ_ONCE(shim_pos->next))

#endif
