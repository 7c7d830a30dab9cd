// SPDX-License-Identifier: GPL-2.0
/*
 * Counters, per CPU as the write path counts there. Read without a lock: a reader may see one
 * event in one counter and not yet in another.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/page-writeback.h>

struct wb_counts {
	u64 count[WB_NR_COUNTS];
	u64 stalls[WB_STALL_SLOTS];
	u64 stall_max_us;
};

static DEFINE_PER_CPU(struct wb_counts, wb_counts);

/**
 * wb_count - count something
 * @what: the counter
 * @n: how much
 */
void wb_count(enum wb_count what, unsigned long n)
{
	this_cpu_add(wb_counts.count[what], n);
}

/**
 * wb_counted - a counter's sum over all CPUs
 * @what: the counter
 */
u64 wb_counted(enum wb_count what)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(wb_counts, cpu).count[what]);
	return sum;
}

/**
 * wb_count_stall - a caller was held
 * @us: for so long
 */
void wb_count_stall(u64 us)
{
	unsigned int slot = us ? ilog2(us) : 0;
	struct wb_counts *counts = get_cpu_ptr(&wb_counts);

	this_cpu_add(wb_counts.count[WB_COUNT_STALLED_US], us);
	this_cpu_inc(wb_counts.stalls[min_t(unsigned int, slot, WB_STALL_SLOTS - 1)]);
	if (us > counts->stall_max_us)
		WRITE_ONCE(counts->stall_max_us, us);
	put_cpu_ptr(&wb_counts);
}

/**
 * wb_stalls_in_slot - stalls of 2^slot us up to twice that
 * @slot: below WB_STALL_SLOTS; the first has those under 1 us too, the last all longer ones
 */
u64 wb_stalls_in_slot(unsigned int slot)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(wb_counts, cpu).stalls[slot]);
	return sum;
}

/**
 * wb_stall_max_us - the longest stall so far
 */
u64 wb_stall_max_us(void)
{
	u64 longest = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		longest = max(longest, READ_ONCE(per_cpu(wb_counts, cpu).stall_max_us));
	return longest;
}

/**
 * wb_counts_reset - start counting from 0
 *
 * Only while nobody counts.
 */
void wb_counts_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(&per_cpu(wb_counts, cpu), 0, sizeof(struct wb_counts));
}
