// SPDX-License-Identifier: GPL-2.0
/*
 * Tasks as coroutines, and which of them runs next.
 *
 * Code takes no virtual time, so a task runs until it sleeps, spends CPU time (sim_pay()) or, when
 * exploring, comes to a switch point. In a run, as many tasks as there are CPUs spend time at
 * once and the others queue, woken ones first; the seed breaks ties. When exploring there is a CPU
 * for everybody and the seed chooses at every atomic operation who goes on.
 */
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "sim.h"

#define STACK_SIZE	(32UL << 10)
#define LUMP_NS		(4 * NSEC_PER_MSEC)	/* who spends more at once lets others in between */
#define ENDLESS		3000000		/* so many steps without the clock moving are a fault */
#define LOOK_AHEAD	4			/* the seed chooses among so many at the front */

/* A ring of tasks. */
struct ring {
	struct sim_task **item;
	u32 head, used, room;	/* @room: a power of two */
};

struct task_struct *sim_current;
bool sim_exploring;
bool sim_stealing;
unsigned int sim_stolen;
struct rng sim_rng;
u64 sim_seed;
u64 sim_steps;
LIST_HEAD(sim_tasks);
void (*sim_step_hook)(bool advance);

static struct ring urgent;	/* need no CPU */
static struct ring woken, spent;
static unsigned int nr_cpus, cpus_used;
static u64 slice_ns;		/* 0: who has a CPU keeps it until it sleeps or spends a lump */
static pid_t last_pid;
static char last_name[16];
static u32 switch_mask;		/* explore: switch where these bits of chance are 0 */
static u32 steal_mask;		/* and of these switches, take the CPU away at such */
static jmp_buf scheduler;
static void **free_stacks;
static size_t nr_free_stacks, room_free_stacks;
static struct sim_task *corpse;	/* has ended; its stack is still being left */

static void push(struct ring *ring, struct sim_task *task)
{
	if (ring->used == ring->room) {
		u32 room = ring->room ? 2 * ring->room : 64, i;
		struct sim_task **item = malloc(room * sizeof(*item));

		if (!item)
			sim_fail("no memory for %u tasks", room);
		for (i = 0; i < ring->used; i++)
			item[i] = ring->item[(ring->head + i) & (ring->room - 1)];
		free(ring->item);
		ring->item = item;
		ring->head = 0;
		ring->room = room;
	}
	ring->item[(ring->head + ring->used++) & (ring->room - 1)] = task;
}

/* Take one of the first @among. */
static struct sim_task *pull(struct ring *ring, u32 among)
{
	u32 first = ring->head & (ring->room - 1), chosen = first;
	struct sim_task *task;

	among = min(among, ring->used);
	if (among > 1)
		chosen = (ring->head + rng_below(&sim_rng, among)) & (ring->room - 1);
	task = ring->item[chosen];
	ring->item[chosen] = ring->item[first];
	ring->head++;
	ring->used--;
	return task;
}

static void enqueue(struct sim_task *task, bool was_asleep)
{
	if (sim_exploring)
		push(&woken, task);
	else if (task->free)
		push(&urgent, task);
	else
		push(was_asleep ? &woken : &spent, task);
}

static struct sim_task *choose(void)
{
	if (sim_exploring)
		return woken.used ? pull(&woken, woken.used) : NULL;
	if (urgent.used)
		return pull(&urgent, 1);
	if (cpus_used == nr_cpus)
		return NULL;
	if (woken.used)
		return pull(&woken, LOOK_AHEAD);
	return spent.used ? pull(&spent, LOOK_AHEAD) : NULL;
}

/* ---- Switching ------------------------------------------------------------------------------ */

static void *take_stack(void)
{
	void *stack;

	if (nr_free_stacks)
		return free_stacks[--nr_free_stacks];
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stack == MAP_FAILED)
		sim_fail("no memory for another task's stack");
	return stack;
}

static void give_stack(void *stack)
{
	if (nr_free_stacks == room_free_stacks) {
		room_free_stacks = room_free_stacks ? 2 * room_free_stacks : 64;
		free_stacks = realloc(free_stacks, room_free_stacks * sizeof(*free_stacks));
		if (!free_stacks)
			sim_fail("no memory for stacks");
	}
	free_stacks[nr_free_stacks++] = stack;
}

static void leave(void)
{
	if (!_setjmp(sim_me()->context))
		_longjmp(scheduler, 1);
}

static void begin(void)
{
	struct sim_task *task = sim_me();

	task->fn(task->data);
	sim_exit();
}

