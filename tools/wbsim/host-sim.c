// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's needs, met by the simulated machine: the counterpart of host-kernel.c. What the
 * functions promise is said there.
 */
#include <linux/string.h>
#include <linux/page-writeback.h>
#include "invariant.h"
#include "machine.h"

void host_memory(struct wb_memory *mem)
{
	mem->free = memory_free();
	mem->file = machine.clean + machine.dirty + machine.writeback - machine.both;
	mem->reserve = machine.reserve;
	mem->dirty = machine.dirty;
	mem->writeback = machine.writeback;
}

/*
 * The kernel frees a record when nobody holds it any more. A thread of the pool has no hold but by
 * pins; whoever dirties a device holds that one alone.
 */
static void must_be_held(const struct bdi_writeback *wb)
{
	struct sim_task *me = sim_me();

	if (wb->pins || sim_observing || !me)
		return;
	if (me->in_engine ? me->engine_at != wb : current_is_pdflush())
		sim_fail("%s uses the record of %s, which is not pinned", current->comm, wb->name);
}

void host_device_counts(struct bdi_writeback *wb, struct wb_device_counts *counts)
{
	must_be_held(wb);
	counts->dirty = wb->nr_dirty;
	counts->writeback = wb->nr_writeback;
	counts->written = wb->nr_written;
	counts->bandwidth = wb->bandwidth;
	counts->max_part = 10000;
	counts->strict = false;
}

/* The simulated machine's counters are exact anyway. */
void host_device_counts_exact(struct bdi_writeback *wb, struct wb_device_counts *counts)
{
	host_device_counts(wb, counts);
}

bool host_device_alive(struct bdi_writeback *wb)
{
	must_be_held(wb);
	return test_bit(WB_registered, &wb->state);
}

bool host_device_has_dirty(struct bdi_writeback *wb)
{
	must_be_held(wb);
	return test_bit(WB_has_dirty_io, &wb->state);
}

struct bdi_writeback *host_device_disk(struct bdi_writeback *wb)
{
	return wb;
}

bool host_device_pin(struct bdi_writeback *wb)
{
	wb->pins++;
	return true;
}

void host_device_unpin(struct bdi_writeback *wb)
{
	BUG_ON(!wb->pins);
	wb->pins--;
}

void host_device_name(struct bdi_writeback *wb, char *buf, size_t size)
{
	strscpy(buf, wb->name, size);
}

bool host_old_data_due(struct bdi_writeback *wb)
{
	must_be_held(wb);
	return machine.interval_cs &&
	       time_after_eq(jiffies,
			     wb->last_old_flush + msecs_to_jiffies(machine.interval_cs * 10));
}

void host_write_device(struct bdi_writeback *wb)
{
	if (!host_device_alive(wb))
		return;
	invariant_enter_device(wb);
	wb->dwork.work.func(&wb->dwork.work);
	sim_pay();
	invariant_leave_device(wb);
}

void host_wake_stock(struct bdi_writeback *wb)
{
	spin_lock_irq(&wb->work_lock);
	if (host_device_alive(wb))
		mod_delayed_work(system_unbound_wq, &wb->dwork, 0);
	spin_unlock_irq(&wb->work_lock);
}

void host_arm_stock(struct bdi_writeback *wb)
{
	unsigned int interval = machine.interval_cs ?: 500;

	spin_lock_irq(&wb->work_lock);
	if (host_device_alive(wb))
		queue_delayed_work(system_unbound_wq, &wb->dwork, msecs_to_jiffies(interval * 10));
	spin_unlock_irq(&wb->work_lock);
}

void host_hand_over(struct bdi_writeback *wb)
{
	wb->dirty_exceeded = 0;
	host_wake_stock(wb);
}

bool host_group_domain(struct bdi_writeback *wb, const struct wb_settings *set,
		       unsigned long machine_pages, struct dirty_domain *dom)
{
	(void)wb;
	(void)set;
	(void)machine_pages;
	(void)dom;
	return false;
}

void host_caller(struct wb_snapshot *snap)
{
	snap->realtime = false;
	snap->local = current->flags & PF_LOCAL_THROTTLE;
}

void host_set_allowance(struct bdi_writeback *wb, unsigned long pages, bool exceeded)
{
	current->nr_dirtied = 0;
	current->nr_dirtied_pause = pages;
	current->dirty_paused_when = jiffies;
	wb->dirty_exceeded = exceeded;
}

bool host_hold_caller(struct bdi_writeback *wb, unsigned long ms)
{
	u64 tick = NSEC_PER_SEC / HZ;
	struct sim_task *me = sim_me();
	u64 started;

	sim_may_sleep("is held");
	sim_pay();
	started = sim_clock;
	me->held_at = wb;
	invariant_hold(wb);
	sim_sleep_until((sim_clock / tick + max(msecs_to_jiffies(ms), 1UL)) * tick);
	invariant_release(wb);
	wb->disk.wbt.held_until = sim_clock;
	me->held_at = NULL;
	me->stalled_ns += sim_clock - started;
	return false;
}

bool host_caller_must_leave(void)
{
	return engine_in_transition;
}

void host_make_old_data_due(struct bdi_writeback *wb)
{
	wb->last_old_flush = jiffies - msecs_to_jiffies(machine.interval_cs * 10);
}

unsigned int host_old_data_interval(void)
{
	return machine.interval_cs;
}

void host_set_old_data_interval(unsigned int centisecs)
{
	machine.interval_cs = centisecs;
	machine.old_since = sim_clock;
}

int host_old_data_age(unsigned int *centisecs)
{
	*centisecs = machine.expire_cs;
	return 0;
}

int host_set_old_data_age(unsigned int centisecs)
{
	machine.expire_cs = centisecs;
	machine.old_since = sim_clock;
	return 0;
}

void host_allow_stop(void)
{
}

enum host_signal host_take_signal(void)
{
	enum host_signal signal = current->signal;

	current->signal = HOST_NO_SIGNAL;
	current->stopped = signal == HOST_STOP;
	return signal;
}

void host_stop_here(void)
{
	__set_current_state(TASK_UNINTERRUPTIBLE);
	while (current->stopped) {
		schedule();
		current->state = TASK_UNINTERRUPTIBLE;
	}
	__set_current_state(TASK_RUNNING);
}

void host_send(struct task_struct *task, enum host_signal signal)
{
	/* each takes the other off the queue, and the second ends a stop */
	task->signal = signal;
	if (signal == HOST_CONTINUE)
		task->stopped = false;
	wake_up_process(task);
}

void host_continue(struct task_struct *task)
{
	host_send(task, HOST_CONTINUE);
}

/* The simulated machine has no files; see settings.c. */
int host_show_bdflush_file(void)
{
	return 0;
}

void host_hide_bdflush_file(void)
{
}

u64 host_now_us(void)
{
	return sim_clock / NSEC_PER_USEC;
}

bool host_laptop_mode(void)
{
	return false;
}
