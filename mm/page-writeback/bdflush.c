// SPDX-License-Identifier: GPL-2.0
/*
 * The policy of 2.4 at work: its numbers and its two threads.
 *
 * bdflush and kupdated say when something is to be written, as in 2.4. The pool's threads do it,
 * one at each device: 2.4's wrote all devices themselves, and a slow one held up all others.
 *
 * The kernel's walker takes its period and age of old data from dirty_writeback_centisecs and
 * dirty_expire_centisecs, so while the policy is in force those follow the numbers; a value
 * written there becomes the number. While kupdated is stopped, or its interval is 0, the first is
 * 0: then nobody writes old data. What they were before comes back when the policy is left.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/freezer.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/string.h>
#include <linux/bdflush.h>
#include <linux/page-writeback.h>

#define LOOK		(5 * HZ)	/* kupdated looks at least so often what its interval is */
#define ONE_PASS	500		/* centiseconds; interval during a pass if there is none */
#define PASS_TICKS	300		/* of HZ / 10: most that such a pass is waited for */

static DEFINE_MUTEX(numbers_mutex);	/* who changes them; may sleep */
static DEFINE_SEQLOCK(numbers_seq);	/* so that a reader never sees half a change */
static unsigned long numbers[BDFLUSH_FIELDS] = BDFLUSH_DEFAULTS;
static enum bdflush_kernel rules = BDFLUSH_2_4_19;

/*
 * Threads are made and ended by start() and stop(), which the policy's lock keeps apart.
 *
 * @running: the numbers count; numbers_mutex
 * @woken: bdflush has something to do
 * @resting: it has just done something, and looks again in a tick without being woken
 * @changed: kupdated shall look at the numbers
 * @leaving: kupdated shall not stop for a signal any more
 * @interval: what we have put into dirty_writeback_centisecs; numbers_mutex
 * @interval_before: what is put back there: what was there before, or somebody else wrote since
 * @age: what we have put into dirty_expire_centisecs; numbers_mutex
 * @age_before: what is put back there
 */
static struct {
	struct task_struct *bdflush;
	struct task_struct *kupdated;
	bool running;
	bool woken;
	bool resting;
	bool changed;
	bool leaving;
	unsigned int interval;
	unsigned int interval_before;
	unsigned int age;
	unsigned int age_before;
} threads;

/* ---- The numbers ----------------------------------------------------------------------------- */

/* Any context. */
static void copy_numbers(unsigned long *copy)
{
	unsigned int seq;

	do {
		seq = read_seqbegin(&numbers_seq);
		memcpy(copy, numbers, sizeof(numbers));
	} while (read_seqretry(&numbers_seq, seq));
}

static void store_number(enum bdflush_field field, unsigned long value)
{
	unsigned long flags;

	write_seqlock_irqsave(&numbers_seq, flags);
	numbers[field] = value;
	write_sequnlock_irqrestore(&numbers_seq, flags);
}

/* Under numbers_mutex: somebody may have written to dirty_writeback_centisecs itself. */
static void adopt_interval(void)
{
	unsigned int now = host_old_data_interval();

	if (now == threads.interval)
		return;
	threads.interval = now;
	threads.interval_before = now;
	store_number(BDFLUSH_INTERVAL, min_t(unsigned long, now, bdflush_max[BDFLUSH_INTERVAL]));
}

/* Under numbers_mutex: the same of dirty_expire_centisecs. May sleep. */
static void adopt_age(void)
{
	unsigned int now;

	if (host_old_data_age(&now) || now == threads.age)
		return;
	threads.age = now;
	threads.age_before = now;
	/* what the file shows can be written back to it */
	store_number(BDFLUSH_AGE_BUFFER,
		     clamp_t(unsigned long, now, bdflush_min[BDFLUSH_AGE_BUFFER],
			     bdflush_max[BDFLUSH_AGE_BUFFER]));
}

/* Under numbers_mutex. May sleep. Returns 0 or why the file can't be written. */
static int set_age(unsigned int centisecs)
{
	int err = host_set_old_data_age(centisecs);

	if (!err)
		threads.age = centisecs;
	return err;
}

/* Under numbers_mutex. */
static void set_interval(unsigned int centisecs)
{
	threads.interval = centisecs;
	if (host_old_data_interval() != centisecs)
		host_set_old_data_interval(centisecs);
}