static void enter_first(struct sim_task *task)
{
	ucontext_t context;

	task->started = true;
	task->stack = take_stack();
	getcontext(&context);
	context.uc_stack.ss_sp = task->stack;
	context.uc_stack.ss_size = STACK_SIZE;
	context.uc_link = NULL;
	makecontext(&context, begin, 0);
	setcontext(&context);
}

/* Let a task run until it leaves. */
static void run_task(struct sim_task *task)
{
	sim_current = &task->task;
	if (!_setjmp(scheduler)) {
		if (!task->started)
			enter_first(task);
		_longjmp(task->context, 1);
	}
	memcpy(last_name, task->task.comm, sizeof(last_name));
	sim_current = NULL;
	if (corpse) {
		give_stack(corpse->stack);
		list_del(&corpse->all);
		free(corpse);
		corpse = NULL;
	}
	sim_steps++;
	if (sim_step_hook)
		sim_step_hook(false);
}

static void drop_cpu(struct sim_task *task)
{
	if (task->has_cpu)
		cpus_used--;
	task->has_cpu = false;
	task->slice = 0;
}

/**
 * sim_yield - let others run
 */
void sim_yield(void)
{
	struct sim_task *task = sim_me();

	drop_cpu(task);
	enqueue(task, false);
	leave();
}

static void cpu_is_back(struct sim_event *event)
{
	sim_stolen--;
	enqueue(container_of(event, struct sim_task, return_cpu), false);
}

/*
 * The calling task gets no CPU for a while that is long to others: something with a real-time
 * priority has it, or the hypervisor does.
 */
static void lose_cpu(void)
{
	static const u64 times[] = {
		5 * NSEC_PER_MSEC, 300 * NSEC_PER_MSEC, 1500 * NSEC_PER_MSEC, 7 * NSEC_PER_SEC,
	};
	struct sim_task *task = sim_me();

	task->return_cpu.fn = cpu_is_back;
	sim_at(&task->return_cpu, sim_clock + times[rng_below(&sim_rng, ARRAY_SIZE(times))]);
	sim_stolen++;
	leave();
}

/**
 * sim_point_slow - a switch point of explore
 */
void sim_point_slow(void)
{
	if (!sim_current)
		return;
	if (timers_expired && !current->irqs_off && !sim_me()->softirq &&
	    !(rng_next(&sim_rng) & 3))
		timers_interrupt();
	if (rng_next(&sim_rng) & switch_mask)
		return;
	/* not with a lock: others would spin without time going on */
	if (sim_stealing && !current->preempt_count && !(rng_next(&sim_rng) & steal_mask)) {
		lose_cpu();
		return;
	}
	enqueue(sim_me(), false);
	leave();
}

/**
 * sim_may_sleep - the calling task does what may sleep: may it?
 * @what: it does
 */
void sim_may_sleep(const char *what)
{
	struct sim_task *task = sim_me();

	if (!task || sim_observing)
		return;
	if (task->softirq && current->preempt_count)
		sim_fail("%s %s in a timer", current->comm, what);
	if (task->nr_held)
		sim_fail("%s %s with spinlock %s held", current->comm, what,
			 task->held[0]->name);
	if (current->preempt_count)
		sim_fail("%s %s with preemption off", current->comm, what);
	if (current->irqs_off)
		sim_fail("%s %s with interrupts off", current->comm, what);
	if (task->rcu_nest)
		sim_fail("%s %s in an RCU read section", current->comm, what);
}

/**
 * sim_block - sleep until sim_wake()
 */
void sim_block(void)
{
	struct sim_task *task = sim_me();

	sim_may_sleep("sleeps");
	drop_cpu(task);
	task->blocked = true;
	leave();
}

/**
 * sim_wake - end a task's sleep, if it sleeps
 * @task: the task
 */
void sim_wake(struct sim_task *task)
{
	if (!task->blocked)
		return;
	task->blocked = false;
	enqueue(task, true);
}

static void alarm_rings(struct sim_event *event)
{
	struct sim_task *task = container_of(event, struct sim_task, alarm);

	if (task->has_cpu) {	/* was spending time there */
		run_task(task);
		return;
	}
	list_del_init(&task->wait);
	task->task.state = TASK_RUNNING;
	sim_wake(task);
}

/**
 * sim_charge - the calling task has used CPU time; it spends it at the next sim_pay() or sleep
 * @ns: so much
 */
void sim_charge(u64 ns)
{
	sim_me()->charge += ns;
}

/* A task has spent CPU time: is it the others' turn? */
static bool slice_is_over(struct sim_task *task, u64 ns)
{
	if (!slice_ns)
		return task->charge;
	task->slice += ns;
	if (task->slice < slice_ns)
		return false;
	task->slice = 0;
	return true;
}

