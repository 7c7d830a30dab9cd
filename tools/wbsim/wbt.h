/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The block layer's writeback throttling: how many writes a disk may have at once.
 */
#ifndef _SIM_WBT_H
#define _SIM_WBT_H

#include "sim.h"

/**
 * struct wbt - the throttle of one disk
 * @on: it has one
 * @depth: requests that its queue has room for
 * @max: writes at once for those who wait for them, or when callers are held
 * @normal: for all others
 * @background: a quarter; what makes it worth waking sleepers
 * @inflight: writes let in and not done
 * @sleepers: tasks that wait to be let in
 * @reads: done in this window
 * @read_min_ns: the fastest of them
 * @writes: done in this window
 */
struct wbt {
	bool on;
	unsigned int depth;
	unsigned int max;
	unsigned int normal;
	unsigned int background;
	unsigned int inflight;
	unsigned int sleepers;
	unsigned int reads;
	u64 read_min_ns;
	unsigned int writes;

	int step;		/* below 0: more than the usual depth */
	bool at_top;
	unsigned int quiet;	/* windows in a row that told nothing */
	bool armed;
	u64 held_until;		/* a caller was last held at the device */
	struct sim_event window;
	struct sim_wait wait;
};

void wbt_init(struct wbt *wbt);
void wbt_enter(struct wbt *wbt, bool sync, const bool *gone);
void wbt_write_done(struct wbt *wbt);
void wbt_read_done(struct wbt *wbt, u64 ns);
void wbt_gone(struct wbt *wbt);

#endif
