// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's start and end in the simulated kernel: the counterpart of attach.c.
 */
#include <linux/page-writeback.h>
#include <linux/pdflush.h>
#include <linux/pdflush-trace.h>
#include "invariant.h"
#include "machine.h"

static const struct pdflush_source devices_source = {
	.next = wb_device_next_wanted,
	.demand = wb_devices,
};

#define STOP_SECONDS	5

static bool engine_attached;	/* tasks enter it */
static bool pool_started;
bool engine_in_transition;	/* the kernel wants tasks out of it */

/**
 * engine_balance - the write path's slow way
 * @wb: the device
 * @pages: that the caller has dirtied
 */
void engine_balance(struct bdi_writeback *wb, unsigned long pages)
{
	struct sim_task *me = sim_me();

	if (!engine_attached) {		/* the stock engine is not simulated */
		host_set_allowance(wb, 32, false);
		return;
	}
	me->in_engine++;
	wb_balance_dirty_pages(wb, pages, 0);
	me->in_engine--;
}

/**
 * engine_dirty_device - a device has its first dirty file, or still some after a pass
 * @wb: the device
 *
 * The kernel's wb_wakeup_delayed().
 */
void engine_dirty_device(struct bdi_writeback *wb)
{
	struct wb_device *dev;

	if (old_2531)
		return;
	if (!engine_attached) {
		if (machine.interval_cs)
			host_arm_stock(wb);
		return;
	}
	sim_me()->in_engine++;
	smp_mb();
	dev = wb_device_get(wb);
	if (!dev || wb_engine_state() != WB_RUNNING)
		host_arm_stock(wb);
	if (dev)
		wb_device_put(dev);
	sim_me()->in_engine--;
}

static void start_pool(void)
{
	if (pool_started)
		return;
	if (pdflush_start(&devices_source))
		sim_fail("the pool did not start");
	pool_started = true;
	wb_engine_set_state(WB_RUNNING);
	wb_kupdate_start();
}

static bool stop_pool(unsigned long patience)
{
	bool all;

	if (!pool_started)
		return pdflush_stop(patience);
	wb_engine_set_state(WB_STOPPING);
	wb_kupdate_stop();
	all = pdflush_stop(patience);
	wb_engine_set_state(WB_CHANGING);
	wb_devices_each(host_arm_stock);
	pool_started = false;
	return all;
}

/**
 * engine_attach - the livepatch is applied
 *
 * In a task.
 */
void engine_attach(void)
{
	pdflush_tracing = &invariant_tracer;
	if (old_2531) {
		old_start();
		return;
	}
	wb_engine_set_state(WB_CHANGING);
	engine_attached = true;
	sim_yield();		/* tasks enter while the pool is not there */
	start_pool();
}

static bool somebody_inside(void)
{
	struct sim_task *task;

	list_for_each_entry(task, &sim_tasks, all)
		if (task->in_engine)
			return true;
	return false;
}

/**
 * engine_detach - the livepatch is removed
 *
 * In a task. The kernel waits until no task is in a patched function.
 */
void engine_detach(void)
{
	u64 started = sim_clock;

	if (old_2531) {
		old_stop();
		return;
	}
	stop_pool(STOP_SECONDS);
	engine_in_transition = true;
	engine_attached = false;
	while (somebody_inside()) {
		sim_sleep(10 * NSEC_PER_MSEC);
		if (sim_clock - started > 5 * NSEC_PER_SEC)
			invariant_broken("detach", "a caller is still inside after 5 s");
	}
	engine_in_transition = false;
	stop_pool(0);
	wb_devices_drop(host_hand_over);
	wb_engine_set_state(WB_STOPPED);
	/* the module is unloaded */
	stop_pool(ULONG_MAX);
	rcu_barrier();
	invariant_detached();
}

/**
 * engine_turn_round - a removal is begun, and turned round before a task has left
 *
 * In a task.
 */
void engine_turn_round(void)
{
	if (old_2531)
		return;
	stop_pool(STOP_SECONDS);
	sim_sleep(NSEC_PER_MSEC);
	start_pool();
}

/**
 * policies_register - offer the engine's policies, as the module does when loaded
 */
void policies_register(void)
{
	wb_register_policy(&wb_policy_ratios);
}
