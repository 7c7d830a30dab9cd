// SPDX-License-Identifier: GPL-2.0
/*
 * The livepatch: which functions of the kernel are replaced, and how the engine starts and ends
 * with that. The only file that names them.
 *
 * Life of the engine:
 *
 *	load		files made, state CHANGING
 *	pre_patch	the stock limits noted, to be kept, too; then tasks enter us one by one
 *	post_patch	all tasks are with us: pool started, state RUNNING
 *	pre_unpatch	state STOPPING, pool stopped; CHANGING: stock threads write by our rules
 *	post_unpatch	no task is with us: devices handed to the stock engine, files gone
 *
 * The kernel may turn round in either direction on the way: after pre_unpatch, post_patch may
 * come again, and after load, post_unpatch may come first. A replacing livepatch of another
 * vendor ends us with no call at all; then only the watch notices.
 */
#define pr_fmt(fmt) "pdflush: " fmt

#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <linux/pdflush.h>
#include <linux/pdflush-trace.h>
#include <linux/page-writeback.h>
struct wb_writeback_work;	/* named in the next one, known to the kernel alone */
#include <trace/events/writeback.h>
#include "../../sysctl/files.h"
#include "compat.h"

#define BDP_FLAG_ASYNC	0x1	/* the kernel's BDP_ASYNC; checked below */
static_assert(BDP_ASYNC == BDP_FLAG_ASYNC && WB_NOWAIT == BDP_FLAG_ASYNC,
	      "pdflush: the write path's flags are passed through as they are");

static char *require;
module_param(require, charp, 0444);
MODULE_PARM_DESC(require, "refuse to load on a kernel without this function, too");

static char *policy = "ratios";
module_param(policy, charp, 0444);
MODULE_PARM_DESC(policy, "writeback policy to start with");

static uint background = WB_DEFAULT_BACKGROUND;
module_param(background, uint, 0444);
MODULE_PARM_DESC(background, "dirty_background_ratio to start with, percent");

static uint async = WB_DEFAULT_ASYNC;
module_param(async, uint, 0444);
MODULE_PARM_DESC(async, "dirty_async_ratio to start with, percent");

static uint sync = WB_DEFAULT_SYNC;
module_param(sync, uint, 0444);
MODULE_PARM_DESC(sync, "dirty_sync_ratio to start with, percent");

/* ---- The replaced functions --------------------------------------------------------------- */

/* Called by the ratelimited wrappers when a task has dirtied nr_dirtied_pause pages. */
static int pdflush_balance_dirty_pages(struct bdi_writeback *wb, unsigned long pages_dirtied,
				       unsigned int flags)
{
	return wb_balance_dirty_pages(wb, pages_dirtied, flags);
}

/* Asked by the walker before every chunk of background writing, under wb->list_lock. */
static bool pdflush_wb_over_bg_thresh(struct bdi_writeback *wb)
{
	return wb_writer_goes_on(wb);
}

/*
 * Called under the inode's and the device's list lock when a device gets its first dirty inode,
 * and by the walker when it leaves dirty ones behind. The stock one arms the flusher's timer.
 */
static void pdflush_wb_wakeup_delayed(struct bdi_writeback *wb)
{
	struct wb_device *dev;

	smp_mb();	/* the mark on the record, then the look for ours: see wb_device_retire() */
	dev = wb_device_get(wb);
	/* without memory for it, or without a pool, the stock flusher does old data */
	if (!dev || wb_engine_state() != WB_RUNNING)
		host_arm_stock(wb);
	if (dev)
		wb_device_put(dev);
}

/* For /proc/vmstat and the block layer's debug files. */
static void pdflush_global_dirty_limits(unsigned long *pbackground, unsigned long *pdirty)
{
	struct dirty_domain dom;

	wb_machine_limits(&dom);
	*pbackground = dom.lim.background;
	*pdirty = dom.lim.async;
}

/*
 * What declarations tell of the replaced functions. balance_dirty_pages() has none: compat.h admits
 * only kernels where it was looked at.
 */
