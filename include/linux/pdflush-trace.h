/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the engine reaches its tracepoints. They live in a module of their own, pdflush_trace.ko:
 * the kernel makes no events for a module that is marked as a livepatch.
 */
#ifndef _LINUX_PDFLUSH_TRACE_H
#define _LINUX_PDFLUSH_TRACE_H

#include <linux/compiler.h>
#include <linux/pdflush.h>

struct bdi_writeback;
struct wb_snapshot;
struct wb_decision;

/**
 * struct pdflush_tracer - one function for each event of include/trace/events/pdflush.h
 * @verdict: the answer to a caller in the write path
 * @pause: a caller is put to sleep: held so far and for now, ms
 * @release: a held caller goes on
 * @job_start: a thread of the pool begins a job
 * @job_end: and ends it
 * @writeout_start: a job begins to write one device
 * @writeout_end: and ends
 * @birth: a thread was born
 * @death: one is about to die
 *
 * All may be called in atomic context.
 */
struct pdflush_tracer {
	void (*verdict)(struct bdi_writeback *wb, const struct wb_snapshot *snap,
			const struct wb_decision *dec);
	void (*pause)(struct bdi_writeback *wb, const struct wb_snapshot *snap,
		      const struct wb_decision *dec, unsigned long held_ms, unsigned long ms);
	void (*release)(struct bdi_writeback *wb, u64 us, unsigned int rounds);
	void (*job_start)(pdflush_fn fn);
	void (*job_end)(pdflush_fn fn);
	void (*writeout_start)(struct bdi_writeback *wb, const char *why);
	void (*writeout_end)(struct bdi_writeback *wb, const char *why);
	void (*birth)(int pid);
	void (*death)(int pid);
};

extern const struct pdflush_tracer pdflush_tracer;	/* pdflush_trace.ko's */

/* Set once, while nobody is in the engine or later; cleared when nobody is. */
extern const struct pdflush_tracer *pdflush_tracing;

#define pdflush_trace(event, ...)						\
do {										\
	const struct pdflush_tracer *__tracer = READ_ONCE(pdflush_tracing);	\
										\
	if (unlikely(__tracer))							\
		__tracer->event(__VA_ARGS__);					\
} while (0)

#endif
