/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pdflush

#if !defined(_TRACE_PDFLUSH_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_PDFLUSH_H

#include <linux/tracepoint.h>
#include <linux/backing-dev.h>
#include <linux/cgroup.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>

TRACE_DEFINE_ENUM(WB_NOTHING);
TRACE_DEFINE_ENUM(WB_KICK);
TRACE_DEFINE_ENUM(WB_PACE);
TRACE_DEFINE_ENUM(WB_WAIT);

/* The answer to a caller in the write path; limits and counts of the machine, in pages. */
TRACE_EVENT(pdflush_verdict,

	TP_PROTO(struct bdi_writeback *wb, const struct wb_snapshot *snap,
		 const struct wb_decision *dec),

	TP_ARGS(wb, snap, dec),

	TP_STRUCT__entry(
		__array(char, device, 32)
		__field(unsigned int, verdict)
		__field(unsigned long, dirty)
		__field(unsigned long, writeback)
		__field(unsigned long, background)
		__field(unsigned long, async)
		__field(unsigned long, sync)
		__field(unsigned long, dev_dirty)
		__field(unsigned long, dev_writeback)
		__field(unsigned long, dirtied)
		__field(unsigned long, hold)
		__field(unsigned long, allowance)
	),

	TP_fast_assign(
		strscpy_pad(__entry->device, bdi_dev_name(wb->bdi), 32);
		__entry->verdict = dec->verdict;
		__entry->dirty = snap->domain[0].dirty;
		__entry->writeback = snap->domain[0].writeback;
		__entry->background = snap->domain[0].lim.background;
		__entry->async = snap->domain[0].lim.async;
		__entry->sync = snap->domain[0].lim.sync;
		__entry->dev_dirty = snap->dev_dirty;
		__entry->dev_writeback = snap->dev_writeback;
		__entry->dirtied = snap->pages_dirtied;
		__entry->hold = dec->hold_pages;
		__entry->allowance = dec->allowance;
	),

	TP_printk("bdi %s: %s dirty=%lu writeback=%lu background=%lu async=%lu sync=%lu "
		  "bdi_dirty=%lu bdi_writeback=%lu dirtied=%lu hold=%lu allowance=%lu",
		  __entry->device,
		  __print_symbolic(__entry->verdict,
				   { WB_NOTHING, "nothing" }, { WB_KICK, "kick" },
				   { WB_PACE, "pace" }, { WB_WAIT, "wait" }),
		  __entry->dirty, __entry->writeback,
		  __entry->background, __entry->async, __entry->sync,
		  __entry->dev_dirty, __entry->dev_writeback,
		  __entry->dirtied, __entry->hold, __entry->allowance)
);

#ifndef pdflush_kbytes
#define pdflush_kbytes(pages)	((pages) << (PAGE_SHIFT - 10))

static inline ino_t pdflush_cgroup_ino(const struct bdi_writeback *wb)
{
#ifdef CONFIG_CGROUP_WRITEBACK
	return cgroup_ino(wb->memcg_css->cgroup);
#else
	return 1;
#endif
}
#endif

/*
 * A caller is put to sleep for a while. Fields are named as the kernel's own event
 * writeback:balance_dirty_pages has them, for its readers, and mean the same:
 *
 *	limit, setpoint		where callers wait, and where they begin to be held; pages
 *	dirty, bdi_dirty	dirty and on their way: of the machine, of the device; pages
 *	dirty_ratelimit		what the device writes, KB/s
 *	task_ratelimit		the caller's part of that, KB/s
 *	dirtied, dirtied_pause	pages since it was last here; pages until it is asked again
 *	paused, pause		ms that it was held until now, and is from now on
 *
 * The engine has no setpoint of a device, period and time to think: these are 0.
 */