static_assert(__same_type(wb_over_bg_thresh, pdflush_wb_over_bg_thresh),
	      "pdflush: wb_over_bg_thresh() is not what it was in 6.1");
static_assert(__same_type(global_dirty_limits, pdflush_global_dirty_limits),
	      "pdflush: global_dirty_limits() is not what it was in 6.1");
static_assert(__same_type(sysctl_background_ratio, proc_handler),
	      "pdflush: handlers of files in /proc/sys are not what they were in 6.1");

#define REPLACE(name, with) { .old_name = name, .new_func = with }

static struct klp_func funcs[] = {
	REPLACE("balance_dirty_pages", pdflush_balance_dirty_pages),
	REPLACE("wb_over_bg_thresh", pdflush_wb_over_bg_thresh),
	REPLACE("wb_wakeup_delayed", pdflush_wb_wakeup_delayed),
	REPLACE("global_dirty_limits", pdflush_global_dirty_limits),
	/* the stock files, under their stock names, for the engine's thresholds */
	REPLACE("dirty_background_ratio_handler", sysctl_background_ratio),
	REPLACE("dirty_background_bytes_handler", sysctl_background_bytes),
	REPLACE("dirty_ratio_handler", sysctl_async_ratio),
	REPLACE("dirty_bytes_handler", sysctl_async_bytes),
	{ }
};

/* ---- A look at every inode written: who wrote it, and shall he leave? ----------------------- */

#define INODE_TRACEPOINT "writeback_single_inode"
#define AFTER_TRACERS	0	/* they have 10, and are not to see end_walk()'s figure */
static struct tracepoint *inode_tracepoint;

/*
 * The walker takes what an inode has used up of its chunk off what it was asked to write, and ends
 * when nothing is left of that; background writing is asked to write LONG_MAX pages.
 */
static void end_walk(struct writeback_control *wbc, unsigned long chunk)
{
	wbc->nr_to_write = (long)chunk - LONG_MAX;
}

/* Runs in whatever thread has written some of an inode; must not sleep. */
static void note_inode_written(void *unused, struct inode *inode, struct writeback_control *wbc,
			       unsigned long nr_to_write)
{
	long pages = nr_to_write - wbc->nr_to_write;

	if (!wbc->for_kupdate && !wbc->for_background)
		return;
	if (pages > 0 && wbc->for_kupdate)
		wb_count(WB_COUNT_BY_KUPDATE, pages);
	else if (pages > 0 && current_is_pdflush())
		wb_count(WB_COUNT_BY_PDFLUSH, pages);
	if (wb_writer_must_leave())
		end_walk(wbc, nr_to_write);
}

static void find_tracepoint(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, INODE_TRACEPOINT))
		inode_tracepoint = tp;
}

static int start_watching_inodes(void)
{
	int err = -ENOENT;

	/* no code: the build stops if the tracepoint gives something else */
	check_trace_callback_type_writeback_single_inode(note_inode_written);
	for_each_kernel_tracepoint(find_tracepoint, NULL);
	if (inode_tracepoint)
		err = tracepoint_probe_register_prio(inode_tracepoint, note_inode_written, NULL,
						     AFTER_TRACERS);
	if (err) {
		inode_tracepoint = NULL;
		pr_err("not loaded: no use of tracepoint " INODE_TRACEPOINT " (%d)\n", err);
	}
	return err;
}

static void stop_watching_inodes(void)
{
	if (!inode_tracepoint)
		return;
	tracepoint_probe_unregister(inode_tracepoint, note_inode_written, NULL);
	inode_tracepoint = NULL;
	tracepoint_synchronize_unregister();
}

/* ---- Tracepoints, if their module is there ------------------------------------------------- */

static void hold_tracer(void)
{
	if (!READ_ONCE(pdflush_tracing))
		WRITE_ONCE(pdflush_tracing, symbol_get(pdflush_tracer));
}

/* Only when no task is in the engine. */
static void release_tracer(void)
{
	if (pdflush_tracing)
		symbol_put(pdflush_tracer);
	pdflush_tracing = NULL;
}

/* ---- The engine's start and end ------------------------------------------------------------ */

