// SPDX-License-Identifier: GPL-2.0
/*
 * pdflush_trace.ko: the tracepoints, shown as events/pdflush in tracefs. pdflush.ko takes hold of
 * pdflush_tracer when it finds it, so this module is loaded first, or later for a running engine.
 */
#include <linux/module.h>
#include <linux/page-writeback.h>
#include <linux/pdflush-trace.h>

#define CREATE_TRACE_POINTS
#include <trace/events/pdflush.h>

static void verdict(struct bdi_writeback *wb, const struct wb_snapshot *snap,
		    const struct wb_decision *dec)
{
	trace_pdflush_verdict(wb, snap, dec);
}

static void pause(struct bdi_writeback *wb, const struct wb_snapshot *snap,
		  const struct wb_decision *dec, unsigned long held_ms, unsigned long ms)
{
	trace_pdflush_balance_dirty_pages(wb, snap, dec, held_ms, ms);
}

static void release(struct bdi_writeback *wb, u64 us, unsigned int rounds)
{
	trace_pdflush_release(wb, us, rounds);
}

static void job_start(pdflush_fn fn)
{
	trace_pdflush_job_start(fn);
}

static void job_end(pdflush_fn fn)
{
	trace_pdflush_job_end(fn);
}

static void writeout_start(struct bdi_writeback *wb, const char *why)
{
	trace_pdflush_writeout_start(wb, why);
}

static void writeout_end(struct bdi_writeback *wb, const char *why)
{
	trace_pdflush_writeout_end(wb, why);
}

static void birth(int pid)
{
	trace_pdflush_birth(pid);
}

static void death(int pid)
{
	trace_pdflush_death(pid);
}

const struct pdflush_tracer pdflush_tracer = {
	.verdict = verdict,
	.pause = pause,
	.release = release,
	.job_start = job_start,
	.job_end = job_end,
	.writeout_start = writeout_start,
	.writeout_end = writeout_end,
	.birth = birth,
	.death = death,
};
EXPORT_SYMBOL_GPL(pdflush_tracer);

MODULE_AUTHOR("The pdflush developers");
MODULE_DESCRIPTION("Tracepoints of the pdflush writeback engine");
MODULE_LICENSE("GPL");
