/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulator's core: virtual time, tasks, chance. Everything runs on one thread of the host.
 */
#ifndef _SIM_H
#define _SIM_H

#include <setjmp.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <sim-event.h>
#include "rng.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_USEC	1000ULL

/* ---- Time --------------------------------------------------------------------------------- */

extern u64 sim_clock;		/* now, ns since the start */
extern u64 sim_grid;		/* events happen at multiples of this */

void sim_at(struct sim_event *event, u64 when);
void sim_cancel(struct sim_event *event);
struct sim_event *sim_next_event(void);
void sim_take_event(struct sim_event *event);
void sim_events_reset(void);

/* ---- Tasks -------------------------------------------------------------------------------- */

struct sim_wait {
	struct list_head waiters;
};

/**
 * struct sim_task - a coroutine
 * @task: what kernel code sees of it; first, so the two have one address
 * @fn: what it does
 * @data: its argument
 * @context: where it goes on
 * @stack: its stack, or NULL before the start and after the end
 * @all: in the list of all tasks
 * @wait: in a sim_wait, or empty
 * @alarm: ends its sleep
 * @charge: CPU time it has used but not yet spent, ns
 * @slice: CPU time it has spent since it got its CPU, ns; kept if slices end
 * @rcu_nest: read sections it is in
 * @rcu_since: the grace period when it entered them
 * @held: spinlocks it holds
 * @nr_held: of them
 * @return_cpu: ends a theft of its CPU
 * @started: has run
 * @blocked: sleeps until somebody wakes it
 * @has_cpu: occupies a CPU
 * @free: needs no CPU
 * @softirq: runs timers, always or on top of what it did
 * @done: has ended
 * @in_engine: nested calls into the engine from the write path
 * @engine_at: the device it is there for
 * @held_at: the device it is held at by the engine, or NULL
 * @stalled_ns: time it was held by the engine
 */
struct sim_task {
	struct task_struct task;
	void (*fn)(void *data);
	void *data;
	jmp_buf context;
	void *stack;
	struct list_head all;
	struct list_head wait;
	struct sim_event alarm;
	u64 charge;
	u64 slice;
	unsigned int rcu_nest;
	u64 rcu_since;
	spinlock_t *held[8];
	unsigned int nr_held;
	struct sim_event return_cpu;
	bool started;
	bool blocked;
	bool has_cpu;
	bool free;
	bool softirq;
	bool done;
	unsigned int in_engine;
	struct bdi_writeback *engine_at;
	struct bdi_writeback *held_at;
	u64 stalled_ns;
};

extern bool sim_exploring;
extern bool sim_stealing;	/* exploring, and now and then somebody loses his CPU for long */
extern unsigned int sim_stolen;	/* tasks that have lost it */
extern bool sim_observing;	/* invariants look: locks are not taken */
extern bool sim_saw_lock;	/* and one was found taken */
extern unsigned int sim_locks_held; /* or waited for, by all tasks */
extern struct rng sim_rng;	/* the scheduler's */
extern u64 sim_seed;
extern u64 sim_steps;
extern struct list_head sim_tasks;

/* Called between steps; @advance: the clock is about to move. */
extern void (*sim_step_hook)(bool advance);

void sim_start(u64 seed);
void sim_set_cpus(unsigned int cpus);
void sim_set_slice(u64 ns);
void sim_explore(void);
bool sim_run(u64 until, bool (*over)(void));
void sim_finish(void);

struct sim_task *sim_new_task(const char *name, void (*fn)(void *data), void *data);
void sim_go(struct sim_task *task);
void sim_exit(void) __attribute__((noreturn));
void sim_yield(void);
void sim_charge(u64 ns);
void sim_pay(void);
void sim_sleep_until(u64 when);
void sim_sleep(u64 ns);
void sim_block(void);
void sim_may_sleep(const char *what);
void sim_wake(struct sim_task *task);

void sim_wait_init(struct sim_wait *wait);
void sim_wait_on(struct sim_wait *wait);
bool sim_wait_until(struct sim_wait *wait, u64 when);
bool sim_wake_one(struct sim_wait *wait);
void sim_wake_all(struct sim_wait *wait);

static inline struct sim_task *sim_me(void)
{
	return (struct sim_task *)sim_current;
}

/* Ends the program: a fault was found, or the testbed asks for the impossible. */
void sim_fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* ---- Start and end of the shim's parts ------------------------------------------------------ */

void locks_start(void);
void timers_start(void);
void timers_interrupt(void);
extern unsigned int timers_expired;
bool sim_in_softirq(void);
void workqueue_start(void);
unsigned int timers_pending(void);
unsigned int works_pending(void);
void rcu_start(void);
unsigned long slab_live(void);
void slab_start(void);
bool slab_owns(const void *address);

#endif