static DEFINE_MUTEX(engine_mutex);	/* start and end of the pool */
static bool pool_started;

static const struct pdflush_source devices_source = {
	.next = wb_device_next_wanted,
	.demand = wb_devices,
};

static void start_pool(void)
{
	mutex_lock(&engine_mutex);
	if (!pool_started) {
		if (pdflush_start(&devices_source)) {
			pr_err("no memory for threads: the stock ones write by our thresholds\n");
		} else {
			pool_started = true;
			wb_engine_set_state(WB_RUNNING);
			wb_kupdate_start();
		}
	}
	mutex_unlock(&engine_mutex);
}

#define STOP_SECONDS	5	/* callbacks hold livepatch's lock, which module loading takes */

/* Threads at a device that does not answer are left to pdflush_exit() if @patience ends. */
static void stop_pool(unsigned long patience)
{
	mutex_lock(&engine_mutex);
	if (pool_started) {
		wb_engine_set_state(WB_STOPPING);
		wb_kupdate_stop();
		pdflush_stop(patience);
		wb_engine_set_state(WB_CHANGING);
		wb_devices_each(host_arm_stock);
		pool_started = false;
	} else {
		pdflush_stop(patience);
	}
	mutex_unlock(&engine_mutex);
}

static int pre_patch(struct klp_object *obj);
static void post_patch(struct klp_object *obj);
static void pre_unpatch(struct klp_object *obj);
static void post_unpatch(struct klp_object *obj);

static struct klp_object objs[] = {
	{
		.name = NULL,		/* vmlinux */
		.funcs = funcs,
		.callbacks = {
			.pre_patch = pre_patch,
			.post_patch = post_patch,
			.pre_unpatch = pre_unpatch,
			.post_unpatch = post_unpatch,
		},
	},
	{ }
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objs,
};

/* Back to one that has no threads and no files. */
static void leave_policy(void)
{
	wb_select_policy(wb_policy_ratios.name);
}

/* ---- The watch: has another livepatch taken our place? --------------------------- */

static void watch(struct work_struct *work);
static DECLARE_DELAYED_WORK(watch_work, watch);

static void watch(struct work_struct *work)
{
	if (READ_ONCE(funcs[0].patched)) {
		hold_tracer();
		queue_delayed_work(system_unbound_wq, &watch_work, 5 * HZ);
		return;
	}
	pr_err("another livepatch has replaced us: the stock engine is back. Remove this module\n");
	stop_pool(STOP_SECONDS);
	wb_devices_drop(host_hand_over);
	leave_policy();
}

/*
 * Called when livepatch has found the functions and before it redirects them: the last chance to
 * ask the stock one, by the address that it has found, for limits that no other function tells.
 */
static int pre_patch(struct klp_object *obj)
{
	void (*stock_limits)(unsigned long *background, unsigned long *dirty) = NULL;
	unsigned long background, dirty;
	struct klp_func *func;

	klp_for_each_func_static(obj, func) {
		if (func->new_func == pdflush_global_dirty_limits)
			stock_limits = func->old_func;
	}
	if (!stock_limits) {
		pr_err("not loaded: livepatch does not tell where global_dirty_limits() is\n");
		return -ENOENT;
	}
	stock_limits(&background, &dirty);
	wb_stock_is(background, dirty);
	wb_stock_may_hold(true);
	return 0;
}

static void post_patch(struct klp_object *obj)
{
	wb_stock_may_hold(false);
	start_pool();
	queue_delayed_work(system_unbound_wq, &watch_work, 5 * HZ);
	pr_info("attached\n");
}

/*
 * Threads end now, while the walker still asks us: later it asks the stock rule, and goes on for as
 * long as there is a writer. Callers go on being held until the transition marks them.
 */
static void pre_unpatch(struct klp_object *obj)
{
	cancel_delayed_work_sync(&watch_work);
	wb_stock_may_hold(true);	/* livepatch may turn round before all are out */
	stop_pool(STOP_SECONDS);
}