/*
 * Have the kernel follow the number, or 0 if @stopped, or @without if the number is 0. Returns the
 * number. May sleep.
 */
static unsigned long follow_interval(bool stopped, unsigned int without)
{
	unsigned long interval;

	mutex_lock(&numbers_mutex);
	adopt_interval();
	interval = numbers[BDFLUSH_INTERVAL];
	set_interval(stopped ? 0 : interval ?: without);
	mutex_unlock(&numbers_mutex);
	return interval;
}

/**
 * bdflush_get_numbers - the numbers in force
 * @number: result, BDFLUSH_FIELDS of them
 *
 * May sleep.
 */
void bdflush_get_numbers(unsigned long *number)
{
	mutex_lock(&numbers_mutex);
	if (threads.running) {
		adopt_interval();
		adopt_age();
	}
	copy_numbers(number);
	mutex_unlock(&numbers_mutex);
}

/**
 * bdflush_set_numbers - change them
 * @number: the leading numbers
 * @n: how many, 1 to BDFLUSH_FIELDS; the others stay
 *
 * May sleep. Takes effect at once. Returns 0; -EINVAL if one is out of range; or why the age can't
 * be given to the kernel. Nothing is changed on an error.
 */
int bdflush_set_numbers(const unsigned long *number, unsigned int n)
{
	unsigned long flags;
	unsigned int i;
	int err = 0;

	if (!n || n > BDFLUSH_FIELDS)
		return -EINVAL;
	for (i = 0; i < n; i++)
		if (number[i] < bdflush_min[i] || number[i] > bdflush_max[i])
			return -EINVAL;
	mutex_lock(&numbers_mutex);
	if (threads.running) {
		adopt_interval();	/* so that they are not taken for later changes */
		adopt_age();
		if (n > BDFLUSH_AGE_BUFFER)
			err = set_age(number[BDFLUSH_AGE_BUFFER]);
	}
	if (!err) {
		write_seqlock_irqsave(&numbers_seq, flags);
		memcpy(numbers, number, n * sizeof(*number));
		write_sequnlock_irqrestore(&numbers_seq, flags);
		WRITE_ONCE(threads.changed, true);
		if (threads.running)
			wake_up_process(threads.kupdated);
	}
	mutex_unlock(&numbers_mutex);
	return err;
}

/**
 * bdflush_get_rules - whose rules are in force
 */
enum bdflush_kernel bdflush_get_rules(void)
{
	return READ_ONCE(rules);
}

/**
 * bdflush_set_rules - say whose rules are in force
 * @kernel: whose
 */
void bdflush_set_rules(enum bdflush_kernel kernel)
{
	WRITE_ONCE(rules, kernel);
}

static void settings(struct wb_settings *set)
{
	unsigned long number[BDFLUSH_FIELDS];

	copy_numbers(number);
	bdflush_settings(number, bdflush_get_rules(), set);
}

/* ---- bdflush --------------------------------------------------------------------------------- */

/* In the write path. The thread outlives all decisions. */
static void wake_bdflush(void)
{
	if (READ_ONCE(threads.woken))
		return;
	WRITE_ONCE(threads.woken, true);
	smp_mb();	/* pairs with rest()'s: it sees the one or we see the other */
	if (!READ_ONCE(threads.resting))
		wake_up_process(threads.bdflush);
}

/* Writers that are over nfract wake it all the time: once a tick will do. */
static void rest(void)
{
	schedule_timeout_idle(1);
	WRITE_ONCE(threads.resting, false);
	smp_mb();
}

static int bdflush(void *unused)
{
	set_freezable();
	while (!kthread_should_stop()) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!READ_ONCE(threads.woken) && !kthread_should_stop()) {
			schedule();
			try_to_freeze();
			continue;
		}
		__set_current_state(TASK_RUNNING);
		WRITE_ONCE(threads.resting, true);
		WRITE_ONCE(threads.woken, false);
		wb_devices_want();
		rest();
	}
	return 0;
}

/* ---- kupdated -------------------------------------------------------------------------------- */

