// SPDX-License-Identifier: GPL-2.0
/*
 * Who is held: threads that sleep in the engine, as their kernel stacks tell. A hold is often
 * shorter than the time between two looks; how many looks found a writer held is a measure of how
 * long it is held in all. Where the engine's events are to be had, they tell each hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "ctl.h"
#include "holders.h"
#include "tasks.h"

#define SHARE 0.005	/* of a CPU that looks may take */

static struct held *find(struct holders *all, int tid)
{
	size_t i;

	for (i = 0; i < all->nr; i++)
		if (all->held[i].tid == tid)
			return &all->held[i];
	return NULL;
}

/* A place for one more: the last of the list gives way, if it is not held now. */
static struct held *make_room(struct holders *all)
{
	if (all->nr < MAX_HELD)
		return &all->held[all->nr++];
	return all->held[MAX_HELD - 1].now ? NULL : &all->held[MAX_HELD - 1];
}

/* Its entry, new if need be; NULL if there is no room. */
static struct held *entry_of(struct holders *all, int tid)
{
	struct held *held = find(all, tid);

	if (held)
		return held;
	held = make_room(all);
	if (held) {
		memset(held, 0, sizeof(*held));
		held->tid = tid;
	}
	return held;
}

static bool look_at(struct task *task, void *data)
{
	struct holders *all = data;
	struct held *held;

	/* a held one can be killed but not disturbed: D */
	if (task->state != 'D')
		return true;
	/* the pool's own threads sleep there, too, when idle */
	if ((task->kernel && !strcmp(task->name, "pdflush")) || !task_in_engine(task))
		return true;
	held = entry_of(all, task->tid);
	if (!held)
		return true;
	snprintf(held->name, sizeof(held->name), "%s", task->name);
	held->now = true;
	held->looks++;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->us != y->us)
		return x->us < y->us ? 1 : -1;
	if (x->looks != y->looks)
		return x->looks < y->looks ? 1 : -1;
	return x->tid - y->tid;
}

static double cpu_seconds(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/**
 * holders_look - look once more
 * @all: what was seen up to now, zeroed at first
 * @anybody: the engine holds somebody: else nobody need be looked at
 *
 * The more processes there are, the longer it takes. So that it takes no more than SHARE, it may
 * come too early after the last look: then it does nothing.
 */
void holders_look(struct holders *all, bool anybody)
{
	double began = cpu_seconds();
	size_t i;

	qsort(all->held, all->nr, sizeof(all->held[0]), by_time);
	if (anybody && now_seconds() < all->next)
		return;
	all->looks++;
	for (i = 0; i < all->nr; i++)
		all->held[i].now = false;
	if (anybody)
		tasks_each(look_at, all);
	all->next = now_seconds() + (cpu_seconds() - began) / SHARE;
}

/**
 * holders_released - a writer that was held goes on
 * @all: what was seen up to now
 * @tid: its thread
 * @us: how long it was held
 * @device: where
 */
void holders_released(struct holders *all, int tid, unsigned long long us, const char *device)
{
	struct held *held = entry_of(all, tid);
	char path[48];

	if (!held)
		return;
	held->us += us;
	if (us > held->longest)
		held->longest = us;
	snprintf(held->device, sizeof(held->device), "%s", device);
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	if (!*held->name && !read_word(path, held->name, sizeof(held->name)))
		snprintf(held->name, sizeof(held->name), "(gone)");
}
