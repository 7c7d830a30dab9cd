/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of pages of a file, as ranges. Each remembers when its first page came.
 */
#ifndef _SIM_RANGES_H
#define _SIM_RANGES_H

#include <linux/types.h>

struct range {
	u64 start;
	u64 end;
	u64 stamp;
};

/**
 * struct ranges - a set of pages
 * @item: disjoint, in order; neighbours that touch differ in their stamps
 * @used: how many
 * @room: for how many
 * @pages: in all of them
 */
struct ranges {
	struct range *item;
	u32 used;
	u32 room;
	u64 pages;
};

u64 ranges_add(struct ranges *set, u64 start, u64 end, u64 stamp);
u64 ranges_del(struct ranges *set, u64 start, u64 end);
u64 ranges_count(const struct ranges *set, u64 start, u64 end);
const struct range *ranges_from(const struct ranges *set, u64 page);
u64 ranges_move(struct ranges *from, u64 start, u64 end, const struct ranges *except,
		struct ranges *to);
void ranges_clear(struct ranges *set);

#endif