/* One pass over all devices; without an interval, it is over when each has begun with it. */
static void write_old(void)
{
	unsigned long interval = follow_interval(false, ONE_PASS);
	unsigned int ticks;

	wb_devices_write_old();
	if (interval)
		return;
	for (ticks = 0; ticks < PASS_TICKS && wb_devices_old_due() && !kthread_should_stop() &&
	     wb_engine_state() == WB_RUNNING; ticks++)
		schedule_timeout_idle(HZ / 10);
}

/*
 * Sleep until the next pass is due: an interval after @last, or when SIGCONT comes. SIGSTOP, and an
 * interval of 0, last until then. False if the thread is to end.
 */
static bool wait_for_pass(unsigned long last)
{
	unsigned long interval, due, ticks;
	enum host_signal signal;
	bool pass = false;

	for (;;) {
		WRITE_ONCE(threads.changed, false);
		interval = follow_interval(false, 0);
		due = last + msecs_to_jiffies(interval * 10);
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		signal = host_take_signal();
		if (signal == HOST_STOP && !READ_ONCE(threads.leaving)) {
			__set_current_state(TASK_RUNNING);
			follow_interval(true, 0);
			host_stop_here();
			continue;
		}
		pass = signal == HOST_CONTINUE || (interval && time_after_eq(jiffies, due));
		if (pass)
			break;
		ticks = interval ? min_t(unsigned long, due - jiffies, LOOK) : LOOK;
		if (!READ_ONCE(threads.changed))
			schedule_timeout(ticks);
		try_to_freeze();
	}
	__set_current_state(TASK_RUNNING);
	return pass;
}

static int kupdated(void *unused)
{
	unsigned long last = jiffies;

	set_freezable();
	host_allow_stop();
	while (wait_for_pass(last)) {
		last = jiffies;
		write_old();
	}
	return 0;
}

/* ---- The policy comes into force, and is left ------------------------------------------------ */

static void end_thread(struct task_struct **thread)
{
	if (*thread)
		kthread_stop(*thread);
	*thread = NULL;
}

static void stop(void)
{
	int err = 0;

	host_hide_bdflush_file();
	mutex_lock(&numbers_mutex);
	threads.running = false;
	mutex_unlock(&numbers_mutex);

	/* it may be stopped, and must not stop again: from now on it looks at @leaving */
	WRITE_ONCE(threads.leaving, true);
	if (threads.kupdated)
		host_continue(threads.kupdated);
	end_thread(&threads.kupdated);
	end_thread(&threads.bdflush);

	mutex_lock(&numbers_mutex);
	adopt_interval();
	set_interval(threads.interval_before);
	adopt_age();
	if (threads.age != threads.age_before)
		err = set_age(threads.age_before);
	mutex_unlock(&numbers_mutex);
	if (err)
		pr_warn("pdflush: dirty_expire_centisecs stays at %u, not %u as before (%d)\n",
			threads.age, threads.age_before, err);
}

static int make_threads(void)
{
	struct task_struct *task = kthread_create(bdflush, NULL, "bdflush");

	if (IS_ERR(task))
		return PTR_ERR(task);
	threads.bdflush = task;
	task = kthread_create(kupdated, NULL, "kupdated");
	if (IS_ERR(task))
		return PTR_ERR(task);
	threads.kupdated = task;
	return 0;
}

static int start(void)
{
	unsigned long number[BDFLUSH_FIELDS];
	int err;

	copy_numbers(number);
	mutex_lock(&numbers_mutex);
	threads.interval_before = host_old_data_interval();
	err = host_old_data_age(&threads.age_before) ?: set_age(number[BDFLUSH_AGE_BUFFER]);
	if (err) {
		mutex_unlock(&numbers_mutex);
		return err;
	}
	threads.woken = false;
	threads.leaving = false;
	set_interval(number[BDFLUSH_INTERVAL]);
	err = make_threads();
	threads.running = !err;
	mutex_unlock(&numbers_mutex);
	if (err) {
		stop();
		return err;
	}
	wake_up_process(threads.bdflush);
	wake_up_process(threads.kupdated);
	err = host_show_bdflush_file();
	if (err)
		stop();
	return err;
}

struct wb_policy wb_policy_bdflush = {
	.name = "bdflush",
	.owner = THIS_MODULE,
	.decide = bdflush_decide,
	.over_background = bdflush_over_background,
	.goes_on = bdflush_goes_on,
	.settings = settings,
	.wake = wake_bdflush,
	.start = start,
	.stop = stop,
	.old_data = true,
};
