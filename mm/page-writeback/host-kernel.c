// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's needs, met by the kernel. What is borrowed from it, and why that holds:
 *
 * - wb->dwork.work.func is the kernel's own walker (wb_workfn): it pins inodes, takes s_umount,
 *   does cgroup attribution and cuts chunks. It may be called from any thread, and two may be in
 *   it for one device: lists are under wb->list_lock, inodes under I_SYNC. attach.c checks at
 *   load that it is that function.
 * - The walker asks wb_over_bg_thresh() before each chunk of background writing, which is ours.
 * - It writes old data by itself when dirty_writeback_interval has passed since
 *   wb->last_old_flush, so "due" is computed here in the same way.
 * - wb->last_old_flush says when it last did; set back, it does so when it next comes by.
 * - A bdi's own record lives as long as the bdi; a cgroup's has a reference count. Either may be
 *   unregistered while held: WB_registered is looked at before each use.
 */
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/livepatch.h>
#include <linux/memcontrol.h>
#include <linux/sched.h>
#include <linux/sched/rt.h>
#include <linux/sched/signal.h>
#include <linux/vmstat.h>
#include <linux/page-writeback.h>
#include "compat.h"

/**
 * host_memory - the machine's memory and its dirty pages
 * @mem: result
 *
 * Reads a handful of counters; each may be off by what CPUs have not yet folded in.
 */
void host_memory(struct wb_memory *mem)
{
	int node;

	mem->free = global_zone_page_state(NR_FREE_PAGES);
	mem->file = global_node_page_state(NR_INACTIVE_FILE) +
		    global_node_page_state(NR_ACTIVE_FILE);
	mem->reserve = 0;
	for_each_online_node(node)
		mem->reserve += NODE_DATA(node)->totalreserve_pages;
	mem->dirty = global_node_page_state(NR_FILE_DIRTY);
	mem->writeback = global_node_page_state(NR_WRITEBACK);
}

/**
 * host_device_counts - a device as the kernel measures it
 * @wb: the kernel's record, held by the caller
 * @counts: result
 *
 * Any context. Off by a few pages a CPU, but for a device that has a part of the limits to
 * itself: that may be no more than the error.
 */
void host_device_counts(struct bdi_writeback *wb, struct wb_device_counts *counts)
{
	counts->max_part = compat_max_part(wb->bdi);
	counts->strict = wb->bdi->capabilities & BDI_CAP_STRICTLIMIT;
	if (unlikely(counts->max_part < 10000)) {
		counts->dirty = wb_stat_sum(wb, WB_RECLAIMABLE);
		counts->writeback = wb_stat_sum(wb, WB_WRITEBACK);
	} else {
		counts->dirty = wb_stat(wb, WB_RECLAIMABLE);
		counts->writeback = wb_stat(wb, WB_WRITEBACK);
	}
	counts->written = percpu_counter_read_positive(&wb->stat[WB_WRITTEN]);
	counts->bandwidth = max(READ_ONCE(wb->avg_write_bandwidth), 1UL);
}

/**
 * host_device_counts_exact - the same, to the page
 * @wb: the kernel's record, held by the caller
 * @counts: result
 *
 * Any context. Sums over CPUs under locks: not for every call.
 */
void host_device_counts_exact(struct bdi_writeback *wb, struct wb_device_counts *counts)
{
	host_device_counts(wb, counts);
	counts->dirty = wb_stat_sum(wb, WB_RECLAIMABLE);
	counts->writeback = wb_stat_sum(wb, WB_WRITEBACK);
	counts->written = wb_stat_sum(wb, WB_WRITTEN);
}

/**
 * host_device_alive - has the device not been unregistered?
 * @wb: the kernel's record, held by the caller
 */
bool host_device_alive(struct bdi_writeback *wb)
{
	return test_bit(WB_registered, &wb->state);
}

/**
 * host_device_has_dirty - has the device inodes to be written?
 * @wb: the kernel's record, held by the caller
 */
bool host_device_has_dirty(struct bdi_writeback *wb)
{
	return test_bit(WB_has_dirty_io, &wb->state);
}

