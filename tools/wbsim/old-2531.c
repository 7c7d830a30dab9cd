// SPDX-License-Identifier: GPL-2.0
/*
 * What 2.5.31 itself did, for comparison: percent of all memory, and a caller above async writes
 * files
 * of its device itself. Every job goes through the pool, which is the engine's.
 */
#include <linux/kernel.h>
#include <linux/pdflush.h>
#include <linux/timer.h>
#include "machine.h"

#define BATCH		1024	/* pages of a pass */
#define CALLER_BATCH	192	/* what a caller writes */

bool old_2531;

static void kupdate_timer(struct timer_list *timer);
static DEFINE_TIMER(timer, kupdate_timer);
static bool running;
static bool *in_progress;	/* a device has a thread of the pool */

static unsigned long part(const struct wb_setting *set)
{
	unsigned long all = machine.total - machine.reserve;

	return set->bytes ? set->value / PAGE_SIZE : set->value * all / 100;
}

static unsigned long background(void)
{
	struct wb_settings set;

	wb_get_settings(&set);
	return part(&set.background);
}

/* Returns pages written, at most @pages, over all devices that no other thread is at. */
static u64 write_all(u64 pages, bool older, unsigned long than, enum by by)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < nr_devices && sum < pages; i++) {
		if (in_progress[i])
			continue;
		in_progress[i] = true;
		sum += walker_write(devices[i], pages - sum, by, older, than);
		in_progress[i] = false;
	}
	return sum;
}

static void old_background(unsigned long unused)
{
	unsigned long limit = background();

	(void)unused;
	while (machine.dirty >= limit && !pdflush_should_stop())
		if (write_all(BATCH, false, 0, BY_BACKGROUND) < BATCH)
			break;
}

static void old_kupdate(unsigned long unused)
{
	unsigned long next = jiffies + msecs_to_jiffies(machine.interval_cs * 10);

	(void)unused;
	write_all(machine.dirty, true, jiffies - msecs_to_jiffies(machine.expire_cs * 10),
		  BY_KUPDATE);
	if (time_before(next, jiffies + HZ))
		next = jiffies + HZ;
	if (running)
		mod_timer(&timer, next);
}

static void kupdate_timer(struct timer_list *timer)
{
	if (pdflush_operation(old_kupdate, 0) && running)
		mod_timer(timer, jiffies + HZ);
}

/**
 * old_balance - 2.5.31's balance_dirty_pages()
 * @wb: the device that the caller dirtied
 */
void old_balance(struct bdi_writeback *wb)
{
	unsigned long held = machine.dirty + machine.writeback;
	u64 started = sim_clock;
	struct wb_settings set;

	wb_get_settings(&set);
	if (held > part(&set.sync) || held > part(&set.async)) {
		walker_write(wb, CALLER_BATCH, BY_CALLER, false, 0);
		sim_pay();
		sim_me()->stalled_ns += sim_clock - started;
	}
	if (!in_progress[wb->number] && machine.dirty > part(&set.background))
		pdflush_operation(old_background, 0);
}

static bool nothing_wanted(pdflush_fn *fn, unsigned long *arg)
{
	(void)fn;
	(void)arg;
	return false;
}

static unsigned int no_demand(void)
{
	return 0;
}

static const struct pdflush_source no_source = {
	.next = nothing_wanted,
	.demand = no_demand,
};

/**
 * old_start - start the pool and kupdate's timer
 */
void old_start(void)
{
	in_progress = calloc(nr_devices, sizeof(*in_progress));
	if (!in_progress || pdflush_start(&no_source))
		sim_fail("the pool did not start");
	running = true;
	mod_timer(&timer, jiffies + msecs_to_jiffies(machine.interval_cs * 10));
}

/**
 * old_stop - end both
 */
void old_stop(void)
{
	running = false;
	del_timer_sync(&timer);
	pdflush_stop(ULONG_MAX);
	del_timer_sync(&timer);
	free(in_progress);
	in_progress = NULL;
}
