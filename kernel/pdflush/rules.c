// SPDX-License-Identifier: GPL-2.0
/*
 * When a thread of the pool is born and when one dies: 2.5's rules. Pure.
 */
#include <linux/kernel.h>
#include <linux/pdflush.h>

#define PATIENCE_MS	1000	/* strictly longer than this, both ways */

/**
 * pdflush_wants_birth - one more thread?
 * @st: the pool
 *
 * Below the minimum at once; else when all have been busy for over a second.
 */
bool pdflush_wants_birth(const struct pdflush_state *st)
{
	if (st->threads < st->min)
		return true;
	if (st->threads >= st->max)
		return false;
	return !st->idle && st->empty_ms > PATIENCE_MS;
}

/**
 * pdflush_wants_death - shall the thread that has just done a job go?
 * @st: the pool, without the thread itself among the idle
 *
 * Above the maximum at once; else when another has had nothing to do for over a second.
 */
bool pdflush_wants_death(const struct pdflush_state *st)
{
	if (st->threads > st->max)
		return true;
	if (st->threads <= st->min)
		return false;
	return st->idle && st->oldest_sleep_ms > PATIENCE_MS;
}

/**
 * pdflush_effective_max - the most threads there may be
 * @min: as asked for
 * @max: as asked for
 * @demand: jobs that may want a thread at once
 *
 * A device that blocks its thread must not cost another one its own, so @demand may raise @max.
 * A @min above @max wins, as both may be restored in any order.
 */
unsigned int pdflush_effective_max(unsigned int min, unsigned int max, unsigned int demand)
{
	return clamp(max(max, demand), min, (unsigned int)PDFLUSH_LIMIT_THREADS);
}
