/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's doubly linked rings, as far as the engine uses them.
 */
#ifndef _SHIM_LINUX_LIST_H
#define _SHIM_LINUX_LIST_H

#include <linux/kernel.h>

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline void shim_list_join(struct list_head *left, struct list_head *right)
{
	left->next = right;
	right->prev = left;
}

static inline void list_add(struct list_head *item, struct list_head *head)
{
	struct list_head *first = head->next;

	shim_list_join(head, item);
	shim_list_join(item, first);
}

static inline void list_add_tail(struct list_head *item, struct list_head *head)
{
	list_add(item, head->prev);
}

/* Leaves null pointers behind: a second removal is caught at once. */
static inline void list_del(struct list_head *item)
{
	shim_list_join(item->prev, item->next);
	item->next = NULL;
	item->prev = NULL;
}

static inline void list_move_tail(struct list_head *item, struct list_head *head)
{
	shim_list_join(item->prev, item->next);
	list_add_tail(item, head);
}

static inline void list_del_init(struct list_head *item)
{
	shim_list_join(item->prev, item->next);
	INIT_LIST_HEAD(item);
}

#define list_entry(ptr, type, member)		container_of(ptr, type, member)
#define list_first_entry(head, type, member)	list_entry((head)->next, type, member)
#define list_last_entry(head, type, member)	list_entry((head)->prev, type, member)

#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))

#define list_for_each_entry(pos, head, member)					\
	for (pos = list_first_entry(head, typeof(*pos), member);		\
	     &pos->member != (head);						\
	     pos = list_first_entry(&pos->member, typeof(*pos), member))

#define list_for_each_entry_safe(pos, after, head, member)			\
	for (pos = list_first_entry(head, typeof(*pos), member),		\
	     after = list_first_entry(&pos->member, typeof(*pos), member);	\
	     &pos->member != (head);						\
	     pos = after, after = list_first_entry(&pos->member, typeof(*pos), member))

#endif
