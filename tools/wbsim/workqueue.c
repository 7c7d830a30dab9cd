// SPDX-License-Identifier: GPL-2.0
/*
 * Work items and the kworkers that do them.
 */
#include <linux/workqueue.h>
#include "sim.h"

struct workqueue_struct *system_unbound_wq;

static LIST_HEAD(queue);
static struct sim_wait idle;
static unsigned int nr_idle, nr_pending;

/* The first item that isn't running on another worker. */
static struct work_struct *next_work(void)
{
	struct work_struct *work;

	list_for_each_entry(work, &queue, queued)
		if (!work->running)
			return work;
	return NULL;
}

static void kworker(void *unused)
{
	struct work_struct *work;

	(void)unused;
	for (;;) {
		work = next_work();
		if (!work) {
			nr_idle++;
			sim_wait_on(&idle);
			continue;
		}
		list_del_init(&work->queued);
		work->pending = false;
		nr_pending--;
		work->running = true;
		work->func(work);
		sim_pay();
		work->running = false;
	}
}

static void call_worker(void)
{
	if (nr_idle) {
		nr_idle--;
		sim_wake_one(&idle);
	} else {
		struct sim_task *task = sim_new_task("kworker", kworker, NULL);

		task->task.flags |= PF_KTHREAD;
		sim_go(task);
	}
}

static void time_has_come(struct sim_event *event)
{
	struct delayed_work *dwork = container_of(event, struct delayed_work, event);

	list_add_tail(&dwork->work.queued, &queue);
	/* one that runs is looked for again by the worker that runs it */
	if (!dwork->work.running)
		call_worker();
}

/**
 * workqueue_start - nothing is queued, nobody is there
 */
void workqueue_start(void)
{
	INIT_LIST_HEAD(&queue);
	sim_wait_init(&idle);
	nr_idle = 0;
	nr_pending = 0;
}

/**
 * works_pending - number of items that will run
 */
unsigned int works_pending(void)
{
	return nr_pending;
}

static bool unqueue(struct delayed_work *dwork)
{
	bool was = dwork->work.pending;

	if (was) {
		if (dwork->event.slot)
			sim_cancel(&dwork->event);
		else
			list_del_init(&dwork->work.queued);
		nr_pending--;
	}
	dwork->work.pending = false;
	return was;
}

static void enqueue_work(struct delayed_work *dwork, unsigned long delay)
{
	dwork->work.pending = true;
	nr_pending++;
	dwork->event.fn = time_has_come;
	if (delay)
		sim_at(&dwork->event, (sim_clock / (NSEC_PER_SEC / HZ) + delay) *
				      (NSEC_PER_SEC / HZ));
	else
		time_has_come(&dwork->event);
}

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay)
{
	(void)wq;
	sim_point();
	if (dwork->work.pending)
		return false;
	enqueue_work(dwork, delay);
	return true;
}

bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay)
{
	bool was;

	(void)wq;
	sim_point();
	was = unqueue(dwork);
	enqueue_work(dwork, delay);
	return was;
}

bool cancel_delayed_work_sync(struct delayed_work *dwork)
{
	bool was = false;

	sim_point();
	/* what runs may queue itself again, but not while somebody waits for it */
	do {
		was |= unqueue(dwork);
		while (dwork->work.running && sim_current)
			sim_sleep(NSEC_PER_SEC / HZ);
	} while (dwork->work.pending);
	return was;
}

bool delayed_work_pending(const struct delayed_work *dwork)
{
	return dwork->work.pending;
}