/**
 * host_device_disk - the record whose thread writes a device
 * @wb: a bdi's own record or a cgroup's
 */
struct bdi_writeback *host_device_disk(struct bdi_writeback *wb)
{
	return &wb->bdi->wb;
}

/**
 * host_device_pin - keep a record
 * @wb: in use by the caller, through an inode say
 *
 * Any context. False if it is on its way out.
 */
bool host_device_pin(struct bdi_writeback *wb)
{
	if (wb == &wb->bdi->wb)
		return kref_get_unless_zero(&wb->bdi->refcnt);
	return wb_tryget(wb);
}

/**
 * host_device_unpin - let a record go
 * @wb: from host_device_pin()
 *
 * Any context.
 */
void host_device_unpin(struct bdi_writeback *wb)
{
	if (wb == &wb->bdi->wb)
		bdi_put(wb->bdi);
	else
		wb_put(wb);
}

/**
 * host_device_name - what users call the device
 * @wb: the kernel's record, of a device that the caller keeps from being removed
 * @buf: result
 * @size: room there
 *
 * A disk's name, sda say; else the name of the bdi, which for a disk is its number.
 * Any context.
 */
void host_device_name(struct bdi_writeback *wb, char *buf, size_t size)
{
	struct device *owner = READ_ONCE(wb->bdi->owner);

	strscpy(buf, owner ? dev_name(owner) : bdi_dev_name(wb->bdi), size);
}

/**
 * host_old_data_due - would the walker write old data now?
 * @wb: the kernel's record, held by the caller
 */
bool host_old_data_due(struct bdi_writeback *wb)
{
	unsigned int interval = READ_ONCE(dirty_writeback_interval);

	if (!interval)
		return false;
	return time_after_eq(jiffies,
			     wb->last_old_flush + msecs_to_jiffies(interval * 10));
}

/**
 * host_make_old_data_due - have the walker write old data when it next comes by
 * @wb: the kernel's record, held by the caller
 *
 * Any context. Only while dirty_writeback_centisecs is not 0.
 */
void host_make_old_data_due(struct bdi_writeback *wb)
{
	unsigned int interval = READ_ONCE(dirty_writeback_interval);

	WRITE_ONCE(wb->last_old_flush, jiffies - msecs_to_jiffies(interval * 10));
}

/**
 * host_old_data_interval - dirty_writeback_centisecs
 */
unsigned int host_old_data_interval(void)
{
	return READ_ONCE(dirty_writeback_interval);
}

/**
 * host_set_old_data_interval - change it
 * @centisecs: 0: nobody writes old data
 */
void host_set_old_data_interval(unsigned int centisecs)
{
	WRITE_ONCE(dirty_writeback_interval, centisecs);
}

/* The variable behind this file is not exported, so it is read and written through the file. */
#define AGE_FILE "/proc/sys/vm/dirty_expire_centisecs"

/**
 * host_old_data_age - dirty_expire_centisecs
 * @centisecs: result
 *
 * May sleep. Returns 0 or an error, if the file can't be read from here.
 */
int host_old_data_age(unsigned int *centisecs)
{
	struct file *file = filp_open(AGE_FILE, O_RDONLY, 0);
	char text[16];
	loff_t pos = 0;
	ssize_t len;

	if (IS_ERR(file))
		return PTR_ERR(file);
	len = kernel_read(file, text, sizeof(text) - 1, &pos);
	filp_close(file, NULL);
	if (len < 0)
		return len;
	text[len] = '\0';
	return kstrtouint(text, 10, centisecs);
}

/**
 * host_set_old_data_age - change it
 * @centisecs: when data is old
 *
 * May sleep. Returns 0 or an error, if the file can't be written from here.
 */
int host_set_old_data_age(unsigned int centisecs)
{
	struct file *file = filp_open(AGE_FILE, O_WRONLY, 0);
	char text[16];
	loff_t pos = 0;
	ssize_t len;

	if (IS_ERR(file))
		return PTR_ERR(file);
	len = scnprintf(text, sizeof(text), "%u\n", centisecs);
	/*
	 * not kernel_write(): whoever writes our own files has /proc write-locked against
	 * freezing
	 */
	len = __kernel_write(file, text, len, &pos);
	filp_close(file, NULL);
	return len < 0 ? len : 0;
}

