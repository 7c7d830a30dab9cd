// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of pages as sorted arrays of ranges. Files are mostly written in order, so the ends are
 * looked at first.
 */
#include <string.h>
#include <linux/kernel.h>
#include "ranges.h"
#include "sim.h"

/* Index of the first range that ends after @page. */
static u32 find(const struct ranges *set, u64 page)
{
	u32 low = 0, high = set->used;

	if (!high || set->item[high - 1].end <= page)
		return high;
	if (set->item[0].end > page)
		return 0;
	while (low < high) {
		u32 middle = (low + high) / 2;

		if (set->item[middle].end > page)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void open_gap(struct ranges *set, u32 at)
{
	if (set->used == set->room) {
		set->room = set->room ? 2 * set->room : 4;
		set->item = realloc(set->item, set->room * sizeof(*set->item));
		if (!set->item)
			sim_fail("no memory for ranges of pages");
	}
	memmove(&set->item[at + 1], &set->item[at], (set->used - at) * sizeof(*set->item));
	set->used++;
}

static void close_gap(struct ranges *set, u32 at, u32 n)
{
	set->used -= n;
	memmove(&set->item[at], &set->item[at + n], (set->used - at) * sizeof(*set->item));
}

/* Put in what lies free before range @at. */
static void put_in(struct ranges *set, u32 at, u64 start, u64 end, u64 stamp)
{
	struct range *left = at ? &set->item[at - 1] : NULL;
	struct range *right = at < set->used ? &set->item[at] : NULL;
	bool to_left = left && left->end == start && left->stamp == stamp;
	bool to_right = right && right->start == end && right->stamp == stamp;

	set->pages += end - start;
	if (to_left && to_right) {
		left->end = right->end;
		close_gap(set, at, 1);
	} else if (to_left) {
		left->end = end;
	} else if (to_right) {
		right->start = start;
	} else {
		open_gap(set, at);
		set->item[at] = (struct range){ start, end, stamp };
	}
}

/**
 * ranges_add - put pages into a set
 * @set: the set
 * @start: first page
 * @end: the one after the last
 * @stamp: for those that aren't in it
 *
 * Returns how many were not.
 */
u64 ranges_add(struct ranges *set, u64 start, u64 end, u64 stamp)
{
	u64 before = set->pages;

	while (start < end) {
		u32 at = find(set, start);
		u64 gap = at < set->used ? min(end, set->item[at].start) : end;

		if (start < gap) {
			put_in(set, at, start, gap, stamp);
			start = gap;
		} else {
			start = set->item[at].end;
		}
	}
	return set->pages - before;
}

/**
 * ranges_del - take pages out of a set
 * @set: the set
 * @start: first page
 * @end: the one after the last
 *
 * Returns how many were in it.
 */
u64 ranges_del(struct ranges *set, u64 start, u64 end)
{
	u64 before = set->pages;
	u32 at = find(set, start), whole;

	if (at < set->used && set->item[at].start < start) {
		struct range *range = &set->item[at];

		if (range->end > end) {
			open_gap(set, at);
			set->item[at].end = start;
			set->item[at + 1].start = end;
			set->pages -= end - start;
			return before - set->pages;
		}
		set->pages -= range->end - start;
		range->end = start;
		at++;
	}
	for (whole = at; whole < set->used && set->item[whole].end <= end; whole++)
		set->pages -= set->item[whole].end - set->item[whole].start;
	if (whole > at)
		close_gap(set, at, whole - at);
	if (at < set->used && set->item[at].start < end) {
		set->pages -= end - set->item[at].start;
		set->item[at].start = end;
	}
	return before - set->pages;
}

/**
 * ranges_count - how many pages are in a set
 * @set: the set
 * @start: first page
 * @end: the one after the last
 */
u64 ranges_count(const struct ranges *set, u64 start, u64 end)
{
	u64 sum = 0;
	u32 at;

	for (at = find(set, start); at < set->used && set->item[at].start < end; at++)
		sum += min(set->item[at].end, end) - max(set->item[at].start, start);
	return sum;
}

/**
 * ranges_from - the first range that ends after a page, or NULL
 * @set: the set
 * @page: the page
 */
const struct range *ranges_from(const struct ranges *set, u64 page)
{
	u32 at = find(set, page);

	return at < set->used ? &set->item[at] : NULL;
}

/**
 * ranges_move - take pages out of a set and put them into another
 * @from: the set
 * @start: first page
 * @end: the one after the last
 * @except: those in it go nowhere
 * @to: the other set
 *
 * Returns how many were put in.
 */
u64 ranges_move(struct ranges *from, u64 start, u64 end, const struct ranges *except,
		struct ranges *to)
{
	u64 moved = 0;

	ranges_del(from, start, end);
	while (start < end) {
		const struct range *hole = ranges_from(except, start);
		u64 stop = hole ? min(end, max(hole->start, start)) : end;

		if (start < stop)
			moved += ranges_add(to, start, stop, 0);
		start = hole ? max(stop, hole->end) : end;
	}
	return moved;
}

/**
 * ranges_clear - make a set empty
 * @set: the set
 */
void ranges_clear(struct ranges *set)
{
	free(set->item);
	*set = (struct ranges){ 0 };
}
