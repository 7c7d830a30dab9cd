// SPDX-License-Identifier: GPL-2.0
/*
 * The write path's entry: take a snapshot, ask the policy, carry its verdict out.
 *
 * A task comes here when it has dirtied its allowance. Most calls return after a few hundred
 * instructions; a caller that is held sleeps in hold_caller(), at most HOLD_MS at a time.
 */
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/atomic.h>
#include <linux/rcupdate.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>
#include <linux/pdflush-trace.h>

#define HOLD_MS		100UL	/* a livepatch transition and a fatal signal wait no longer */
#define LITTLE_LEFT	8UL	/* pages */
#define TURN_US		200000ULL /* of one device among those that share a disk */
#define GRACE_US	100000ULL /* see turn_end() */

static enum wb_engine engine_state = WB_STOPPED;

/**
 * wb_engine_state - what the engine may do now
 */
enum wb_engine wb_engine_state(void)
{
	return READ_ONCE(engine_state);
}

/**
 * wb_engine_set_state - say what the engine may do
 * @state: seen by held callers within HOLD_MS
 */
void wb_engine_set_state(enum wb_engine state)
{
	WRITE_ONCE(engine_state, state);
}

/*
 * While the kernel is half patched some writers may be held by the stock engine, which lets them
 * go, and the transition end, only when its own limits are kept. Others, who are with us already,
 * could keep memory above these for as long as they write.
 */
static struct wb_stock_limits stock;
static bool stock_may_hold;

/**
 * wb_stock_is - note what the stock engine goes by
 * @background: its lower threshold, pages
 * @dirty: its upper one, pages
 *
 * Only when no task is in the engine.
 */
void wb_stock_is(unsigned long background, unsigned long dirty)
{
	struct wb_memory mem;

	host_memory(&mem);
	stock.dirtyable = wb_dirtyable(&mem);
	stock.background = background;
	stock.dirty = dirty;
}

/**
 * wb_stock_may_hold - from now on the stock engine may hold writers, or not
 * @may: it may: its limits, as wb_stock_is() was told, are kept as well as ours
 */
void wb_stock_may_hold(bool may)
{
	WRITE_ONCE(stock_may_hold, may);
}

static void machine_domain(const struct wb_settings *set, struct dirty_domain *dom)
{
	struct wb_memory mem;

	host_memory(&mem);
	wb_limits_of(set, wb_dirtyable(&mem), &dom->lim);
	if (unlikely(READ_ONCE(stock_may_hold)))
		wb_limits_under_stock(&stock, &dom->lim);
	dom->dirty = mem.dirty;
	dom->writeback = mem.writeback;
}

/*
 * By what is a group's or a device's share the stock engine goes with figures that only it has: its
 * sleepers are sure to be let go only when all of that is written.
 */
static void write_all_of_parts(struct wb_snapshot *snap)
{
	unsigned int n;

	for (n = 1; n < snap->nr_domains; n++) {
		struct wb_limits *lim = &snap->domain[n].lim;

		wb_limits_under_stock(&stock, lim);
		lim->background = 0;
		lim->stop = 0;
	}
}

/*
 * Under rcu_read_lock(). A policy may let memory fill up to where the stock engine holds writers;
 * 2.5's rules keep what they are told.
 */
static const struct wb_policy *policy_in_force(void)
{
	return unlikely(READ_ONCE(stock_may_hold)) ? &wb_policy_ratios : wb_policy_current();
}

/* The policy's own thresholds, or those in the files. */
static void settings_in_force(struct wb_settings *set)
{
	const struct wb_policy *policy;

	rcu_read_lock();
	policy = wb_policy_current();
	if (policy->settings)
		policy->settings(set);
	else
		wb_get_settings(set);
	rcu_read_unlock();
}

/**
 * wb_machine_limits - the machine's counts and thresholds in force
 * @dom: result
 *
 * Any context.
 */
void wb_machine_limits(struct dirty_domain *dom)
{
	struct wb_settings set;

	settings_in_force(&set);
	machine_domain(&set, dom);
}

