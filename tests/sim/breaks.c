// SPDX-License-Identifier: GPL-2.0
/*
 * An engine, or a host, broken on purpose. The linker puts these functions in front of the real
 * ones; WBSIM_BREAK names the one fault to be made. Each must be found out; invariants.t says by
 * what.
 */
#include <string.h>
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/page-writeback.h>
#include <linux/pdflush-trace.h>
#include <linux/pdflush.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include "machine.h"

static bool broken(const char *what)
{
	const char *chosen = getenv("WBSIM_BREAK");

	return chosen && !strcmp(chosen, what);
}

/* ---- The engine's rules ---------------------------------------------------------------------- */

/* A page that was written stays counted as under way. */
void __real_file_page_done(struct sim_file *file, u64 page, u32 pages);
void __wrap_file_page_done(struct sim_file *file, u64 page, u32 pages)
{
	static unsigned int calls;

	__real_file_page_done(file, page, pages);
	if (++calls != 10)
		return;
	if (broken("counts"))
		machine.writeback++;
	if (broken("counts-device"))
		file->wb->nr_dirty++;
}

/* Callers are held, but nobody is told to write. Old data is never asked for. */
void __real_wb_device_want(struct wb_device *dev, int why);
void __wrap_wb_device_want(struct wb_device *dev, int why)
{
	if (!broken("sleeper") && !(broken("age") && why == WB_WANT_KUPDATE))
		__real_wb_device_want(dev, why);
}

/* Whoever becomes idle does not look for devices that want a thread. */
bool __real_wb_device_next_wanted(pdflush_fn *fn, unsigned long *arg);
bool __wrap_wb_device_next_wanted(pdflush_fn *fn, unsigned long *arg)
{
	return !broken("wanted") && __real_wb_device_next_wanted(fn, arg);
}

bool __real_pdflush_has_idle(void);
bool __wrap_pdflush_has_idle(void)
{
	return !broken("wanted") && __real_pdflush_has_idle();
}

/* The thread that writes has another idea of when to stop. */
bool __real_wb_writer_goes_on(struct bdi_writeback *wb);
bool __wrap_wb_writer_goes_on(struct bdi_writeback *wb)
{
	static unsigned int calls;

	return !(broken("agreement") && ++calls % 2) && __real_wb_writer_goes_on(wb);
}

/* Nobody is ever held. */
bool __real_host_hold_caller(struct bdi_writeback *wb, unsigned long ms);
bool __wrap_host_hold_caller(struct bdi_writeback *wb, unsigned long ms)
{
	return broken("bound") || __real_host_hold_caller(wb, ms);
}

static void intrude(unsigned long arg)
{
	struct wb_device *dev = (struct wb_device *)arg;

	host_write_device(dev->wb);
	wb_device_put(dev);
}

/* A job is given to a second thread as well, or to none. */
int __real_pdflush_operation(pdflush_fn fn, unsigned long arg);
int __wrap_pdflush_operation(pdflush_fn fn, unsigned long arg)
{
	int err;

	if (broken("wanted") && fn == wb_device_work)
		return -EBUSY;
	if (broken("once") && fn != wb_device_work && fn != wb_kupdate)
		return 0;
	err = __real_pdflush_operation(fn, arg);
	if (!err && broken("twice") && fn != wb_device_work && fn != wb_kupdate)
		__real_pdflush_operation(fn, arg);
	if (!err && fn == wb_device_work && broken("one-thread")) {
		struct wb_device *dev = (struct wb_device *)arg;

		refcount_inc(&dev->ref);
		if (__real_pdflush_operation(intrude, arg))
			wb_device_put(dev);
	}
	return err;
}

/* Threads die though they are needed. */
bool __real_pdflush_wants_death(const struct pdflush_state *st);
bool __wrap_pdflush_wants_death(const struct pdflush_state *st)
{
	return broken("pool") || __real_pdflush_wants_death(st);
}

/* ---- The end --------------------------------------------------------------------------------- */

/* Threads stay when the engine goes, or it never goes. */
bool __real_pdflush_stop(unsigned long patience);
bool __wrap_pdflush_stop(unsigned long patience)
{
	struct sim_wait never;

	if (broken("end")) {
		sim_wait_init(&never);
		sim_wait_on(&never);
	}
	return broken("detach") || __real_pdflush_stop(patience);
}

