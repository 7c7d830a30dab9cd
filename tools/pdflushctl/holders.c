// SPDX-License-Identifier: GPL-2.0
/*
 * Who is held: threads that sleep in the engine, as their kernel stacks tell. A hold is often
 * shorter than the time between two looks; how many looks found a writer held is a measure of how
 * long it is held in all.
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
	held = find(all, task->tid);
	if (!held) {
		held = make_room(all);
		if (!held)
			return true;
		memset(held, 0, sizeof(*held));
		held->tid = task->tid;
		held->since = now_seconds();
	} else if (held->since == 0) {
		held->since = now_seconds();
	}
	snprintf(held->name, sizeof(held->name), "%s", task->name);
	held->now = true;
	held->looks++;
	return true;
}

static int by_looks(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

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

	if (anybody && now_seconds() < all->next)
		return;
	all->looks++;
	for (i = 0; i < all->nr; i++)
		all->held[i].now = false;
	if (anybody)
		tasks_each(look_at, all);
	for (i = 0; i < all->nr; i++)
		if (!all->held[i].now)
			all->held[i].since = 0;
	qsort(all->held, all->nr, sizeof(all->held[0]), by_looks);
	all->next = now_seconds() + (cpu_seconds() - began) / SHARE;
}