static void post_unpatch(struct klp_object *obj)
{
	stop_pool(0);
	/* the stock walker arms its own timer for what is dirty */
	wb_devices_drop(host_hand_over);
	sysctl_vm_unregister();
	proc_pdflush_remove();
	leave_policy();
	wb_engine_set_state(WB_STOPPED);
	pr_info("detached\n");
}

/* ---- Load and unload ------------------------------------------------------------------ */

/* A probe that is never armed tells whether the kernel has the function. */
static bool kernel_has(const char *name)
{
#ifdef CONFIG_KPROBES
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };

	if (register_kprobe(&probe) == -ENOENT)
		return false;
	if (probe.addr)
		unregister_kprobe(&probe);
#endif
	return true;	/* else livepatch alone has said it */
}

/*
 * Livepatch has refused, and says why in words of its own. To look for a function takes 0.1 s, so
 * it is done only now.
 */
static void tell_why(int err)
{
	struct klp_func *func;

	klp_for_each_func_static((&objs[0]), func) {
		if (!kernel_has(func->old_name)) {
			pr_err("not loaded: this kernel has no function %s\n", func->old_name);
			return;
		}
	}
	pr_err("not loaded: livepatch refused (%d)\n", err);
}

static int check_kernel(void)
{
	char walker[32];

	if (require && !kernel_has(require)) {
		pr_err("not loaded: this kernel has no function %s\n", require);
		return -ENOENT;
	}
	/* host_write_device() calls this through the record */
	snprintf(walker, sizeof(walker), "%ps", noop_backing_dev_info.wb.dwork.work.func);
	if (strcmp(walker, "wb_workfn")) {
		pr_err("not loaded: a device's work is %s here, not wb_workfn\n", walker);
		return -ENOENT;
	}
	return 0;
}

static int apply_params(void)
{
	struct wb_settings *set;

	if (background > 100 || async > 100 || sync > 100) {
		pr_err("not loaded: background, async and sync are percent, 0 to 100\n");
		return -EINVAL;
	}
	set = wb_settings_lock();
	set->background.value = background;
	set->async.value = async;
	set->sync.value = sync;
	wb_settings_unlock();
	return 0;
}

static int select_policy(void)
{
	int err = wb_select_policy(policy);

	if (err == -EINVAL)
		pr_err("not loaded: there is no policy \"%s\"\n", policy);
	else if (err)
		pr_err("not loaded: policy \"%s\" does not start (%d)\n", policy, err);
	return err;
}

static int __init pdflush_init(void)
{
	int err;

	err = wb_register_policy(&wb_policy_ratios);
	if (!err)
		err = wb_register_policy(&wb_policy_bdflush);
	if (!err)
		err = apply_params();
	if (!err)
		err = check_kernel();
	if (err)
		return err;

	err = sysctl_vm_register();
	if (err)
		return err;
	err = proc_pdflush_create();
	if (err)
		goto no_proc;
	err = start_watching_inodes();
	if (err)
		goto no_watch;
	err = select_policy();
	if (err)
		goto no_policy;

	hold_tracer();
	wb_engine_set_state(WB_CHANGING);
	err = klp_enable_patch(&patch);
	if (err) {
		tell_why(err);
		goto no_patch;
	}
	return 0;

no_patch:
	release_tracer();
	leave_policy();
no_policy:
	stop_watching_inodes();
no_watch:
	proc_pdflush_remove();
no_proc:
	sysctl_vm_unregister();
	return err;
}

/* Only after post_unpatch, or when another livepatch has replaced us: the kernel sees to that. */
static void __exit pdflush_exit(void)
{
	cancel_delayed_work_sync(&watch_work);
	stop_pool(ULONG_MAX);
	leave_policy();		/* of no effect but when the watch has not seen our replacement */
	wb_devices_drop(host_hand_over);
	stop_watching_inodes();
	release_tracer();
	proc_pdflush_remove();
	sysctl_vm_unregister();
	rcu_barrier();	/* devices are freed by code of ours */
}

module_init(pdflush_init);
module_exit(pdflush_exit);
MODULE_AUTHOR("The pdflush developers");
MODULE_DESCRIPTION("2.5-style writeback engine, attached by livepatch");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_SOFTDEP("pre: pdflush_trace");
