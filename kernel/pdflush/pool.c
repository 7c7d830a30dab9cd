// SPDX-License-Identifier: GPL-2.0
/*
 * The pool: who is idle, who is born, who dies. 2.5's pdflush, with one thing added: a manager
 * that can give birth while every thread is blocked.
 *
 * Idle threads form a stack: the one that slept least gets the next job, so the others' sleep
 * says how many are too many.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/pdflush.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/pdflush-trace.h>

/**
 * struct pdflush_worker - a thread of the pool
 * @who: the thread
 * @fn: its job, or NULL; pool.lock while on the idle list, else its own
 * @arg: the job's argument
 * @list: in pool.idle while idle, else empty
 * @slept_at: jiffies when it last became idle, or when its long sleep was last held against
 *	another thread
 * @fresh: has never been on the idle list
 */
struct pdflush_worker {
	struct task_struct *who;
	pdflush_fn fn;
	unsigned long arg;
	struct list_head list;
	unsigned long slept_at;
	bool fresh;
};

/*
 * @lock is taken from timers: disable interrupts. @born and @reaped count since loading: every
 * thread born is reaped by pdflush_stop() once it has left our code for good.
 */
static struct {
	spinlock_t lock;
	struct list_head idle;
	unsigned int nr_idle;
	unsigned int coming;		/* born, but not yet on the idle list */
	unsigned int threads;
	unsigned int min;
	unsigned int max;
	unsigned long empty_since;	/* jiffies when the last idle thread was taken */
	unsigned long born;
	unsigned long died;
	unsigned long reaped;
	unsigned long operations;
	unsigned long refused;
	const struct pdflush_source *source;
	bool stopping;
	struct completion gone;
} pool = {
	.lock = __SPIN_LOCK_UNLOCKED(pool.lock),
	.idle = LIST_HEAD_INIT(pool.idle),
	.min = PDFLUSH_MIN_THREADS,
	.max = PDFLUSH_MAX_THREADS,
	.stopping = true,
	.gone = COMPLETION_INITIALIZER(pool.gone),
};

const struct pdflush_tracer *pdflush_tracing;

static void manage_pool(struct work_struct *work);
static DECLARE_DELAYED_WORK(manager, manage_pool);

static int pdflush(void *data);

/**
 * current_is_pdflush - is the calling task a thread of the pool?
 */
bool current_is_pdflush(void)
{
	return (current->flags & PF_KTHREAD) && kthread_func(current) == pdflush;
}

/**
 * pdflush_should_stop - shall the job that asks come to an end soon?
 *
 * True when the pool is being stopped, or the machine is about to sleep.
 */
bool pdflush_should_stop(void)
{
	return READ_ONCE(pool.stopping) || freezing(current);
}

/* Under pool.lock. */
static void look_at_pool(struct pdflush_state *st)
{
	unsigned int demand = pool.source ? pool.source->demand() : 0;

	st->threads = pool.threads;
	st->idle = pool.nr_idle + pool.coming;
	st->min = pool.min;
	st->max = pdflush_effective_max(pool.min, pool.max, demand);
	st->empty_ms = jiffies_to_msecs(jiffies - pool.empty_since);
	st->oldest_sleep_ms = 0;
	if (pool.nr_idle) {
		struct pdflush_worker *tail =
			list_last_entry(&pool.idle, struct pdflush_worker, list);

		st->oldest_sleep_ms = jiffies_to_msecs(jiffies - tail->slept_at);
	}
}

static bool birth_is_due(void)
{
	struct pdflush_state st;

	if (pool.stopping)
		return false;
	look_at_pool(&st);
	return pdflush_wants_birth(&st);
}

/* Under pool.lock: shall the thread that has just finished go? */
static bool death_is_due(void)
{
	struct pdflush_state st;

	if (pool.stopping)
		return true;
	look_at_pool(&st);
	if (!pdflush_wants_death(&st))
		return false;
	/* one death a second at most: the sleeper's time starts anew */
	if (pool.nr_idle)
		list_last_entry(&pool.idle, struct pdflush_worker, list)->slept_at = jiffies;
	return true;
}

/* Make one thread. May sleep. The caller has counted it in pool.threads and pool.coming. */
static int bear_thread(void)
{
	struct pdflush_worker *worker = kzalloc(sizeof(*worker), GFP_KERNEL);
	struct task_struct *who;
	unsigned long flags;

	if (!worker)
		goto no_memory;
	INIT_LIST_HEAD(&worker->list);
	worker->fresh = true;
	who = kthread_create(pdflush, worker, "pdflush");
	if (IS_ERR(who)) {
		kfree(worker);
		goto no_memory;
	}
	worker->who = who;
	spin_lock_irqsave(&pool.lock, flags);
	pool.born++;
	spin_unlock_irqrestore(&pool.lock, flags);
	pdflush_trace(birth, task_pid_nr(who));
	wake_up_process(who);
	return 0;

no_memory:
	spin_lock_irqsave(&pool.lock, flags);
	pool.threads--;
	pool.coming--;
	spin_unlock_irqrestore(&pool.lock, flags);
	return -ENOMEM;
}

