// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel threads, completions, and what else the kernel's core offers.
 */
#include <stdarg.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include "sim.h"

/**
 * struct kthread - a thread of the kernel
 * @stop: somebody is in kthread_stop(), and frees this
 */
struct kthread {
	int (*fn)(void *data);
	void *data;
	bool stop;
	struct completion ended;
};

static void run_kthread(void *arg)
{
	struct kthread *kthread = arg;

	if (!kthread->stop)
		kthread->fn(kthread->data);
	/*
	 * one that returns is one that is stopped; the others leave by
	 * kthread_complete_and_exit()
	 */
	BUG_ON(!kthread->stop);
	complete(&kthread->ended);
}

struct task_struct *kthread_create(int (*fn)(void *data), void *data, const char *name)
{
	struct kthread *kthread = malloc(sizeof(*kthread));
	struct sim_task *task;

	BUG_ON(!kthread);
	kthread->fn = fn;
	kthread->data = data;
	kthread->stop = false;
	init_completion(&kthread->ended);
	task = sim_new_task(name, run_kthread, kthread);
	task->task.flags |= PF_KTHREAD;
	sim_point();
	return &task->task;
}

bool kthread_should_stop(void)
{
	sim_point();
	return ((struct kthread *)sim_me()->data)->stop;
}

int kthread_stop(struct task_struct *task)
{
	struct kthread *kthread = ((struct sim_task *)task)->data;

	sim_point();
	kthread->stop = true;
	/* no switch point before it is woken: it may end by itself now, and be gone */
	if (task->state != TASK_RUNNING) {
		task->state = TASK_RUNNING;
		sim_wake((struct sim_task *)task);
	}
	while (!wait_for_completion_timeout(&kthread->ended, HZ))
		;
	free(kthread);
	return 0;
}

void *kthread_func(struct task_struct *task)
{
	struct sim_task *sim = (struct sim_task *)task;

	return sim->fn == run_kthread ? ((struct kthread *)sim->data)->fn : NULL;
}

void kthread_complete_and_exit(struct completion *done, long code)
{
	(void)code;
	complete(done);
	free(sim_me()->data);
	sim_exit();
}

void init_completion(struct completion *x)
{
	x->done = 0;
	INIT_LIST_HEAD(&x->waiters);
}

void complete(struct completion *x)
{
	struct sim_task *waiter;

	sim_point();
	x->done++;
	waiter = list_first_entry_or_null(&x->waiters, struct sim_task, wait);
	if (waiter) {
		list_del_init(&waiter->wait);
		sim_wake(waiter);
	}
}

unsigned long wait_for_completion_timeout(struct completion *x, unsigned long timeout)
{
	u64 until = sim_clock + timeout * (NSEC_PER_SEC / HZ);
	struct sim_wait *wait = (struct sim_wait *)&x->waiters;

	sim_point();
	while (!x->done)
		if (!sim_wait_until(wait, until) && !x->done)
			return 0;
	x->done--;
	return max((until - sim_clock) / (NSEC_PER_SEC / HZ), (u64)1);
}

int scnprintf(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(buf, size, format, args);
	va_end(args);
	return size ? min(len, (int)size - 1) : 0;
}
