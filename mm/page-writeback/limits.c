// SPDX-License-Identifier: GPL-2.0
/*
 * Memory and settings to thresholds in pages. Pure: touches nothing but its arguments.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/page-writeback.h>

/**
 * wb_dirtyable - memory that may hold dirty pages
 * @mem: the machine's memory
 *
 * What programs use can't be dirtied by write(2), so ratios are a part of what is free or file
 * cache, less what the kernel keeps for itself. Never 0, as it is divided by.
 */
unsigned long wb_dirtyable(const struct wb_memory *mem)
{
	return mem->free - min(mem->free, mem->reserve) + mem->file + 1;
}

static unsigned long percent_of(unsigned long percent, unsigned long pages)
{
	return mul_u64_u64_div_u64(pages, min(percent, 100UL), 100);
}

/* Bytes to pages, up: asking for one byte is not asking for nothing. */
static unsigned long pages_of(unsigned long bytes)
{
	return bytes / PAGE_SIZE + !!(bytes % PAGE_SIZE);
}

/* Bytes beyond what can be dirty would be no limit at all. */
static unsigned long threshold(const struct wb_setting *set, unsigned long dirtyable)
{
	if (set->bytes)
		return min(pages_of(set->value), dirtyable);
	return percent_of(set->value, dirtyable);
}

/*
 * Thresholds may be asked for in any order; a lower one is pulled down to the next higher one,
 * so that one typo makes writers write early and never lets memory fill up.
 */
static void put_in_order(struct wb_limits *lim)
{
	lim->async = min(lim->async, lim->sync);
	lim->background = min(lim->background, lim->async);
	lim->stop = min(lim->stop, lim->background);
}

/**
 * wb_limits_of - the machine's thresholds
 * @set: as asked for
 * @dirtyable: from wb_dirtyable(), pages
 * @lim: result
 */
void wb_limits_of(const struct wb_settings *set, unsigned long dirtyable, struct wb_limits *lim)
{
	lim->dirtyable = dirtyable;
	lim->background = threshold(&set->background, dirtyable);
	lim->async = threshold(&set->async, dirtyable);
	lim->sync = threshold(&set->sync, dirtyable);
	lim->stop = threshold(&set->stop, dirtyable);
	put_in_order(lim);
}

/**
 * wb_limits_scale - thresholds for a part of what has limits
 * @from: limits of the whole
 * @part: the part's size, in any unit
 * @whole: the whole's size in that unit, not 0
 * @to: result; may be @from
 */
void wb_limits_scale(const struct wb_limits *from, unsigned long part, unsigned long whole,
		     struct wb_limits *to)
{
	part = min(part, whole);
	to->dirtyable = mul_u64_u64_div_u64(from->dirtyable, part, whole);
	to->background = mul_u64_u64_div_u64(from->background, part, whole);
	to->async = mul_u64_u64_div_u64(from->async, part, whole);
	to->sync = mul_u64_u64_div_u64(from->sync, part, whole);
	to->stop = mul_u64_u64_div_u64(from->stop, part, whole);
}

/**
 * wb_limits_of_group - thresholds of a memory cgroup
 * @set: as asked for, for the machine
 * @machine: the machine's dirtyable memory, pages, not 0
 * @dirtyable: the group's, pages
 * @lim: result
 *
 * A setting in bytes is meant for the machine: the group gets the same part of its own memory.
 */
void wb_limits_of_group(const struct wb_settings *set, unsigned long machine,
			unsigned long dirtyable, struct wb_limits *lim)
{
	struct wb_limits all;

	wb_limits_of(set, machine, &all);
	wb_limits_scale(&all, dirtyable, machine, lim);
	lim->dirtyable = dirtyable;
}

/**
 * wb_limits_under_stock - thresholds under which the stock engine holds nobody
 * @stock: what it goes by
 * @lim: changed, if that is lower; @lim->dirtyable may be a part of the machine's
 *
 * The stock engine lets a writer go who is below the middle between its two thresholds, so ours are
 * kept half-way between that and its lower one.
 */
void wb_limits_under_stock(const struct wb_stock_limits *stock, struct wb_limits *lim)
{
	unsigned long part = min(lim->dirtyable, stock->dirtyable);
	unsigned long room = stock->dirty - min(stock->dirty, stock->background);
	unsigned long background, sync;

	background = mul_u64_u64_div_u64(stock->background, part, stock->dirtyable);
	sync = mul_u64_u64_div_u64(stock->background + room / 4, part, stock->dirtyable);
	lim->sync = min(lim->sync, sync);
	lim->background = min(lim->background, background);
	put_in_order(lim);
}

/**
 * wb_setting_write - one of a threshold's two files was written
 * @set: the threshold
 * @bytes: it was the file in bytes
 * @value: already checked to be in range
 *
 * A 0 in the file that is not in force says only that: it is what a saved pair holds there, and
 * must not undo the other file, in whichever order the two are restored.
 */
void wb_setting_write(struct wb_setting *set, bool bytes, unsigned long value)
{
	if (!value && set->bytes != bytes)
		return;
	set->bytes = bytes;
	set->value = value;
}

/**
 * wb_setting_read - what one of a threshold's two files shows
 * @set: the threshold
 * @bytes: the file in bytes
 */
unsigned long wb_setting_read(const struct wb_setting *set, bool bytes)
{
	return set->bytes == bytes ? set->value : 0;
}