/**
 * host_allow_stop - let somebody stop the calling thread by SIGSTOP, until SIGCONT
 */
void host_allow_stop(void)
{
	allow_signal(SIGSTOP);
	allow_signal(SIGCONT);
}

/**
 * host_take_signal - what has somebody sent to the calling thread?
 *
 * After HOST_STOP it is to call host_stop_here().
 */
enum host_signal host_take_signal(void)
{
	if (!signal_pending(current))
		return HOST_NO_SIGNAL;
	switch (kernel_dequeue_signal()) {
	case SIGSTOP:
		return HOST_STOP;
	case SIGCONT:
		return HOST_CONTINUE;
	}
	return HOST_NO_SIGNAL;
}

/**
 * host_stop_here - stop until SIGCONT
 *
 * Returns at once if that has come since HOST_STOP was taken.
 */
void host_stop_here(void)
{
	kernel_signal_stop();
}

/**
 * host_continue - end a thread's stop
 * @task: one that has called host_allow_stop(), or not yet
 */
void host_continue(struct task_struct *task)
{
	send_sig(SIGCONT, task, 1);
}

/**
 * host_write_device - write what is due: old data, and while wb_writer_goes_on()
 * @wb: the kernel's record, held by the caller
 *
 * Blocks in the device's queue. A thread of the pool may do somebody's sync in here.
 */
void host_write_device(struct bdi_writeback *wb)
{
	if (host_device_alive(wb))
		wb->dwork.work.func(&wb->dwork.work);
}

/*
 * The queue that the kernel puts a device's work on. It is not exported, but the kernel arms the
 * device's bandwidth work there after each write; before the first one, another queue does.
 */
static struct workqueue_struct *stock_queue(struct bdi_writeback *wb)
{
	static struct workqueue_struct *seen;
	struct workqueue_struct *wq = READ_ONCE(wb->bw_dwork.wq);

	if (wq)
		WRITE_ONCE(seen, wq);	/* the same for all devices */
	return wq ?: READ_ONCE(seen) ?: system_unbound_wq;
}

/**
 * host_wake_stock - have the kernel's own thread look at a device now
 * @wb: the kernel's record, held by the caller
 *
 * Any context with interrupts on.
 */
void host_wake_stock(struct bdi_writeback *wb)
{
	spin_lock_irq(&wb->work_lock);
	if (host_device_alive(wb))
		mod_delayed_work(stock_queue(wb), &wb->dwork, 0);
	spin_unlock_irq(&wb->work_lock);
}

/**
 * host_arm_stock - have the kernel's own thread look at a device when it would by itself
 * @wb: the kernel's record, held by the caller
 *
 * Any context with interrupts on. What the stock wb_wakeup_delayed() does, but for an interval of
 * 0: then it looks again after the usual one.
 */
void host_arm_stock(struct bdi_writeback *wb)
{
	unsigned int interval = READ_ONCE(dirty_writeback_interval) ?: 500;

	spin_lock_irq(&wb->work_lock);
	if (host_device_alive(wb))
		queue_delayed_work(stock_queue(wb), &wb->dwork, msecs_to_jiffies(interval * 10));
	spin_unlock_irq(&wb->work_lock);
}

/**
 * host_hand_over - leave a device to the stock engine
 * @wb: the kernel's record, held by the caller
 *
 * Its walker writes what is due and arms its own timer for the rest. Any context
 * with interrupts on.
 */
void host_hand_over(struct bdi_writeback *wb)
{
	WRITE_ONCE(wb->dirty_exceeded, 0);
	host_wake_stock(wb);
}

#ifdef CONFIG_CGROUP_WRITEBACK
static unsigned long group_file_pages(struct mem_cgroup *memcg)
{
	unsigned long sum = 0;
	int node, zone;

	for_each_online_node(node) {
		struct mem_cgroup_per_node *mz = memcg->nodeinfo[node];

		for (zone = 0; mz && zone < MAX_NR_ZONES; zone++)
			sum += READ_ONCE(mz->lru_zone_size[zone][LRU_INACTIVE_FILE]) +
			       READ_ONCE(mz->lru_zone_size[zone][LRU_ACTIVE_FILE]);
	}
	return sum;
}

