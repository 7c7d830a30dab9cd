// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's start and end in the simulated kernel: the counterpart of attach.c.
 */
#include <string.h>
#include <linux/bdflush.h>
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
#define UNLOAD_SECONDS	60	/* a thread that a stop did not wait for is at one chunk */

static bool engine_attached;	/* tasks enter it */
static bool pool_started;
bool engine_in_transition;	/* the kernel wants tasks out of it */
struct mutex engine_mutex;	/* whoever attaches, detaches or turns round (klp_mutex) */
static bool files_there;	/* under /proc/sys/vm */
static unsigned int file_users;	/* who is reading or writing one */
static char policy_wanted[WB_POLICY_NAME_MAX + 1];	/* when it is attached */
static enum host_signal kupdated_wanted;		/* and what kupdated is sent then */

/**
 * engine_open_file - begin to read or write one of the engine's files
 *
 * False if they are not there. Before the start, anything may be set.
 */
bool engine_open_file(void)
{
	if (sim_current && !files_there)
		return false;
	file_users++;
	return true;
}

/**
 * engine_close_file - the end of that
 */
void engine_close_file(void)
{
	file_users--;
}

/**
 * engine_select_policy - choose a policy, as by its file or, before the start, as the module's
 *	parameter
 * @name: its name
 *
 * False if there is none of that name.
 */
bool engine_select_policy(const char *name)
{
	char names[256], *rest = names, *word;

	if (sim_current)
		return !wb_select_policy(name);
	wb_policy_names(names, sizeof(names));
	while ((word = strsep(&rest, " \n")))
		if (*word && !strcmp(word, name)) {
			snprintf(policy_wanted, sizeof(policy_wanted), "%s", name);
			return true;
		}
	return false;
}

/**
 * engine_signal_kupdated - send kupdated a signal, now or, before the start, when it is there
 * @signal: the signal
 *
 * False if there is no such thread.
 */
bool engine_signal_kupdated(enum host_signal signal)
{
	struct sim_task *task;

	if (!sim_current) {
		kupdated_wanted = signal;
		return true;
	}
	/* by its name, as killall does */
	list_for_each_entry(task, &sim_tasks, all)
		if (!strcmp(task->task.comm, "kupdated") && !task->done) {
			host_send(&task->task, signal);
			return true;
		}
	return false;
}

/**
 * engine_reset - as before anything was chosen
 */
void engine_reset(void)
{
	policy_wanted[0] = '\0';
	kupdated_wanted = HOST_NO_SIGNAL;
	file_users = 0;
}

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
	me->engine_at = wb;
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
	struct sim_task *me = sim_me();
	struct bdi_writeback *before = me->engine_at;
	struct wb_device *dev;

	if (old_2531)
		return;
	if (!engine_attached) {
		if (machine.interval_cs)
			host_arm_stock(wb);
		return;
	}
	me->in_engine++;
	me->engine_at = wb;
	smp_mb();
	dev = wb_device_get(wb);
	if (!dev || wb_engine_state() != WB_RUNNING)
		host_arm_stock(wb);
	if (dev)
		wb_device_put(dev);
	me->engine_at = before;
	me->in_engine--;
}

/**
 * engine_is_asked - does the kernel's walker ask the engine whether to go on?
 *
 * A task that sleeps in there goes over with the rest: no replaced function is on its stack.
 */
bool engine_is_asked(void)
{
	return engine_attached;
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
	if (policy_wanted[0] && wb_select_policy(policy_wanted))
		sim_fail("policy %s did not start", policy_wanted);
	/* it takes it when it begins */
	if (kupdated_wanted && !engine_signal_kupdated(kupdated_wanted))
		sim_fail("there is no kupdated: the policy is not bdflush");
	engine_reset();
	files_there = true;
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
	u64 started;

	if (old_2531) {
		old_stop();
		return;
	}
	stop_pool(STOP_SECONDS);
	started = sim_clock;
	engine_in_transition = true;
	engine_attached = false;
	while (somebody_inside()) {
		sim_sleep(10 * NSEC_PER_MSEC);
		if (sim_clock - started > 5 * NSEC_PER_SEC && !sim_stealing)
			invariant_broken("detach", "a caller is still inside after 5 s");
	}
	engine_in_transition = false;
	stop_pool(0);
	wb_devices_drop(host_hand_over);
	files_there = false;
	while (file_users)
		sim_sleep(NSEC_PER_MSEC);
	wb_policy_name(policy_wanted, sizeof(policy_wanted));
	policy_wanted[strcspn(policy_wanted, "\n")] = '\0';
	wb_select_policy(wb_policy_ratios.name);
	wb_engine_set_state(WB_STOPPED);
	/* the module is unloaded */
	started = sim_clock;
	stop_pool(ULONG_MAX);
	if (sim_clock - started > UNLOAD_SECONDS * NSEC_PER_SEC && !sim_stealing)
		invariant_broken("detach", "unloading took %.0f s",
				 (double)(sim_clock - started) / NSEC_PER_SEC);
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
	wb_register_policy(&wb_policy_bdflush);
}
