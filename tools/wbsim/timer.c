// SPDX-License-Identifier: GPL-2.0
/*
 * Timers, run by a task that stands for the softirq.
 */
#include <linux/timer.h>
#include "sim.h"

static LIST_HEAD(expired);
static struct sim_task *softirq;
static struct timer_list *running;
static unsigned int nr_pending;
unsigned int timers_expired;	/* their time has come, nobody has run them yet */

/* False if none has expired. */
static bool run_timer(void)
{
	struct timer_list *timer;

	timer = list_first_entry_or_null(&expired, struct timer_list, expired);
	if (!timer)
		return false;
	list_del_init(&timer->expired);
	timer->pending = false;
	nr_pending--;
	timers_expired--;
	running = timer;
	preempt_disable();
	timer->function(timer);
	preempt_enable();
	running = NULL;
	return true;
}

static void run_timers(void *unused)
{
	(void)unused;
	for (;;)
		if (running || !run_timer())
			sim_block();
}

/**
 * timers_interrupt - a timer runs on top of what the calling task is doing
 *
 * As after an interrupt of its CPU: it may hold spinlocks or be in a read section.
 */
void timers_interrupt(void)
{
	struct sim_task *me = sim_me();

	if (running)
		return;
	me->softirq = true;
	run_timer();
	me->softirq = false;
	if (timers_expired)
		sim_wake(softirq);
}

static void timer_rings(struct sim_event *event)
{
	struct timer_list *timer = container_of(event, struct timer_list, event);

	list_add_tail(&timer->expired, &expired);
	timers_expired++;
	sim_wake(softirq);
}

/**
 * timers_start - make the task that runs them
 */
void timers_start(void)
{
	INIT_LIST_HEAD(&expired);
	running = NULL;
	nr_pending = 0;
	timers_expired = 0;
	softirq = sim_new_task("softirq", run_timers, NULL);
	softirq->free = true;
	softirq->softirq = true;
	sim_go(softirq);
}

/**
 * timers_pending - number of timers that will run
 */
unsigned int timers_pending(void)
{
	return nr_pending;
}

void timer_setup(struct timer_list *timer, void (*fn)(struct timer_list *timer),
		 unsigned int flags)
{
	(void)flags;
	*timer = (struct timer_list){ .function = fn };
}

static bool detach(struct timer_list *timer)
{
	bool was = timer->pending;

	if (was) {
		if (timer->event.slot) {
			sim_cancel(&timer->event);
		} else {
			list_del_init(&timer->expired);
			timers_expired--;
		}
		nr_pending--;
	}
	timer->pending = false;
	return was;
}

int mod_timer(struct timer_list *timer, unsigned long expires)
{
	long left = expires - jiffies;
	bool was;

	sim_point();
	was = detach(timer);
	timer->pending = true;
	nr_pending++;
	timer->event.fn = timer_rings;
	sim_at(&timer->event,
	       (sim_clock / (NSEC_PER_SEC / HZ) + max(left, 0L)) * (NSEC_PER_SEC / HZ));
	return was;
}

int del_timer(struct timer_list *timer)
{
	sim_point();
	return detach(timer);
}

int del_timer_sync(struct timer_list *timer)
{
	bool was = false;

	sim_point();
	do {
		was |= detach(timer);
		while (running == timer && sim_current)
			sim_yield();
	} while (timer->pending);
	return was;
}