/* What the group may still take before its own or an ancestor's limit. */
static unsigned long group_headroom(struct mem_cgroup *memcg)
{
	unsigned long room = PAGE_COUNTER_MAX;

	for (; memcg; memcg = parent_mem_cgroup(memcg)) {
		unsigned long limit = min(READ_ONCE(memcg->memory.max),
					  READ_ONCE(memcg->memory.high));
		unsigned long used = page_counter_read(&memcg->memory);

		room = min(room, limit - min(limit, used));
	}
	return room;
}
#endif

/**
 * host_group_domain - the limits of the caller's memory cgroup
 * @wb: a cgroup's record of a device, or a bdi's own
 * @set: thresholds as asked for
 * @machine: the machine's dirtyable memory, pages
 * @dom: result
 *
 * Any context. False if there is no group, or it is no smaller than the machine. Counts the
 * group's dirty pages on this device alone.
 */
bool host_group_domain(struct bdi_writeback *wb, const struct wb_settings *set,
		       unsigned long machine, struct dirty_domain *dom)
{
#ifdef CONFIG_CGROUP_WRITEBACK
	struct mem_cgroup *memcg;
	unsigned long dirtyable;

	if (likely(wb == &wb->bdi->wb))
		return false;
	memcg = mem_cgroup_from_css(wb->memcg_css);
	if (!memcg)
		return false;
	dirtyable = group_headroom(memcg);
	if (dirtyable >= machine)
		return false;
	dirtyable += group_file_pages(memcg);
	if (dirtyable >= machine)
		return false;
	wb_limits_of_group(set, machine, dirtyable, &dom->lim);
	dom->dirty = wb_stat_sum(wb, WB_RECLAIMABLE);
	dom->writeback = wb_stat_sum(wb, WB_WRITEBACK);
	return true;
#else
	return false;
#endif
}

/**
 * host_caller - what a policy may know of the calling task
 * @snap: realtime and local are filled in
 */
void host_caller(struct wb_snapshot *snap)
{
	snap->realtime = rt_task(current);
	snap->local = current->flags & PF_LOCAL_THROTTLE;
}

/**
 * host_set_allowance - what the calling task may dirty before it is asked again
 * @wb: the record of the device it dirtied
 * @pages: so many, at least 1
 * @exceeded: the kernel shall send all tasks of this device in after 8 pages
 */
void host_set_allowance(struct bdi_writeback *wb, unsigned long pages, bool exceeded)
{
	current->nr_dirtied = 0;
	current->nr_dirtied_pause = pages;
	current->dirty_paused_when = jiffies;
	if (READ_ONCE(wb->dirty_exceeded) != exceeded)
		WRITE_ONCE(wb->dirty_exceeded, exceeded);
}

/**
 * host_hold_caller - put the calling task to sleep for a while
 * @wb: the record of the device it is held at
 * @ms: how long, 1 to 200
 *
 * Counted as waiting for I/O, which also sends off the requests the task has plugged: a sleeper
 * must not sit on what it waits for. True if a fatal signal is pending.
 */
bool host_hold_caller(struct bdi_writeback *wb, unsigned long ms)
{
	compat_note_sleep(wb);
	__set_current_state(TASK_KILLABLE);
	io_schedule_timeout(max(msecs_to_jiffies(ms), 1UL));
	return fatal_signal_pending(current);
}

/**
 * host_caller_must_leave - does a livepatch transition want the calling task out of here?
 *
 * The kernel marks just the tasks that hold it up by sleeping in a function it replaces or
 * restores.
 */
bool host_caller_must_leave(void)
{
	return klp_patch_pending(current);
}

/**
 * host_now_us - a clock, us
 */
u64 host_now_us(void)
{
	return ktime_to_us(ktime_get());
}

/**
 * host_laptop_mode - is laptop mode on?
 */
bool host_laptop_mode(void)
{
	return READ_ONCE(laptop_mode);
}
