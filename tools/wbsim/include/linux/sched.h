/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks. Each is a coroutine of the simulator; see tools/wbsim/sched.c.
 */
#ifndef _SHIM_LINUX_SCHED_H
#define _SHIM_LINUX_SCHED_H

#include <linux/compiler.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/types.h>

#define TASK_RUNNING		0u
#define TASK_INTERRUPTIBLE	1u
#define TASK_UNINTERRUPTIBLE	2u
#define TASK_KILLABLE		2u
#define TASK_IDLE		2u

#define PF_KTHREAD		1u
#define PF_LOCAL_THROTTLE	2u

struct sim_task;

/**
 * struct task_struct - what kernel code sees of a task
 * @comm: its name
 * @pid: its number, from 1
 * @flags: PF_ bits
 * @state: TASK_RUNNING, or what it is about to sleep in
 * @preempt_count: spinlocks held and the like: may not sleep
 * @irqs_off: interrupts are off
 * @nr_dirtied: pages dirtied since it last was in the engine
 * @nr_dirtied_pause: go there after so many
 * @signal: sent to it and not yet taken, enum host_signal
 * @stopped: has taken HOST_STOP, and not been sent HOST_CONTINUE since
 * @sim: the simulator's
 */
struct task_struct {
	char comm[16];
	pid_t pid;
	unsigned int flags;
	unsigned int state;
	int preempt_count;
	bool irqs_off;
	int nr_dirtied;
	int nr_dirtied_pause;
	unsigned long dirty_paused_when;
	int signal;
	bool stopped;
	struct sim_task *sim;
};

extern struct task_struct *sim_current;
#define current	sim_current

static inline pid_t task_pid_nr(const struct task_struct *task)
{
	return task->pid;
}

#define __set_current_state(s)		\
do {					\
	sim_point();			\
	current->state = (s);		\
} while (0)
#define set_current_state(s)		\
do {					\
	__set_current_state(s);		\
	sim_point();			\
} while (0)

static inline void preempt_disable(void)
{
	if (current)
		current->preempt_count++;
}

static inline void preempt_enable(void)
{
	if (current)
		current->preempt_count--;
}

void schedule(void);
long schedule_timeout(long timeout);
long schedule_timeout_idle(long timeout);
int wake_up_process(struct task_struct *task);
void cond_resched(void);

#endif