/* One birth, if the rules want it. May sleep. True if there was one. */
static bool grow_pool(void)
{
	unsigned long flags;
	bool due;

	spin_lock_irqsave(&pool.lock, flags);
	due = birth_is_due();
	if (due) {
		pool.threads++;
		pool.coming++;
	}
	spin_unlock_irqrestore(&pool.lock, flags);
	return due && !bear_thread();
}

/* Under pool.lock, so that none is started once pdflush_stop() has begun. */
static void call_manager(unsigned long delay)
{
	if (!pool.stopping)
		mod_delayed_work(system_unbound_wq, &manager, delay);
}

/*
 * Gives birth, in a thread that no device waits for: the pool's may all be in jobs that block, and
 * making a thread takes memory. Runs as long as nobody is idle, once a second.
 */
static void manage_pool(struct work_struct *work)
{
	bool grown = grow_pool();
	unsigned long flags;

	spin_lock_irqsave(&pool.lock, flags);
	if (grown && birth_is_due())
		call_manager(0);
	else if (!pool.nr_idle)
		call_manager(HZ + 1);
	spin_unlock_irqrestore(&pool.lock, flags);
}

/* Under pool.lock. */
static void hand_over(struct pdflush_worker *worker, pdflush_fn fn, unsigned long arg)
{
	list_del_init(&worker->list);
	if (!--pool.nr_idle)
		pool.empty_since = jiffies;
	worker->fn = fn;
	worker->arg = arg;
	pool.operations++;
	wake_up_process(worker->who);
}

/**
 * pdflush_operation - have a thread of the pool do a job
 * @fn: the job; may sleep and block for long
 * @arg: its argument
 *
 * Any context, never sleeps. Nothing is queued: returns 0 if an idle thread took the job, which
 * then runs exactly once, or -EBUSY.
 */
int pdflush_operation(pdflush_fn fn, unsigned long arg)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&pool.lock, flags);
	if (pool.stopping || list_empty(&pool.idle)) {
		pool.refused++;
		err = -EBUSY;
	} else {
		hand_over(list_first_entry(&pool.idle, struct pdflush_worker, list), fn, arg);
	}
	/* not postponed by later calls: a pending second goes on running */
	if (!pool.nr_idle && !pool.stopping)
		queue_delayed_work(system_unbound_wq, &manager, HZ + 1);
	spin_unlock_irqrestore(&pool.lock, flags);
	return err;
}
EXPORT_SYMBOL_GPL(pdflush_operation);

/**
 * pdflush_has_idle - is a thread waiting for a job?
 *
 * For whoever was refused one and has since put it where the source finds it: a thread going idle
 * looks there and joins the idle in one step, so it has seen the job or is seen here.
 */
bool pdflush_has_idle(void)
{
	unsigned long flags;
	bool idle;

	spin_lock_irqsave(&pool.lock, flags);
	idle = pool.nr_idle && !pool.stopping;
	spin_unlock_irqrestore(&pool.lock, flags);
	return idle;
}

/**
 * pdflush_has_surplus - are there more threads than the least number?
 */
bool pdflush_has_surplus(void)
{
	unsigned long flags;
	bool surplus;

	spin_lock_irqsave(&pool.lock, flags);
	surplus = pool.threads > pool.min;
	spin_unlock_irqrestore(&pool.lock, flags);
	return surplus;
}

/* Under pool.lock: give idle threads what found none idle when it came up. */
static void serve_source(void)
{
	pdflush_fn fn;
	unsigned long arg;

	while (pool.nr_idle && pool.source->next(&fn, &arg))
		hand_over(list_first_entry(&pool.idle, struct pdflush_worker, list), fn, arg);
}

static void run_job(struct pdflush_worker *worker)
{
	pdflush_trace(job_start, worker->fn);
	worker->fn(worker->arg);
	pdflush_trace(job_end, worker->fn);
	worker->fn = NULL;
}

/* Under pool.lock. */
static void become_idle(struct pdflush_worker *worker)
{
	unsigned long since = pool.empty_since;
	bool was_empty = !pool.nr_idle;

	worker->slept_at = jiffies;
	list_add(&worker->list, &pool.idle);
	pool.nr_idle++;
	serve_source();
	if (!pool.nr_idle) {
		/* taken before it was idle for a moment: another birth may be due already */
		if (was_empty)
			pool.empty_since = since;
		call_manager(0);
	}
}

