/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What must hold at every step of every run.
 */
#ifndef _SIM_INVARIANT_H
#define _SIM_INVARIANT_H

#include <linux/pdflush-trace.h>
#include <linux/page-writeback.h>

extern const struct pdflush_tracer invariant_tracer;

void invariant_start(bool thorough);
void invariant_step(bool advance);
void invariant_enter_device(struct bdi_writeback *wb);
void invariant_leave_device(struct bdi_writeback *wb);
void invariant_hold(struct bdi_writeback *wb);
void invariant_release(struct bdi_writeback *wb);
void invariant_worker_stopped(struct bdi_writeback *wb, u64 changes);
void invariant_detached(void);
void invariant_broken(const char *which, const char *format, ...)
	__attribute__((noreturn, format(printf, 2, 3)));

#endif