/**
 * wb_take_snapshot - what a policy may know about a device
 * @wb: the kernel's record
 * @dev: ours, or NULL
 * @snap: result, but for what is known of the caller
 *
 * Any context that may read RCU lists.
 */
void wb_take_snapshot(struct bdi_writeback *wb, struct wb_device *dev, struct wb_snapshot *snap)
{
	struct wb_device_counts counts;
	struct wb_settings set;

	settings_in_force(&set);
	machine_domain(&set, &snap->domain[0]);
	snap->nr_domains = 1;
	snap->own_only = false;
	if (host_group_domain(wb, &set, snap->domain[0].lim.dirtyable, &snap->domain[1]))
		snap->nr_domains = 2;

	host_device_counts(wb, &counts);
	snap->dev_dirty = counts.dirty;
	snap->dev_writeback = counts.writeback;
	snap->dev_bandwidth = wb_device_bandwidth(dev, &counts);
	snap->dev_waiters = dev ? atomic_read(&dev->waiters) : 0;
	if (counts.max_part < 10000) {
		struct dirty_domain *own = &snap->domain[snap->nr_domains++];

		wb_limits_scale(&snap->domain[0].lim, counts.max_part, 10000, &own->lim);
		own->dirty = counts.dirty;
		own->writeback = counts.writeback;
		snap->own_only = counts.strict;
	}
	if (unlikely(READ_ONCE(stock_may_hold)))
		write_all_of_parts(snap);
	snap->laptop = host_laptop_mode();
	snap->dev_share = 0;
	snap->pages_dirtied = 0;
	snap->realtime = false;
	snap->local = false;
	snap->writer = false;
}

/**
 * wb_over_background - has a device anything that should be written now?
 * @wb: the kernel's record
 *
 * The one answer for who wakes a writer and for the writer. Any context, under spinlocks too.
 */
bool wb_over_background(struct bdi_writeback *wb)
{
	return wb_still_over(wb, NULL);
}

/**
 * wb_still_over - shall what has begun at a device be gone on with?
 * @wb: the kernel's record
 * @dev: ours, or NULL
 *
 * As wb_over_background(); if a writer has begun there, down to where the policy has it stop.
 */
bool wb_still_over(struct bdi_writeback *wb, const struct wb_device *dev)
{
	const struct wb_policy *policy;
	struct wb_snapshot snap;
	bool over;

	rcu_read_lock();
	policy = policy_in_force();
	wb_take_snapshot(wb, wb_device_lookup(wb), &snap);
	over = wb_anything_due(policy, &snap);
	if (!over && policy->goes_on && dev && READ_ONCE(dev->draining))
		over = policy->goes_on(&snap);
	rcu_read_unlock();
	return over;
}

/* Shall the pool's thread at a device turn to something else at this disk? */
static bool turn_to_others(const struct wb_device *dev)
{
	const struct wb_device *disk = dev->disk;

	if (atomic_read(&disk->wanted) & WB_WANT_KUPDATE)
		return true;
	return READ_ONCE(disk->siblings) &&
	       host_now_us() - READ_ONCE(disk->turn_us) > TURN_US;
}

/**
 * wb_writer_goes_on - shall a thread at a device write on?
 * @wb: the kernel's record
 *
 * Asked by the kernel's walker before every chunk, with its list lock held. The pool's threads
 * alone do background writeback; but without a pool, or for a device that memory was too short to
 * note, anybody may. While the pool is being stopped nobody may: a stock thread that holds an inode
 * chunk after chunk would keep a thread of the pool waiting for it. Old data goes first when its
 * time has come.
 */
bool wb_writer_goes_on(struct bdi_writeback *wb)
{
	enum wb_engine state = wb_engine_state();
	bool pool = current_is_pdflush(), stop;
	struct wb_device *dev;
	bool go_on;

	rcu_read_lock();
	dev = wb_device_lookup(wb);
	if (state == WB_STOPPING)
		stop = true;
	else if (state != WB_RUNNING)
		stop = pool;
	else if (pool)
		stop = pdflush_should_stop() || (dev && turn_to_others(dev));
	else
		stop = dev;
	go_on = !stop && wb_still_over(wb, pool ? dev : NULL);
	rcu_read_unlock();
	return go_on;
}

