// SPDX-License-Identifier: GPL-2.0
/*
 * The block layer's writeback throttling (wbt), as it is in 6.1 for a disk that turns: a tenth of a
 * second of writes without a read lets more in, a read that takes too long fewer, quiet leads back
 * to 16. On a disk with a write cache those who were not let in sleep until all is written, unless
 * a caller was held there within the last second.
 *
 * ext4 does not mark background writeback as such, so that it counts as normal.
 */
#include <linux/kernel.h>
#include "wbt.h"

#define USUAL_DEPTH	16U
#define WINDOW_NS	(100 * NSEC_PER_MSEC)
#define SLOW_READ_NS	(75 * NSEC_PER_MSEC)
#define QUIET_WINDOWS	5
#define MIN_WRITES	3	/* or reads show nothing about writes */

static bool held_lately(const struct wbt *wbt)
{
	return wbt->held_until && sim_clock < wbt->held_until + NSEC_PER_SEC;
}

static void set_limits(struct wbt *wbt)
{
	unsigned int most = max(3 * wbt->depth / 4, 1U), depth = min(USUAL_DEPTH, wbt->depth);

	wbt->at_top = false;
	if (wbt->step > 0)
		depth = 1 + ((depth - 1) >> min(wbt->step, 31));
	else if (wbt->step < 0)
		depth = 1 + ((depth - 1) << min(-wbt->step, 16));
	if (wbt->step < 0 && depth > most) {
		depth = most;
		wbt->at_top = true;
	}
	wbt->max = depth;
	wbt->normal = depth <= 2 ? depth : (depth + 1) / 2;
	wbt->background = depth <= 2 ? 1 : (depth + 3) / 4;
}

static void more(struct wbt *wbt)
{
	if (wbt->at_top)
		return;
	wbt->step--;
	set_limits(wbt);
	wbt->quiet = 0;
	sim_wake_all(&wbt->wait);
}

static void fewer(struct wbt *wbt, bool at_once)
{
	if (wbt->max == 1)
		return;
	wbt->step = wbt->step < 0 && at_once ? 0 : wbt->step + 1;
	set_limits(wbt);
	wbt->quiet = 0;
}

static void arm(struct wbt *wbt)
{
	u64 ns = WINDOW_NS;
	int n;

	/* shorter by the root of the step */
	for (n = 1; wbt->step > 0 && n * n < wbt->step + 1; n++)
		;
	wbt->armed = true;
	wbt->reads = 0;
	wbt->writes = 0;
	wbt->read_min_ns = U64_MAX;
	sim_at(&wbt->window, sim_clock + ns / n);
}

static void window_over(struct sim_event *event)
{
	struct wbt *wbt = container_of(event, struct wbt, window);

	wbt->armed = false;
	if (wbt->reads && wbt->writes >= MIN_WRITES) {
		if (wbt->read_min_ns > SLOW_READ_NS)
			fewer(wbt, true);
		else
			more(wbt);
	} else if (wbt->writes || wbt->inflight || held_lately(wbt)) {
		more(wbt);
	} else if (++wbt->quiet >= QUIET_WINDOWS) {
		if (wbt->step > 0)
			more(wbt);
		else if (wbt->step < 0)
			fewer(wbt, false);
	}
	if (wbt->step || wbt->inflight)
		arm(wbt);
}

static bool may_enter(const struct wbt *wbt, bool sync)
{
	return wbt->inflight < (sync || held_lately(wbt) ? wbt->max : wbt->normal);
}

/**
 * wbt_enter - a write is about to be queued
 * @wbt: the disk's
 * @sync: somebody waits for it
 * @gone: set when the disk is gone
 *
 * Sleeps until it may.
 */
void wbt_enter(struct wbt *wbt, bool sync, const bool *gone)
{
	if (!wbt->on)
		return;
	if (wbt->sleepers || !may_enter(wbt, sync)) {
		sim_pay();
		wbt->sleepers++;
		while (!may_enter(wbt, sync) && !*gone)
			sim_wait_on(&wbt->wait);
		wbt->sleepers--;
	}
	wbt->inflight++;
	if (!wbt->armed)
		arm(wbt);
}

/**
 * wbt_write_done - a write that was let in is done
 * @wbt: the disk's
 */
void wbt_write_done(struct wbt *wbt)
{
	unsigned int limit = held_lately(wbt) ? wbt->normal : 0;

	if (!wbt->on)
		return;
	wbt->writes++;
	wbt->inflight--;
	if (wbt->inflight && wbt->inflight >= limit)
		return;
	if (!wbt->inflight || limit - wbt->inflight >= wbt->background / 2)
		sim_wake_all(&wbt->wait);
}

/**
 * wbt_read_done - a read is done
 * @wbt: the disk's
 * @ns: how long it took
 */
void wbt_read_done(struct wbt *wbt, u64 ns)
{
	wbt->reads++;
	wbt->read_min_ns = min(wbt->read_min_ns, ns);
}

/**
 * wbt_gone - the disk is gone: let everybody in
 * @wbt: the disk's
 */
void wbt_gone(struct wbt *wbt)
{
	sim_cancel(&wbt->window);
	sim_wake_all(&wbt->wait);
}

/**
 * wbt_init - begin
 * @wbt: @on and @depth are filled in
 */
void wbt_init(struct wbt *wbt)
{
	wbt->window.fn = window_over;
	sim_wait_init(&wbt->wait);
	set_limits(wbt);
}