/* Who was not waited for goes on by the stock rule. */
bool __real_wb_writer_must_leave(void);
bool __wrap_wb_writer_must_leave(void)
{
	return !broken("worker-stays") && __real_wb_writer_must_leave();
}

/* Callers never leave. */
int __real_wb_balance_dirty_pages(struct bdi_writeback *wb, unsigned long pages_dirtied,
				  unsigned int flags);
int __wrap_wb_balance_dirty_pages(struct bdi_writeback *wb, unsigned long pages_dirtied,
				  unsigned int flags)
{
	if (broken("caller-stays"))
		sim_me()->in_engine++;
	return __real_wb_balance_dirty_pages(wb, pages_dirtied, flags);
}

/* Devices stay, or a task enters in the meantime. */
void __real_wb_devices_drop(void (*handover)(struct bdi_writeback *wb));
void __wrap_wb_devices_drop(void (*handover)(struct bdi_writeback *wb))
{
	if (broken("devices-stay"))
		return;
	__real_wb_devices_drop(handover);
	if (broken("caller-enters"))
		sim_me()->in_engine++;
}

void __real_host_device_unpin(struct bdi_writeback *wb);
void __wrap_host_device_unpin(struct bdi_writeback *wb)
{
	if (!broken("pin-stays"))
		__real_host_device_unpin(wb);
	if (broken("pin-twice"))
		__real_host_device_unpin(wb);
}

void __real_wb_kupdate_stop(void);
void __wrap_wb_kupdate_stop(void)
{
	if (!broken("timer-stays"))
		__real_wb_kupdate_stop();
}

void __real_kfree(const void *ptr);
void __wrap_kfree(const void *ptr)
{
	if (broken("leak"))
		return;
	if (broken("free-what"))
		ptr = &__wrap_kfree;
	__real_kfree(ptr);
	if (broken("free-twice"))
		__real_kfree(ptr);
}

/* What readers may still stand on is freed at once. */
void __real_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void __wrap_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	if (broken("grace"))
		func(head);
	else
		__real_call_rcu(head, func);
}

/* ---- The kernel's rules ---------------------------------------------------------------------- */

static DEFINE_SPINLOCK(lock_a);
static DEFINE_SPINLOCK(lock_b);
static DEFINE_MUTEX(mutex_a);

static void sleep_in_spinlock(void)
{
	spin_lock(&lock_a);
	sim_sleep(NSEC_PER_MSEC);
}

static void sleep_in_rcu(void)
{
	rcu_read_lock();
	schedule_timeout_idle(1);
}

static void schedule_without_irqs(void)
{
	local_irq_disable();
	schedule();
}

static void schedule_without_preemption(void)
{
	preempt_disable();
	schedule();
}

static void resched_in_spinlock(void)
{
	spin_lock(&lock_a);
	cond_resched();
}

static void allocate_in_spinlock(void)
{
	spin_lock(&lock_a);
	kfree(kmalloc(8, GFP_KERNEL));
}

static void mutex_in_rcu(void)
{
	rcu_read_lock();
	mutex_lock(&mutex_a);
}

static void wait_for_itself(void)
{
	rcu_read_lock();
	synchronize_rcu();
}

static void read_without_rcu(void)
{
	rcu_dereference(wb_device_list.next);
}

static void leave_rcu_twice(void)
{
	rcu_read_lock();
	rcu_read_unlock();
	rcu_read_unlock();
}

static void spinlock_twice(void)
{
	spin_lock(&lock_a);
	spin_lock(&lock_a);
}

static void mutex_twice(void)
{
	mutex_lock(&mutex_a);
	mutex_lock(&mutex_a);
}

static void spinlock_not_held(void)
{
	spin_unlock(&lock_a);
}

static void mutex_not_held(void)
{
	mutex_unlock(&mutex_a);
}

static void both_orders(void)
{
	spin_lock(&lock_a);
	spin_lock(&lock_b);
	spin_unlock(&lock_b);
	spin_unlock(&lock_a);
	spin_lock(&lock_b);
	spin_lock(&lock_a);
	spin_unlock(&lock_a);
	spin_unlock(&lock_b);
}

static void end_with_spinlock(void)
{
	spin_lock(&lock_a);
	sim_exit();
}