/**
 * sim_pay - spend the CPU time that was charged
 */
void sim_pay(void)
{
	struct sim_task *task = sim_me();

	if (sim_exploring && task->charge) {
		u64 when = sim_clock + task->charge;

		task->charge = 0;
		sim_sleep_until(when);
		return;
	}
	while (task->charge) {
		u64 ns = min(task->charge, slice_ns ? slice_ns - task->slice : LUMP_NS);

		task->charge -= ns;
		if (!task->has_cpu)
			break;
		sim_at(&task->alarm, sim_clock + ns);
		leave();
		if (slice_is_over(task, ns) && (woken.used || spent.used))
			sim_yield();
	}
}

/**
 * sim_sleep_until - sleep
 * @when: until then, ns
 */
void sim_sleep_until(u64 when)
{
	struct sim_task *task = sim_me();

	if (when <= sim_clock) {
		sim_yield();
		return;
	}
	drop_cpu(task);
	sim_at(&task->alarm, when);
	sim_block();
}

/**
 * sim_sleep - sleep
 * @ns: for so long
 */
void sim_sleep(u64 ns)
{
	sim_pay();
	sim_sleep_until(sim_clock + ns);
}

/* ---- Wait queues ---------------------------------------------------------------------------- */

void sim_wait_init(struct sim_wait *wait)
{
	INIT_LIST_HEAD(&wait->waiters);
}

/**
 * sim_wait_on - sleep until woken
 * @wait: who wakes
 */
void sim_wait_on(struct sim_wait *wait)
{
	list_add_tail(&sim_me()->wait, &wait->waiters);
	sim_block();
}

/**
 * sim_wait_until - sleep until woken, or a time has come
 * @wait: who wakes
 * @when: ns
 *
 * True if woken.
 */
bool sim_wait_until(struct sim_wait *wait, u64 when)
{
	struct sim_task *task = sim_me();

	if (when <= sim_clock)
		return false;
	list_add_tail(&task->wait, &wait->waiters);
	drop_cpu(task);
	sim_at(&task->alarm, when);
	sim_block();
	if (task->alarm.slot) {
		sim_cancel(&task->alarm);
		return true;
	}
	return false;
}

bool sim_wake_one(struct sim_wait *wait)
{
	struct sim_task *task = list_first_entry_or_null(&wait->waiters, struct sim_task, wait);

	if (!task)
		return false;
	list_del_init(&task->wait);
	sim_wake(task);
	return true;
}

void sim_wake_all(struct sim_wait *wait)
{
	while (sim_wake_one(wait))
		;
}

/* ---- What kernel code calls ------------------------------------------------------------------ */

void schedule(void)
{
	struct sim_task *task = sim_me();

	sim_may_sleep("calls schedule()");
	sim_pay();
	if (task->task.state == TASK_RUNNING)
		sim_yield();
	else
		sim_block();
}

long schedule_timeout(long timeout)
{
	struct sim_task *task = sim_me();
	u64 tick = NSEC_PER_SEC / HZ, until;

	sim_may_sleep("calls schedule_timeout()");
	sim_pay();
	if (task->task.state == TASK_RUNNING) {
		sim_yield();
		return timeout;
	}
	until = (sim_clock / tick + timeout) * tick;
	sim_at(&task->alarm, until);
	sim_block();
	sim_cancel(&task->alarm);
	return until > sim_clock ? (until - sim_clock) / tick : 0;
}

long schedule_timeout_idle(long timeout)
{
	__set_current_state(TASK_IDLE);
	return schedule_timeout(timeout);
}

int wake_up_process(struct task_struct *task)
{
	sim_point();
	if (task->state == TASK_RUNNING)
		return 0;
	task->state = TASK_RUNNING;
	sim_wake((struct sim_task *)task);
	return 1;
}

void cond_resched(void)
{
	sim_may_sleep("calls cond_resched()");
	sim_point();
}

/* ---- Life of tasks --------------------------------------------------------------------------- */

/**
 * sim_new_task - make a task
 * @name: its name
 * @fn: what it does; returning ends it
 * @data: argument
 *
 * It sleeps until sim_go().
 */
struct sim_task *sim_new_task(const char *name, void (*fn)(void *data), void *data)
{
	struct sim_task *task = calloc(1, sizeof(*task));

	if (!task)
		sim_fail("no memory for a task");
	snprintf(task->task.comm, sizeof(task->task.comm), "%s", name);
	task->task.pid = ++last_pid;
	task->task.sim = task;
	task->task.state = TASK_UNINTERRUPTIBLE;
	task->task.nr_dirtied_pause = 128 >> 2;	/* the kernel's, at birth */
	task->fn = fn;
	task->data = data;
	task->blocked = true;
	task->alarm.fn = alarm_rings;
	INIT_LIST_HEAD(&task->wait);
	list_add_tail(&task->all, &sim_tasks);
	return task;
}

