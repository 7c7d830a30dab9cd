/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pool of threads that do jobs which may block for long. No queue: a job is taken by an idle
 * thread at once or refused.
 */
#ifndef _LINUX_PDFLUSH_H
#define _LINUX_PDFLUSH_H

#include <linux/types.h>

/* A job; may sleep and block for long. */
typedef void (*pdflush_fn)(unsigned long arg);

#define PDFLUSH_MIN_THREADS	2	/* 2.5's numbers */
#define PDFLUSH_MAX_THREADS	8
#define PDFLUSH_LIMIT_THREADS	1024	/* most that can be asked for */

/**
 * struct pdflush_source - who gives a thread work that found none idle when it came up
 * @next: fill in the job and return true, or return false. Called under a spinlock with
 *	interrupts off; takes no lock
 * @demand: number of jobs that may want a thread at once; raises the pool's maximum
 */
struct pdflush_source {
	bool (*next)(pdflush_fn *fn, unsigned long *arg);
	unsigned int (*demand)(void);
};

/**
 * struct pdflush_counts - the pool's life so far
 * @threads: now alive
 * @idle: now idle
 * @born: ever
 * @died: ever
 * @operations: jobs accepted
 * @refused: jobs refused, as no thread was idle
 */
struct pdflush_counts {
	unsigned int threads;
	unsigned int idle;
	unsigned long born;
	unsigned long died;
	unsigned long operations;
	unsigned long refused;
};

/**
 * struct pdflush_state - what the rules of birth and death look at
 * @threads: now alive
 * @idle: now idle
 * @min: keep at least so many
 * @max: and no more than these
 * @empty_ms: how long no thread has been idle; counts only if @idle is 0
 * @oldest_sleep_ms: how long the longest sleeper has slept; counts only if @idle is not 0
 */
struct pdflush_state {
	unsigned int threads;
	unsigned int idle;
	unsigned int min;
	unsigned int max;
	unsigned long empty_ms;
	unsigned long oldest_sleep_ms;
};

/* The rules, pure: see rules.c. */
bool pdflush_wants_birth(const struct pdflush_state *st);
bool pdflush_wants_death(const struct pdflush_state *st);
unsigned int pdflush_effective_max(unsigned int min, unsigned int max, unsigned int demand);

int pdflush_start(const struct pdflush_source *source);
bool pdflush_stop(unsigned long patience);
int pdflush_operation(pdflush_fn fn, unsigned long arg);
bool pdflush_has_idle(void);
bool pdflush_has_surplus(void);
void pdflush_set_limits(unsigned int min, unsigned int max);
void pdflush_get_limits(unsigned int *min, unsigned int *max);
void pdflush_get_counts(struct pdflush_counts *counts);
bool current_is_pdflush(void);
bool pdflush_should_stop(void);

#endif
