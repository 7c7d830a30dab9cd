// SPDX-License-Identifier: GPL-2.0
/*
 * Old-data writeback: once a second, as long as a device is known, a thread of the pool looks
 * which devices are due and gives each a thread. What is due is the kernel's to say, by
 * dirty_writeback_centisecs and dirty_expire_centisecs as they are at that moment. A policy may
 * look after old data itself; then only the rest is done here.
 *
 * The same round keeps the list of devices: kicks those over background that no writer came for,
 * and forgets the clean and the gone.
 */
#include <linux/kernel.h>
#include <linux/jiffies.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>

#define TICK		HZ	/* 2.5's least distance between two rounds */
#define CLEAN_TICKS	30	/* forget a device that has been clean for so many */

static void wb_timer_fn(struct timer_list *unused);
static DEFINE_TIMER(wb_timer, wb_timer_fn);
static DEFINE_SPINLOCK(timer_lock);	/* timer_runs against arming; taken from the timer */
static bool timer_runs;
static unsigned long in_round;		/* bit 0 */

static void arm(void)
{
	unsigned long flags;

	spin_lock_irqsave(&timer_lock, flags);
	if (timer_runs)
		mod_timer(&wb_timer, jiffies + TICK);
	spin_unlock_irqrestore(&timer_lock, flags);
}

static void wb_timer_fn(struct timer_list *unused)
{
	/* all threads busy: again in a second, as in 2.5 */
	if (pdflush_operation(wb_kupdate, 0))
		arm();
}

/**
 * wb_kupdate_arm - a device was noted: look after it from now on
 *
 * Any context.
 */
void wb_kupdate_arm(void)
{
	if (!timer_pending(&wb_timer))
		arm();
}

/**
 * wb_kupdate_start - the pool is there: begin
 */
void wb_kupdate_start(void)
{
	unsigned long flags;

	spin_lock_irqsave(&timer_lock, flags);
	timer_runs = true;
	spin_unlock_irqrestore(&timer_lock, flags);
	arm();
}

/**
 * wb_kupdate_stop - the pool is going: end
 *
 * May sleep. Before pdflush_stop().
 */
void wb_kupdate_stop(void)
{
	unsigned long flags;

	spin_lock_irqsave(&timer_lock, flags);
	timer_runs = false;
	spin_unlock_irqrestore(&timer_lock, flags);
	del_timer_sync(&wb_timer);
}

/*
 * Measure how fast it writes, from one completion to a later one: file systems complete in lumps,
 * on a slow device many seconds apart. What was completed is the least it can do; that it can't do
 * more shows only where an eighth of a second's work or more was waiting at both ends. Else held
 * callers, who keep to the measured speed, would see it go down and down.
 */
static void observe(struct wb_device *dev, const struct wb_device_counts *counts)
{
	u64 now = host_now_us(), pages = counts->written - min(counts->written, dev->seen_written);
	unsigned long next;

	if (dev->seen_us && counts->writeback && now > dev->seen_us) {
		if (!pages)
			return;
		next = wb_bandwidth_next(dev->bandwidth, pages, now - dev->seen_us);
		if (next > dev->bandwidth ||
		    min(counts->writeback, dev->seen_writeback) > dev->bandwidth / 8)
			WRITE_ONCE(dev->bandwidth, next);
	}
	dev->seen_us = counts->writeback ? now : 0;
	dev->seen_written = counts->written;
	dev->seen_writeback = counts->writeback;
}

/* Does the policy look after old data itself? */
static bool policy_does_old_data(void)
{
	bool does;

	rcu_read_lock();
	does = wb_policy_current()->old_data;
	rcu_read_unlock();
	return does;
}

/* True if @dev is to be forgotten. */
static bool look_after(struct wb_device *dev)
{
	struct wb_device_counts counts;

	if (!host_device_alive(dev->wb))
		return true;
	/* to the page: what the cheap counters keep for ever would make it look dirty */
	host_device_counts_exact(dev->wb, &counts);
	observe(dev, &counts);
	if (host_device_has_dirty(dev->wb) || counts.dirty || counts.writeback) {
		dev->clean_ticks = 0;
		if (!policy_does_old_data() && host_old_data_due(dev->wb))
			wb_device_want(dev, WB_WANT_KUPDATE);
		if (counts.dirty && !host_laptop_mode() && wb_over_background(dev->wb))
			wb_device_want(dev, WB_WANT_BACKGROUND);
		return false;
	}
	return ++dev->clean_ticks > CLEAN_TICKS;
}

/* The device after @dev, or the first; to be put. In a round. */
static struct wb_device *next_device(struct wb_device *dev)
{
	struct list_head *pos = dev ? &dev->list : &wb_device_list;
	struct wb_device *next = NULL;

	rcu_read_lock();
	pos = rcu_dereference(list_next_rcu(pos));
	if (pos != &wb_device_list) {
		next = list_entry(pos, struct wb_device, list);
		refcount_inc(&next->ref);	/* listed as long as the round lasts, so not 0 */
	}
	rcu_read_unlock();
	return next;
}

/**
 * wb_kupdate_pause - no round from now on
 *
 * Waits for one under way, which writes nothing and so is short, but may be without a CPU for as
 * long as others have all of them. May sleep. Ends with wb_kupdate_resume().
 */
void wb_kupdate_pause(void)
{
	while (test_and_set_bit(0, &in_round))
		schedule_timeout_idle(1);
}

/**
 * wb_kupdate_resume - rounds are welcome again
 */
void wb_kupdate_resume(void)
{
	clear_bit_unlock(0, &in_round);
}

/**
 * wb_kupdate - one round over the devices; a job of the pool
 * @unused: nothing
 */
void wb_kupdate(unsigned long unused)
{
	struct wb_device *dev, *next;
	bool forget;

	/* who takes devices off the list holds this: the one that a round stands on is on it */
	if (test_and_set_bit(0, &in_round)) {
		arm();
		return;
	}
	for (dev = next_device(NULL); dev; dev = next) {
		forget = look_after(dev);
		next = next_device(dev);
		if (forget)
			wb_device_retire(dev);
		wb_device_put(dev);
	}
	clear_bit_unlock(0, &in_round);
	/* further rounds let the pool shrink, a thread at a time */
	if (wb_devices() || pdflush_has_surplus())
		arm();
}
