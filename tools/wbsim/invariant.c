// SPDX-License-Identifier: GPL-2.0
/*
 * What must hold at every step of every run. A breach ends the program with the name of the
 * invariant and the seed that leads there.
 *
 *	counts		dirty pages and pages under way are as many as the files have
 *	sleeper		no caller is held without a thread writing its device, or wanted there
 *	wanted		no device waits for a thread while one is idle
 *	agreement	when a thread stops as not over background, the waker agrees
 *	bound		dirty and under way stay within the sync threshold (or where else the policy
 *			has callers wait) and a stated bound
 *	age		no page gets older than expire, an interval and a pass
 *	one-thread	a device is written by one thread of the pool at a time
 *	pool		the pool is within its bounds
 *	once		each operation that is accepted runs exactly once
 *	detach		after detach nobody is inside and nothing is left
 *
 * Those that allow a time (sleeper, age, pool) are not looked at in schedules that take CPUs away.
 */
#include <stdarg.h>
#include "invariant.h"
#include "machine.h"

#define SETTLE_NS	(3 * NSEC_PER_SEC)	/* for jobs under way to end */
#define SLACK_NS	(20 * NSEC_PER_MSEC)	/* timers are as coarse as a tick */
#define OVER_SYNC(sync)		((sync) / 20)	/* the bound above sync: a few percent, */
#define OVER_SYNC_WRITER	32UL		/* what a new task may dirty, */
#define OVER_SYNC_DEVICE	WB_ALLOWANCE_MAX /* and what all that are paced at a device may */
#define SELDOM		1024		/* how often a large machine is counted, or less */

static bool thorough, exploring;
static unsigned int most_devices;
static unsigned long starts, ends, operations_before;
static u64 next_second;
static unsigned int last_low, last_high;	/* the pool's bounds */
static u64 settled_at;				/* it has had time to follow a change of them */
static unsigned long sync_high, sync_now, sync_last;
static unsigned int next_device;

/**
 * invariant_broken - something that must hold doesn't
 * @which: its name
 * @format: what is wrong
 */