/**
 * sim_go - let a new task begin
 * @task: from sim_new_task()
 */
void sim_go(struct sim_task *task)
{
	task->task.state = TASK_RUNNING;
	sim_wake(task);
}

/**
 * sim_exit - the calling task ends
 */
void sim_exit(void)
{
	struct sim_task *task = sim_me();

	sim_may_sleep("ends");
	drop_cpu(task);
	sim_cancel(&task->alarm);
	task->done = true;
	corpse = task;
	_longjmp(scheduler, 1);
}

/**
 * sim_start - begin a simulation
 * @seed: of chance
 */
void sim_start(u64 seed)
{
	sim_events_reset();
	rng_seed(&sim_rng, seed, 1);
	sim_seed = seed;
	sim_exploring = false;
	sim_stealing = false;
	sim_stolen = 0;
	nr_cpus = 1;
	slice_ns = 0;
	cpus_used = 0;
	last_pid = 0;
	sim_steps = 0;
	urgent.used = 0;
	woken.used = 0;
	spent.used = 0;
	locks_start();
	slab_start();
	rcu_start();
	timers_start();
	workqueue_start();
}

/**
 * sim_set_cpus - how many tasks spend CPU time at once
 * @cpus: so many
 */
void sim_set_cpus(unsigned int cpus)
{
	nr_cpus = cpus;
}

/**
 * sim_set_slice - for how long a task has a CPU while others want it
 * @ns: so long; 0: until it sleeps, or spends several ms at once
 */
void sim_set_slice(u64 ns)
{
	slice_ns = ns;
}

/**
 * sim_explore - from now on, switch at every atomic operation if the seed says so
 *
 * Before the first task runs.
 */
void sim_explore(void)
{
	static const u64 grids[] = {
		1, 100 * NSEC_PER_USEC, NSEC_PER_MSEC, 4 * NSEC_PER_MSEC,
	};

	sim_exploring = true;
	/* some seeds switch often, some seldom: other faults show */
	switch_mask = (2U << 2 * rng_below(&sim_rng, 4)) - 1;
	sim_stealing = !rng_below(&sim_rng, 4);
	steal_mask = (4U << 2 * rng_below(&sim_rng, 3)) - 1;
	/* what happens at one time can be put in any order, so have much happen at one time */
	sim_grid = grids[rng_below(&sim_rng, ARRAY_SIZE(grids))];
	/* who is queued already goes where an explorer looks */
	while (urgent.used)
		push(&woken, pull(&urgent, 1));
	while (spent.used)
		push(&woken, pull(&spent, 1));
}

/**
 * sim_run - let time pass
 * @until: no further than this, ns
 * @over: asked after each step whether that was all, or NULL
 *
 * False if nothing can ever happen any more before that.
 */
bool sim_run(u64 until, bool (*over)(void))
{
	struct sim_event *event;
	u64 moved = sim_steps;
	struct sim_task *task;

	for (;;) {
		if (sim_steps - moved > ENDLESS / (sim_exploring ? 10 : 1))
			sim_fail("livelock: tasks run for ever, last %s", last_name);
		if (over && over())
			return true;
		event = sim_next_event();
		/* explore: what happens now may happen before or after what tasks do now */
		if (sim_exploring && event && event->when <= sim_clock &&
		    rng_next(&sim_rng) & 1) {
			sim_take_event(event);
			event->fn(event);
			continue;
		}
		task = choose();
		if (task) {
			if (!sim_exploring && !task->free && !task->has_cpu) {
				task->has_cpu = true;
				cpus_used++;
			}
			run_task(task);
			continue;
		}
		if (!event)
			return false;
		if (event->when > until) {
			sim_clock = until;
			return true;
		}
		if (event->when > sim_clock && sim_step_hook)
			sim_step_hook(true);
		if (event->when > sim_clock)
			moved = sim_steps;
		sim_take_event(event);
		event->fn(event);
	}
}

/**
 * sim_finish - forget all tasks, wherever they are
 */
void sim_finish(void)
{
	while (!list_empty(&sim_tasks)) {
		struct sim_task *task = list_first_entry(&sim_tasks, struct sim_task, all);

		sim_cancel(&task->alarm);
		sim_cancel(&task->return_cpu);
		list_del(&task->all);
		if (task->stack)
			give_stack(task->stack);
		free(task);
	}
	sim_events_reset();
	sim_exploring = false;
	sim_stealing = false;
}