/**
 * wb_writer_must_leave - is the calling thread to leave the walker, whatever that is asked?
 *
 * To be looked at after each inode of background or old data. Once a livepatch transition has begun
 * the walker asks the stock rule, by which a thread of the pool whom a stop did not wait for would
 * go on for as long as somebody dirties more: the module could not be unloaded. Of old data the
 * walker asks nobody. Any context.
 */
bool wb_writer_must_leave(void)
{
	return current_is_pdflush() && pdflush_should_stop();
}

/*
 * What the policy says of the calling task at a device. True if a thread of the policy's own has
 * been told to see to background writing.
 */
static bool ask_policy(struct bdi_writeback *wb, unsigned long pages_dirtied,
		       struct wb_snapshot *snap, struct wb_decision *dec)
{
	const struct wb_policy *policy;
	struct wb_device *dev;
	bool woken = false;

	rcu_read_lock();
	dev = wb_device_lookup(wb);
	wb_take_snapshot(wb, dev, snap);
	snap->pages_dirtied = pages_dirtied;
	snap->writer = current_is_pdflush();
	host_caller(snap);
	if (snap->local && dev)
		snap->dev_share = wb_device_share(dev, snap->domain[0].lim.async);
	policy = policy_in_force();
	wb_decide(policy, snap, dec);
	if (dec->verdict > WB_NOTHING && policy->wake) {
		policy->wake();
		woken = wb_engine_state() == WB_RUNNING;
	}
	rcu_read_unlock();
	return woken;
}

static void start_writer(struct bdi_writeback *wb, struct wb_device *dev)
{
	enum wb_engine state = wb_engine_state();

	if (dev && state == WB_RUNNING)
		wb_device_want(dev, WB_WANT_BACKGROUND);
	else if (state != WB_STOPPING)
		host_wake_stock(wb);
}

/* Too little for the device to be what fills memory; other devices' writers see to theirs. */
static bool has_little_left(const struct wb_device_counts *counts)
{
	return counts->dirty + counts->writeback <= LITTLE_LEFT;
}

/**
 * struct turn - a held caller's place at its device
 * @share: its length, pages
 * @ticket: where it ends, in pages completed by the device
 * @due_us: when it ends at the latest, if the caller is only paced
 *
 * File systems complete in lumps, up to a second apart on a slow disk. So that a paced caller is
 * held as long as its share takes and not until the next lump, it may also go at @due_us: twice
 * the time that its turn should take by the measured speed, and GRACE_US.
 */
struct turn {
	u64 share;
	u64 ticket;
	u64 due_us;
};

static void take_turn(struct turn *turn, struct wb_device *dev,
		      const struct wb_device_counts *counts)
{
	unsigned long ms;

	turn->ticket = wb_ticket_draw(dev, counts->written, counts->dirty + counts->writeback,
				      turn->share);
	ms = wb_ticket_wait_ms(turn->ticket, counts->written, wb_device_bandwidth(dev, counts));
	turn->due_us = host_now_us() + 2 * 1000 * (u64)ms + GRACE_US;
}

static bool turn_is_over(const struct turn *turn, const struct wb_device_counts *counts)
{
	return counts->written >= turn->ticket || host_now_us() >= turn->due_us;
}

/* The caller leaves: if its turn has not come, others may have it. */
static void leave_turn(const struct turn *turn, struct wb_device *dev)
{
	struct wb_device_counts counts;

	host_device_counts_exact(dev->wb, &counts);
	if (counts.written < turn->ticket)
		wb_ticket_return(dev, turn->share);
}

/*
 * Does the device hold no more than its share, by measured speed, of what async allows? Then
 * others fill memory, and its writers need only keep to its pace: a stick must not stall a disk.
 */
static bool within_share(struct wb_device *dev, const struct wb_device_counts *counts,
			 const struct wb_snapshot *snap)
{
	unsigned long async = snap->domain[0].lim.async;
	unsigned long share = wb_device_share(dev, async);

	return share < async && counts->dirty + counts->writeback <= share;
}