void invariant_broken(const char *which, const char *format, ...)
{
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sim_fail("invariant %s: %s", which, text);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void count_pages(void)
{
	unsigned long dirty = 0, writeback = 0, clean = 0, both = 0;
	struct sim_file *file;
	unsigned int i;

	for (i = 0; i < nr_devices; i++) {
		unsigned long dev_dirty = 0, dev_writeback = 0;

		list_for_each_entry(file, &devices[i]->files, all) {
			dev_dirty += file->dirty.pages;
			dev_writeback += file->under.pages;
			clean += file->clean.pages;
			both += file->both;
		}
		if (dev_dirty != devices[i]->nr_dirty ||
		    dev_writeback != devices[i]->nr_writeback)
			invariant_broken("counts", "%s: %lu dirty, %lu under way counted, "
					 "%lu and %lu are so", devices[i]->name,
					 devices[i]->nr_dirty, devices[i]->nr_writeback,
					 dev_dirty, dev_writeback);
		dirty += dev_dirty;
		writeback += dev_writeback;
	}
	if (dirty != machine.dirty || writeback != machine.writeback || clean != machine.clean ||
	    both != machine.both)
		invariant_broken("counts", "%lu dirty, %lu under way, %lu clean counted, "
				 "%lu, %lu and %lu are so", machine.dirty, machine.writeback,
				 machine.clean, dirty, writeback, clean);
}

/* ---- sleeper, wanted ------------------------------------------------------------------------- */

void invariant_hold(struct bdi_writeback *wb)
{
	wb->held++;
}

void invariant_release(struct bdi_writeback *wb)
{
	wb->held--;
}

/*
 * A caller sleeps at most 100 ms before it looks again, and a worker may stop as not over
 * background
 * just when it lies down: that is no fault. Being over background without a worker is.
 */
static bool sleeps_alone(struct bdi_writeback *wb, const struct wb_device *dev)
{
	return wb->held && wb->state & 1UL << WB_registered && wb->nr_dirty && dev &&
	       !dev->claimed && !dev->wanted.counter && wb_over_background(wb);
}

static void look_at_device(struct bdi_writeback *wb, bool thread_idle)
{
	struct wb_device *dev = wb_device_lookup(wb);
	bool unserved = dev && thread_idle && dev->wanted.counter && !dev->claimed;
	bool alone = sleeps_alone(wb, dev);
	u64 since = wb->lonely_since;

	if (!unserved && !alone) {
		wb->lonely_since = U64_MAX;
		return;
	}
	if (since == U64_MAX)
		wb->lonely_since = sim_clock;
	/* nobody can run, so nobody is about to see to it */
	if (unserved && exploring && !sim_stolen)
		invariant_broken("wanted", "%s waits for a thread while one is idle", dev->name);
	if (since == U64_MAX || sim_stealing)
		return;
	if (alone && sim_clock - since > 100 * NSEC_PER_MSEC + SLACK_NS)
		invariant_broken("sleeper", "a caller is held at %s, which nobody writes",
				 wb->name);
	if (unserved && sim_clock - since > SLACK_NS)
		invariant_broken("wanted", "%s waits for a thread while one is idle", dev->name);
}

/* All devices of a small machine, a few at a time of a large one. */
static void look_at_devices(void)
{
	unsigned int i, n = thorough ? nr_devices : 1;
	struct pdflush_counts counts;

	if (wb_engine_state() != WB_RUNNING)
		return;
	sim_saw_lock = false;
	pdflush_get_counts(&counts);
	if (sim_saw_lock)
		return;
	for (i = 0; i < n; i++) {
		next_device = (next_device + 1) % nr_devices;
		look_at_device(devices[next_device], counts.idle);
	}
}

/* ---- agreement ------------------------------------------------------------------------------- */

/**
 * invariant_worker_stopped - a thread of the pool was told not to go on
 * @wb: at this device
 * @changes: machine.changes before it asked
 */
void invariant_worker_stopped(struct bdi_writeback *wb, u64 changes)
{
	struct wb_device *dev = wb_device_lookup(wb);

	if (wb_engine_state() != WB_RUNNING || pdflush_should_stop() ||
	    changes != machine.changes || machine.tuning)
		return;
	if (dev && dev->disk->wanted.counter & WB_WANT_KUPDATE)
		return;
	if (wb_over_background(wb) && changes == machine.changes && !machine.tuning &&
	    !(dev && dev->disk->wanted.counter & WB_WANT_KUPDATE) &&
	    wb_engine_state() == WB_RUNNING && !pdflush_should_stop())
		invariant_broken("agreement", "%s: its thread stops, though it is over background",
				 wb->name);
}

/* ---- bound ----------------------------------------------------------------------------------- */

/*
 * Where callers wait. By 2.4's rules, what is under way only counts further up: bdflush_decide().
 */
static unsigned long level_of(const struct dirty_domain *dom)
{
	if (wb_policy_current() == &wb_policy_bdflush)
		return dom->lim.sync + (dom->lim.dirtyable - dom->lim.sync) / 2;
	return dom->lim.sync;
}

static void look_at_bound(void)
{
	unsigned long held = machine.dirty + machine.writeback, bound;
	struct dirty_domain dom;

	if (wb_engine_state() != WB_RUNNING) {
		sync_high = held;	/* for what comes from before, it is not to blame */
		return;
	}
	wb_machine_limits(&dom);
	sync_now = level_of(&dom);
	/* a threshold that comes down finds pages above it */
	if (sync_now >= sync_high)
		sync_high = sync_now;
	bound = sync_high + OVER_SYNC(sync_high) + OVER_SYNC_WRITER * machine.writers +
		OVER_SYNC_DEVICE * nr_devices;
	if (held <= sync_now)
		sync_high = sync_now;
	if (held > bound)
		invariant_broken("bound", "%lu pages dirty or under way, sync is %lu, "
				 "the bound %lu", held, sync_now, bound);
}

/* ---- age ------------------------------------------------------------------------------------- */

static void look_at_age_of(struct bdi_writeback *wb)
{
	u64 limit = (machine.expire_cs + machine.interval_cs) * 10 * NSEC_PER_MSEC;
	u64 oldest = U64_MAX;
	u64 rate = disk_rate_now(&wb->disk) / PAGE_SIZE + 1;
	struct sim_file *file;
	u32 i;

	list_for_each_entry(file, &wb->files, all)
		for (i = 0; i < file->dirty.used; i++)
			oldest = min(oldest, file->dirty.item[i].stamp);
	if (oldest == U64_MAX)
		return;
	/* a tick of kupdate, a second's coarseness of stamps, and a pass */
	limit += 3 * NSEC_PER_SEC;
	limit += 3 * (wb->nr_dirty + wb->nr_writeback) * NSEC_PER_SEC / rate + wb->last_pass_ns;
	if (wb->disk.stall_every_ns)
		limit += 2 * wb->disk.stall_ns;
	if (wb->pass_began)
		limit += sim_clock - wb->pass_began;
	/* as it counts now: before, nobody may have been to write it */
	if (sim_clock - max(oldest, machine.old_since) > limit)
		invariant_broken("age", "%s: a page is %llu s old", wb->name,
				 (unsigned long long)((sim_clock - oldest) / NSEC_PER_SEC));
}

static void look_at_age(void)
{
	unsigned int i;

	if (wb_engine_state() != WB_RUNNING || !machine.interval_cs || sim_stealing)
		return;
	for (i = 0; i < nr_devices; i++)
		if (devices[i]->nr_dirty)
			look_at_age_of(devices[i]);
}

/* ---- one-thread ------------------------------------------------------------------------------ */

void invariant_enter_device(struct bdi_writeback *wb)
{
	if (!current_is_pdflush())
		return;
	if (wb->pool_writers++)
		invariant_broken("one-thread", "two threads of the pool are at %s", wb->name);
}

void invariant_leave_device(struct bdi_writeback *wb)
{
	if (current_is_pdflush())
		wb->pool_writers--;
}

/* ---- pool, once ------------------------------------------------------------------------------ */

static void job_start(pdflush_fn fn)
{
	(void)fn;
	starts++;
}

static void job_end(pdflush_fn fn)
{
	(void)fn;
	ends++;
}

static void ignore_verdict(struct bdi_writeback *wb, const struct wb_snapshot *snap,
			   const struct wb_decision *dec)
{
	(void)wb;
	(void)snap;
	(void)dec;
}

static void ignore_pause(struct bdi_writeback *wb, const struct wb_snapshot *snap,
			 const struct wb_decision *dec, unsigned long held_ms, unsigned long ms)
{
	(void)wb;
	(void)snap;
	(void)dec;
	(void)held_ms;
	(void)ms;
}

static void ignore_release(struct bdi_writeback *wb, u64 us, unsigned int rounds)
{
	(void)wb;
	(void)us;
	(void)rounds;
}

static void ignore_writeout(struct bdi_writeback *wb, const char *why)
{
	(void)wb;
	(void)why;
}

static void ignore_life(int pid)
{
	(void)pid;
}

const struct pdflush_tracer invariant_tracer = {
	.verdict = ignore_verdict,
	.pause = ignore_pause,
	.release = ignore_release,
	.job_start = job_start,
	.job_end = job_end,
	.writeout_start = ignore_writeout,
	.writeout_end = ignore_writeout,
	.birth = ignore_life,
	.death = ignore_life,
};

static void look_at_pool(void)
{
	struct pdflush_counts counts;
	unsigned int low, high;
	unsigned long accepted;

	sim_saw_lock = false;
	pdflush_get_counts(&counts);
	pdflush_get_limits(&low, &high);
	if (sim_saw_lock)
		return;		/* in the middle of a change */
	most_devices = max(most_devices, wb_devices());
	if (low != last_low || high != last_high)
		settled_at = sim_clock + SETTLE_NS;
	last_low = low;
	last_high = high;
	if (wb_engine_state() == WB_RUNNING && sim_clock >= settled_at && !sim_stealing &&
	    (counts.threads < low || counts.threads > max3(low, high, most_devices)))
		invariant_broken("pool", "%u threads, %u to %u are allowed", counts.threads, low,
				 max3(low, high, most_devices));
	accepted = counts.operations - operations_before;
	if (starts > accepted || ends > starts || accepted - starts > counts.threads)
		invariant_broken("once", "%lu operations accepted, %lu begun, %lu done", accepted,
				 starts, ends);
}

/* ---- detach ---------------------------------------------------------------------------------- */

/**
 * invariant_detached - the engine is detached: nothing of it may be left
 */
void invariant_detached(void)
{
	struct pdflush_counts counts;
	struct sim_task *task;
	unsigned int i;

	pdflush_get_counts(&counts);
	if (counts.threads)
		invariant_broken("detach", "%u threads are left", counts.threads);
	if (starts != ends || counts.operations - operations_before != starts)
		invariant_broken("once", "%lu operations accepted, %lu begun, %lu done at the end",
				 counts.operations - operations_before, starts, ends);
	list_for_each_entry(task, &sim_tasks, all)
		if (task->in_engine)
			invariant_broken("detach", "%s is inside", task->task.comm);
	if (!list_empty(&wb_device_list))
		invariant_broken("detach", "devices are still listed");
	for (i = 0; i < nr_devices; i++)
		if (devices[i]->pins)
			invariant_broken("detach", "%s is still pinned", devices[i]->name);
	if (timers_pending())
		invariant_broken("detach", "a timer is still set");
	if (slab_live())
		invariant_broken("detach", "%lu objects were not freed", slab_live());
}

/* ---- When they are looked at ----------------------------------------------------------------- */

/**
 * invariant_start - a run begins
 * @few: the machine is small: count all its pages at every step
 */
void invariant_start(bool few)
{
	struct pdflush_counts counts;

	pdflush_get_counts(&counts);
	operations_before = counts.operations;
	thorough = few;
	starts = 0;
	ends = 0;
	most_devices = 0;
	next_second = 0;
	pdflush_get_limits(&last_low, &last_high);
	settled_at = 0;
	sync_high = 0;
	sync_last = 0;
	next_device = 0;
	sim_step_hook = invariant_step;
}

/**
 * invariant_step - a step is done
 * @advance: time is about to go on
 */
void invariant_step(bool advance)
{
	exploring = sim_exploring;
	sim_exploring = false;		/* looking is not a switch point */
	sim_observing = true;
	if (thorough || !(sim_steps % (SELDOM + 64ULL * machine.writers)))
		count_pages();
	if (!advance) {
		look_at_pool();
		look_at_bound();
	} else {
		look_at_devices();
	}
	if (sim_clock >= next_second) {
		next_second = sim_clock + NSEC_PER_SEC;
		look_at_age();
	}
	sim_observing = false;
	sim_exploring = exploring;
}
