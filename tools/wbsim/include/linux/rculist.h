/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists that are read under RCU. What is taken off keeps its next pointer for readers that stand
 * on it.
 */
#ifndef _SHIM_LINUX_RCULIST_H
#define _SHIM_LINUX_RCULIST_H

#include <linux/list.h>
#include <linux/rcupdate.h>

#define list_next_rcu(pos)	((pos)->next)

static inline void list_add_rcu(struct list_head *item, struct list_head *head)
{
	sim_point();
	list_add(item, head);
}

static inline void list_add_tail_rcu(struct list_head *item, struct list_head *head)
{
	sim_point();
	list_add_tail(item, head);
}

static inline void list_del_rcu(struct list_head *item)
{
	sim_point();
	shim_list_join(item->prev, item->next);
	item->prev = NULL;
}

#define list_for_each_entry_rcu(pos, head, member)				\
	for (pos = list_entry(rcu_dereference((head)->next), typeof(*pos), member); \
	     &pos->member != (head);						\
	     pos = list_entry(rcu_dereference(pos->member.next), typeof(*pos), member))

static inline void hlist_add_head_rcu(struct hlist_node *item, struct hlist_head *head)
{
	struct hlist_node *first = head->first;

	item->next = first;
	item->pprev = &head->first;
	sim_point();
	head->first = item;
	if (first)
		first->pprev = &item->next;
}

static inline bool hlist_unhashed_lockless(const struct hlist_node *item)
{
	return !READ_ONCE(item->pprev);
}

static inline void hlist_del_init_rcu(struct hlist_node *item)
{
	if (!item->pprev)
		return;
	sim_point();
	*item->pprev = item->next;
	if (item->next)
		item->next->pprev = item->pprev;
	item->pprev = NULL;
}

#endif