/* Sleep on the idle list until there is a job. False if the thread is to go. */
static bool wait_for_job(struct pdflush_worker *worker)
{
	unsigned long flags;
	bool die;

	spin_lock_irqsave(&pool.lock, flags);
	if (worker->fresh)
		pool.coming--;
	worker->fresh = false;
	die = death_is_due();
	if (die)
		pool.threads--;
	else
		become_idle(worker);
	spin_unlock_irqrestore(&pool.lock, flags);
	if (die)
		return false;

	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		spin_lock_irqsave(&pool.lock, flags);
		if (!list_empty(&worker->list)) {
			struct pdflush_state st;

			look_at_pool(&st);
			die = pool.stopping || st.threads > st.max;
			if (die) {
				list_del_init(&worker->list);
				if (!--pool.nr_idle)
					pool.empty_since = jiffies;
				pool.threads--;
			}
		}
		spin_unlock_irqrestore(&pool.lock, flags);
		if (die || READ_ONCE(worker->fn))
			break;
		schedule();
		try_to_freeze();
	}
	__set_current_state(TASK_RUNNING);
	return !die;
}

static int pdflush(void *data)
{
	struct pdflush_worker *worker = data;
	unsigned long flags;

	set_freezable();
	while (wait_for_job(worker)) {
		run_job(worker);
		try_to_freeze();
	}

	pdflush_trace(death, task_pid_nr(current));
	kfree(worker);
	spin_lock_irqsave(&pool.lock, flags);
	pool.died++;
	spin_unlock_irqrestore(&pool.lock, flags);
	kthread_complete_and_exit(&pool.gone, 0);
	return 0;
}

/**
 * pdflush_start - start the pool, or go on after pdflush_stop()
 * @source: what the threads look at before they go idle; outlives the pool
 *
 * May sleep. Threads that a stop did not wait for are the pool's again. Returns 0 or -ENOMEM; then
 * the pool is stopped.
 */
int pdflush_start(const struct pdflush_source *source)
{
	unsigned long flags;
	bool enough = false;

	spin_lock_irqsave(&pool.lock, flags);
	pool.source = source;
	pool.empty_since = jiffies;
	pool.stopping = false;
	spin_unlock_irqrestore(&pool.lock, flags);

	while (!enough) {
		spin_lock_irqsave(&pool.lock, flags);
		enough = pool.threads >= pool.min;
		if (!enough) {
			pool.threads++;
			pool.coming++;
		}
		spin_unlock_irqrestore(&pool.lock, flags);
		if (!enough && bear_thread()) {
			/* there may be threads left from before; pdflush_exit() waits for them */
			pdflush_stop(1);
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * pdflush_stop - end the pool
 * @patience: seconds to wait for threads at devices that don't answer, or ULONG_MAX
 *
 * Jobs ask pdflush_should_stop(), and no new one is taken. May sleep. Returns true when every
 * thread has left its job and the pool's code; else call it again before that code goes away.
 */
bool pdflush_stop(unsigned long patience)
{
	struct pdflush_worker *worker;
	unsigned long flags, waited = 0;

	spin_lock_irqsave(&pool.lock, flags);
	pool.stopping = true;
	list_for_each_entry(worker, &pool.idle, list)
		wake_up_process(worker->who);
	spin_unlock_irqrestore(&pool.lock, flags);
	cancel_delayed_work_sync(&manager);

	/* nobody is born any more */
	while (pool.reaped < pool.born) {
		if (wait_for_completion_timeout(&pool.gone, HZ)) {
			pool.reaped++;
			continue;
		}
		if (++waited >= patience)
			return false;
		if (waited % 10 == 0)
			pr_warn("pdflush: %lu threads still at a slow device after %lu s\n",
				pool.born - pool.reaped, waited);
	}
	return true;
}

/**
 * pdflush_set_limits - bounds on the number of threads
 * @min: 1 to PDFLUSH_LIMIT_THREADS, or 0: as it is
 * @max: likewise; below @min it counts as @min
 *
 * Takes effect at once on idle threads. Any context that may take a spinlock.
 */
void pdflush_set_limits(unsigned int min, unsigned int max)
{
	struct pdflush_worker *worker;
	unsigned long flags;

	spin_lock_irqsave(&pool.lock, flags);
	pool.min = min ?: pool.min;
	pool.max = max ?: pool.max;
	list_for_each_entry(worker, &pool.idle, list)
		wake_up_process(worker->who);
	call_manager(0);
	spin_unlock_irqrestore(&pool.lock, flags);
}

/**
 * pdflush_get_limits - bounds on the number of threads, as asked for
 * @min: result
 * @max: result
 */
void pdflush_get_limits(unsigned int *min, unsigned int *max)
{
	unsigned long flags;

	spin_lock_irqsave(&pool.lock, flags);
	*min = pool.min;
	*max = pool.max;
	spin_unlock_irqrestore(&pool.lock, flags);
}

/**
 * pdflush_get_counts - the pool's life so far
 * @counts: result
 */
void pdflush_get_counts(struct pdflush_counts *counts)
{
	unsigned long flags;

	spin_lock_irqsave(&pool.lock, flags);
	counts->threads = pool.threads;
	counts->idle = pool.nr_idle;
	counts->born = pool.born;
	counts->died = pool.died;
	counts->operations = pool.operations;
	counts->refused = pool.refused;
	spin_unlock_irqrestore(&pool.lock, flags);
}