TRACE_EVENT(pdflush_balance_dirty_pages,

	TP_PROTO(struct bdi_writeback *wb, const struct wb_snapshot *snap,
		 const struct wb_decision *dec, unsigned long held_ms, unsigned long ms),

	TP_ARGS(wb, snap, dec, held_ms, ms),

	TP_STRUCT__entry(
		__array(char, bdi, 32)
		__field(unsigned long, limit)
		__field(unsigned long, setpoint)
		__field(unsigned long, dirty)
		__field(unsigned long, bdi_setpoint)
		__field(unsigned long, bdi_dirty)
		__field(unsigned long, dirty_ratelimit)
		__field(unsigned long, task_ratelimit)
		__field(unsigned int, dirtied)
		__field(unsigned int, dirtied_pause)
		__field(unsigned long, paused)
		__field(long, pause)
		__field(unsigned long, period)
		__field(long, think)
		__field(ino_t, cgroup_ino)
	),

	TP_fast_assign(
		strscpy_pad(__entry->bdi, bdi_dev_name(wb->bdi), 32);
		__entry->limit = snap->domain[0].lim.sync;
		__entry->setpoint = snap->domain[0].lim.async;
		__entry->dirty = snap->domain[0].dirty + snap->domain[0].writeback;
		__entry->bdi_setpoint = 0;
		__entry->bdi_dirty = snap->dev_dirty + snap->dev_writeback;
		__entry->dirty_ratelimit = pdflush_kbytes(snap->dev_bandwidth);
		__entry->task_ratelimit = pdflush_kbytes(snap->dev_bandwidth) /
					  max(snap->dev_waiters, 1U);
		__entry->dirtied = snap->pages_dirtied;
		__entry->dirtied_pause = dec->allowance;
		__entry->paused = held_ms;
		__entry->pause = ms;
		__entry->period = 0;
		__entry->think = 0;
		__entry->cgroup_ino = pdflush_cgroup_ino(wb);
	),

	TP_printk("bdi %s: limit=%lu setpoint=%lu dirty=%lu bdi_setpoint=%lu bdi_dirty=%lu "
		  "dirty_ratelimit=%lu task_ratelimit=%lu dirtied=%u dirtied_pause=%u "
		  "paused=%lu pause=%ld period=%lu think=%ld cgroup_ino=%lu",
		  __entry->bdi, __entry->limit, __entry->setpoint, __entry->dirty,
		  __entry->bdi_setpoint, __entry->bdi_dirty, __entry->dirty_ratelimit,
		  __entry->task_ratelimit, __entry->dirtied, __entry->dirtied_pause,
		  __entry->paused, __entry->pause, __entry->period, __entry->think,
		  (unsigned long)__entry->cgroup_ino)
);

/* A held caller goes on. */
TRACE_EVENT(pdflush_release,

	TP_PROTO(struct bdi_writeback *wb, u64 us, unsigned int rounds),

	TP_ARGS(wb, us, rounds),

	TP_STRUCT__entry(
		__array(char, device, 32)
		__field(u64, us)
		__field(unsigned int, rounds)
	),

	TP_fast_assign(
		strscpy_pad(__entry->device, bdi_dev_name(wb->bdi), 32);
		__entry->us = us;
		__entry->rounds = rounds;
	),

	TP_printk("bdi %s: held %llu us in %u sleeps", __entry->device, __entry->us,
		  __entry->rounds)
);

DECLARE_EVENT_CLASS(pdflush_job,

	TP_PROTO(pdflush_fn fn),

	TP_ARGS(fn),

	TP_STRUCT__entry(
		__field(void *, fn)
	),

	TP_fast_assign(
		__entry->fn = fn;
	),

	TP_printk("%ps", __entry->fn)
);

DEFINE_EVENT(pdflush_job, pdflush_job_start,
	TP_PROTO(pdflush_fn fn),
	TP_ARGS(fn)
);

DEFINE_EVENT(pdflush_job, pdflush_job_end,
	TP_PROTO(pdflush_fn fn),
	TP_ARGS(fn)
);

/* What a thread does for one device, within a job. */
DECLARE_EVENT_CLASS(pdflush_writeout,

	TP_PROTO(struct bdi_writeback *wb, const char *why),

	TP_ARGS(wb, why),

	TP_STRUCT__entry(
		__array(char, device, 32)
		__array(char, why, 12)
	),

	TP_fast_assign(
		strscpy_pad(__entry->device, bdi_dev_name(wb->bdi), 32);
		strscpy_pad(__entry->why, why, 12);
	),

	TP_printk("bdi %s: %s", __entry->device, __entry->why)
);

DEFINE_EVENT(pdflush_writeout, pdflush_writeout_start,
	TP_PROTO(struct bdi_writeback *wb, const char *why),
	TP_ARGS(wb, why)
);

DEFINE_EVENT(pdflush_writeout, pdflush_writeout_end,
	TP_PROTO(struct bdi_writeback *wb, const char *why),
	TP_ARGS(wb, why)
);

DECLARE_EVENT_CLASS(pdflush_thread,

	TP_PROTO(int pid),

	TP_ARGS(pid),

	TP_STRUCT__entry(
		__field(int, pid)
	),

	TP_fast_assign(
		__entry->pid = pid;
	),

	TP_printk("pdflush pid=%d", __entry->pid)
);

DEFINE_EVENT(pdflush_thread, pdflush_birth,
	TP_PROTO(int pid),
	TP_ARGS(pid)
);

DEFINE_EVENT(pdflush_thread, pdflush_death,
	TP_PROTO(int pid),
	TP_ARGS(pid)
);

#endif

#include <trace/define_trace.h>