/*
 * Hold the caller at its device until the verdict is over, its turn has come, the device is gone
 * or has nothing left to write, a fatal signal arrives, or a livepatch transition wants
 * the caller out.
 *
 * @snap: what it was decided by; on return what the last one was
 * @dec: the verdict; on return the last one
 */
static void hold_caller(struct wb_device *dev, unsigned long pages_dirtied,
			struct wb_snapshot *snap, struct wb_decision *dec)
{
	struct turn turn = { .share = dec->hold_pages };
	struct bdi_writeback *wb = dev->wb;
	struct wb_device_counts counts;
	u64 started = host_now_us(), us;
	unsigned int rounds = 0;

	atomic_inc(&dev->waiters);
	host_device_counts_exact(wb, &counts);
	take_turn(&turn, dev, &counts);
	while (!host_caller_must_leave()) {
		unsigned long ms = wb_ticket_wait_ms(turn.ticket, counts.written,
						     wb_device_bandwidth(dev, &counts));

		/* half of it: what was measured may be our own pacing */
		ms = clamp(ms / 2, 1UL, HOLD_MS);
		/* a sleeper must have a writer, or writeback that is under way, to wake up for */
		start_writer(wb, dev);
		rounds++;
		pdflush_trace(pause, wb, snap, dec, (host_now_us() - started) / 1000, ms);
		if (host_hold_caller(wb, ms) ||
		    !host_device_alive(wb) || wb_device_retired(dev))
			break;
		ask_policy(wb, pages_dirtied, snap, dec);
		host_device_counts_exact(wb, &counts);
		if (dec->verdict < WB_PACE || has_little_left(&counts))
			break;
		if (!turn_is_over(&turn, &counts))
			continue;
		if (dec->verdict == WB_PACE || within_share(dev, &counts, snap))
			break;
		/* still above sync: back into the queue, so that all don't leave at once later */
		take_turn(&turn, dev, &counts);
	}
	leave_turn(&turn, dev);
	atomic_dec(&dev->waiters);
	us = host_now_us() - started;
	wb_count_stall(us);
	pdflush_trace(release, wb, us, rounds);
}

/**
 * wb_balance_dirty_pages - a task has dirtied its allowance
 * @wb: the kernel's record of the device it dirtied
 * @pages_dirtied: pages since it was last here
 * @flags: WB_NOWAIT or 0
 *
 * While the kernel is half patched callers are held, too, as memory must not fill up, but leave
 * when the transition wants them to; the stock threads write meanwhile.
 *
 * May sleep, unless told not to. Returns 0, or -EAGAIN if the caller would have been held.
 */
int wb_balance_dirty_pages(struct bdi_writeback *wb, unsigned long pages_dirtied,
			   unsigned int flags)
{
	struct wb_device *dev = NULL;
	struct wb_snapshot snap;
	struct wb_decision dec;
	bool woken;
	int ret = 0;

	woken = ask_policy(wb, pages_dirtied, &snap, &dec);
	if (dec.verdict > WB_NOTHING) {
		dev = wb_device_get(wb);
		if (dec.verdict > WB_KICK || !woken || !dev)
			start_writer(wb, dev);
	}
	wb_count(WB_COUNT_VERDICT + dec.verdict, 1);
	pdflush_trace(verdict, wb, &snap, &dec);
	if (dec.verdict > WB_KICK) {
		if (flags & WB_NOWAIT) {
			ret = -EAGAIN;	/* its allowance stays used up: the next try asks again */
		} else if (dev) {
			/* now, not when it leaves: all others shall come in soon */
			host_set_allowance(wb, dec.allowance, dec.exceeded);
			hold_caller(dev, pages_dirtied, &snap, &dec);
		} else {	/* no memory to note the device, or it is gone */
			host_hold_caller(wb, HOLD_MS);
		}
	}
	if (!ret)
		host_set_allowance(wb, dec.allowance, dec.exceeded);
	if (dev)
		wb_device_put(dev);
	return ret;
}