static void take_a(struct sim_event *event)
{
	(void)event;
	spin_lock(&lock_a);
}

/* As those of call_rcu(). */
static void callback_spins(void)
{
	static struct sim_event callback = { .fn = take_a };

	sim_at(&callback, sim_clock);
	spin_lock(&lock_a);
	for (;;)
		sim_yield();
}

static void timer_sleeps(struct timer_list *timer)
{
	(void)timer;
	sim_sleep(1);
}

static void timer_takes_a(struct timer_list *timer)
{
	(void)timer;
	spin_lock(&lock_a);
	spin_unlock(&lock_a);
}

static void sleep_in_timer(void)
{
	static struct timer_list timer;

	timer_setup(&timer, timer_sleeps, 0);
	mod_timer(&timer, jiffies + 1);
}

/* By what it says of the order of things, or by what happens: the seed chooses. */
static void irqs_on(void)
{
	static struct timer_list timer;

	if (!timer.function)
		timer_setup(&timer, timer_takes_a, 0);
	if (!timer_pending(&timer))
		mod_timer(&timer, jiffies + 1);
	spin_lock(&lock_a);
	spin_unlock(&lock_a);
}

/* Interrupts come on though a lock is held that needs them off. */
static void irqs_on_early(void)
{
	static struct timer_list timer;
	unsigned long flags;

	if (!timer.function)
		timer_setup(&timer, timer_takes_a, 0);
	if (!timer_pending(&timer))
		mod_timer(&timer, jiffies + 1);
	spin_lock_irqsave(&lock_a, flags);
	spin_lock_irq(&lock_b);
	spin_unlock_irq(&lock_b);
	spin_unlock_irqrestore(&lock_a, flags);
}

static void run_for_ever(void)
{
	for (;;)
		sim_yield();
}

static void overrun(void)
{
	char *data = kmalloc(16, GFP_KERNEL);

	data[16] = 0;
}

static void wild(void)
{
	char *volatile nowhere = (char *)sizeof(int);

	*nowhere = 0;
}

static void count_from_zero(void)
{
	refcount_t count = REFCOUNT_INIT(0);

	refcount_inc(&count);
}

static void count_below_zero(void)
{
	refcount_t count = REFCOUNT_INIT(0);

	refcount_dec_and_test(&count);
}

static void unpinned(void)
{
	struct bdi_writeback *wb = device_alloc();

	host_device_alive(wb);
}

static void job_begun_twice(void)
{
	pdflush_trace(job_start, wb_kupdate);
}

/* Each is done by a thread of the pool at a device, and is found out. */
static const struct {
	const char *name;
	void (*misdo)(void);
} misdeeds[] = {
	{ "sleep-in-spinlock", sleep_in_spinlock },
	{ "sleep-in-rcu", sleep_in_rcu },
	{ "schedule-without-irqs", schedule_without_irqs },
	{ "schedule-without-preemption", schedule_without_preemption },
	{ "resched-in-spinlock", resched_in_spinlock },
	{ "allocate-in-spinlock", allocate_in_spinlock },
	{ "mutex-in-rcu", mutex_in_rcu },
	{ "wait-for-itself", wait_for_itself },
	{ "read-without-rcu", read_without_rcu },
	{ "leave-rcu-twice", leave_rcu_twice },
	{ "spinlock-twice", spinlock_twice },
	{ "mutex-twice", mutex_twice },
	{ "spinlock-not-held", spinlock_not_held },
	{ "mutex-not-held", mutex_not_held },
	{ "both-orders", both_orders },
	{ "end-with-spinlock", end_with_spinlock },
	{ "callback-spins", callback_spins },
	{ "sleep-in-timer", sleep_in_timer },
	{ "irqs-on", irqs_on },
	{ "irqs-on-early", irqs_on_early },
	{ "livelock", run_for_ever },
	{ "overrun", overrun },
	{ "wild", wild },
	{ "count-from-zero", count_from_zero },
	{ "count-below-zero", count_below_zero },
	{ "unpinned", unpinned },
	{ "begun-twice", job_begun_twice },
};

void __real_host_write_device(struct bdi_writeback *wb);
void __wrap_host_write_device(struct bdi_writeback *wb)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(misdeeds); i++)
		if (broken(misdeeds[i].name))
			misdeeds[i].misdo();
	__real_host_write_device(wb);
}
