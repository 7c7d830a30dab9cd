/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The writeback engine: what it measures, what a policy may say, what a host must do.
 *
 * Everything above "The host" compiles in the kernel and in user space and touches nothing but
 * its arguments. Units are pages and milliseconds unless a name says otherwise.
 */
#ifndef _LINUX_PAGE_WRITEBACK_H
#define _LINUX_PAGE_WRITEBACK_H

#include <linux/types.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/rcupdate.h>
#include <linux/pdflush.h>

struct bdi_writeback;
struct module;
struct task_struct;

/* ---- Settings and limits ---------------------------------------------------------------- */

/**
 * struct wb_setting - one threshold as the administrator wrote it
 * @value: percent of dirtyable memory, or bytes
 * @bytes: @value counts bytes
 *
 * The "ratio" and "bytes" files of a threshold are two spellings of this one setting.
 */
struct wb_setting {
	unsigned long value;
	bool bytes;
};

/**
 * struct wb_settings - the three thresholds as asked for
 * @background: above it the device's thread writes
 * @async: above it the caller is paced
 * @sync: above it the caller waits
 * @stop: a writer that has begun goes on down to it; it has no file under /proc/sys/vm
 */
struct wb_settings {
	struct wb_setting background;
	struct wb_setting async;
	struct wb_setting sync;
	struct wb_setting stop;
};

/**
 * struct wb_memory - the machine's memory, in pages
 * @free: free pages
 * @file: pages of the file cache, clean and dirty
 * @reserve: free pages the kernel keeps for itself
 * @dirty: dirty pages
 * @writeback: pages on their way to a device
 */
struct wb_memory {
	unsigned long free;
	unsigned long file;
	unsigned long reserve;
	unsigned long dirty;
	unsigned long writeback;
};

/**
 * struct wb_limits - thresholds in force, in pages
 * @dirtyable: memory that may hold dirty pages; what ratios are a part of
 * @background: never above @async
 * @async: never above @sync
 * @sync: the level writers are kept under
 * @stop: where a writer that has begun stops; never above @background
 */
struct wb_limits {
	unsigned long dirtyable;
	unsigned long background;
	unsigned long async;
	unsigned long sync;
	unsigned long stop;
};

/**
 * struct wb_stock_limits - what the stock engine goes by, in pages
 * @dirtyable: memory that could hold dirty pages when these were in force
 * @background: above it the stock engine writes
 * @dirty: above the middle between the two it may hold writers
 */
struct wb_stock_limits {
	unsigned long dirtyable;
	unsigned long background;
	unsigned long dirty;
};

/* Defaults in percent: 2.5.35's, see "deliberate differences" in Documentation/design.rst. */
#define WB_DEFAULT_BACKGROUND	10
#define WB_DEFAULT_ASYNC	40
#define WB_DEFAULT_SYNC		50

unsigned long wb_dirtyable(const struct wb_memory *mem);
void wb_limits_of(const struct wb_settings *set, unsigned long dirtyable, struct wb_limits *lim);
void wb_limits_of_group(const struct wb_settings *set, unsigned long machine,
			unsigned long dirtyable, struct wb_limits *lim);
void wb_limits_scale(const struct wb_limits *from, unsigned long part, unsigned long whole,
		     struct wb_limits *to);
void wb_limits_under_stock(const struct wb_stock_limits *stock, struct wb_limits *lim);
void wb_setting_write(struct wb_setting *set, bool bytes, unsigned long value);
unsigned long wb_setting_read(const struct wb_setting *set, bool bytes);

/* ---- What a policy sees and says -------------------------------------------------------- */

/**
 * struct dirty_domain - one body of memory that has limits
 * @lim: its thresholds
 * @dirty: its dirty pages
 * @writeback: its pages on their way to a device
 */
struct dirty_domain {
	struct wb_limits lim;
	unsigned long dirty;
	unsigned long writeback;
};

/* The machine, the caller's memory cgroup, a device with a limit of its own. */
#define WB_MAX_DOMAINS	3

/**
 * struct wb_snapshot - all a policy may know when it decides
 * @domain: bodies of memory to keep within limits; domain[0] is the machine
 * @nr_domains: how many of @domain are filled in
 * @own_only: throttle by the domains after the first alone (BDI_CAP_STRICTLIMIT)
 * @laptop: laptop mode: no background writing before a caller had to be paced
 * @dev_dirty: dirty pages of the caller's device
 * @dev_writeback: pages on their way to that device
 * @dev_share: the device's part of the async threshold by measured speed; only if @local
 * @dev_bandwidth: what the device was measured to write, pages a second, at least 1
 * @dev_waiters: callers held at that device
 * @pages_dirtied: what the caller dirtied since it was last here
 * @realtime: the caller has a real-time priority
 * @local: others' dirty pages may become clean only through the caller (loop, local nfsd)
 * @writer: the caller is a thread of the pool
 */
struct wb_snapshot {
	struct dirty_domain domain[WB_MAX_DOMAINS];
	unsigned int nr_domains;
	bool own_only;
	bool laptop;
	unsigned long dev_dirty;
	unsigned long dev_writeback;
	unsigned long dev_share;
	unsigned long dev_bandwidth;
	unsigned int dev_waiters;
	unsigned long pages_dirtied;
	bool realtime;
	bool local;
	bool writer;
};

/**
 * enum wb_verdict - what becomes of a caller, in order of severity
 * @WB_NOTHING: go on
 * @WB_KICK: go on; a thread of the pool shall write
 * @WB_PACE: kick, and hold the caller until its device has written the decision's hold pages
 * @WB_WAIT: pace, and until dirty + writeback is no more than the sync threshold
 */
enum wb_verdict {
	WB_NOTHING,
	WB_KICK,
	WB_PACE,
	WB_WAIT,
	WB_NR_VERDICTS
};

/**
 * struct wb_decision - a policy's answer
 * @verdict: what to do with the caller
 * @hold_pages: pages its device shall complete before it goes on, if paced or waiting
 * @allowance: pages the caller may dirty before it is asked again, at least 1
 * @exceeded: all callers of the device shall come in after 8 pages, whatever they were allowed
 */
struct wb_decision {
	enum wb_verdict verdict;
	unsigned long hold_pages;
	unsigned long allowance;
	bool exceeded;
};

#define WB_POLICY_NAME_MAX	16

/**
 * struct wb_policy - a way to decide about writeback
 * @name: as written to /proc/sys/vm/writeback_policy; letters, digits, '-' and '_'
 * @owner: the module it lives in, held while the policy is in use
 * @decide: fill in the decision for a caller in the write path. Pure: no locks, no sleep, no
 *	calls out; called under rcu_read_lock() or as @over_background. What it leaves open is
 *	filled in by wb_decide()
 * @over_background: has the device anything that should be written now, by dirty counts?
 *	Asked by whoever wakes a writer and by the writer itself, so the two can't disagree.
 *	Called under rcu_read_lock() and a spinlock; pure as well. NULL: if @decide has a
 *	verdict other than WB_NOTHING
 * @goes_on: shall a writer that has begun go on? Pure, called as @over_background. NULL: as long
 *	as that says so
 * @settings: put thresholds of its own in place of those in the files. Called under
 *	rcu_read_lock(), from any context; NULL: those in the files
 * @wake: a verdict other than WB_NOTHING was given: have a thread of the policy's own see to
 *	background writing by wb_devices_want(). Called under rcu_read_lock(), must not sleep.
 *	NULL: the engine has the caller's device written
 * @start: called before it comes into force; may sleep; an error keeps the old policy in force
 * @stop: called when it is no longer in force and no decision of its is under way; may sleep
 * @old_data: it looks after old data itself, by wb_devices_write_old()
 * @list: the engine's
 */
struct wb_policy {
	const char *name;
	struct module *owner;
	void (*decide)(const struct wb_snapshot *snap, struct wb_decision *dec);
	bool (*over_background)(const struct wb_snapshot *snap);
	bool (*goes_on)(const struct wb_snapshot *snap);
	void (*settings)(struct wb_settings *set);
	void (*wake)(void);
	int (*start)(void);
	void (*stop)(void);
	bool old_data;
	struct list_head list;
};

int wb_register_policy(struct wb_policy *policy);
void wb_unregister_policy(struct wb_policy *policy);
int wb_select_policy(const char *name);
int wb_policy_name(char *buf, size_t size);
int wb_policy_names(char *buf, size_t size);
struct wb_policy *wb_policy_current(void);

/**
 * module_wb_policy() - a module that is a policy and nothing else
 * @policy: its struct wb_policy; the owner is filled in
 *
 * In place of init and exit functions: the policy is there while the module is loaded.
 */
#define module_wb_policy(policy)			\
static int __init policy##_init(void)			\
{							\
	policy.owner = THIS_MODULE;			\
	return wb_register_policy(&policy);		\
}							\
							\
static void __exit policy##_exit(void)			\
{							\
	wb_unregister_policy(&policy);			\
}							\
							\
module_init(policy##_init);				\
module_exit(policy##_exit)

extern struct wb_policy wb_policy_ratios;
extern struct wb_policy wb_policy_bdflush;

/* For policies: the arithmetic that keeps many writers near a limit, see allowance.c. */
#define WB_ALLOWANCE_MAX	1024UL	/* 4 MB of 4 KB pages: 2.5.32's most */
unsigned long wb_allowance_free(unsigned long distance);
unsigned long wb_allowance_soft(unsigned long distance);
unsigned long wb_allowance_paced(unsigned long bandwidth, unsigned int waiters);
unsigned long wb_allowance_held_max(const struct wb_limits *lim);
unsigned long wb_hold_pages(unsigned long pages_dirtied);

/* So many held at a device are a crowd: a caller may be one of a thousand. */
#define WB_CROWD	4

/**
 * wb_spare - the verdict for a caller who must not be held
 * @snap: what is known
 * @verdict: were it any caller
 *
 * A thread of the pool would wait for itself. A loop device's thread must never wait for what is
 * written through it. Its own device becomes clean without it, so it can be paced there, once that
 * device holds more than its share.
 */
static inline enum wb_verdict wb_spare(const struct wb_snapshot *snap, enum wb_verdict verdict)
{
	if (verdict < WB_PACE)
		return verdict;
	if (snap->writer)
		return WB_KICK;
	if (!snap->local)
		return verdict;
	return snap->dev_dirty + snap->dev_writeback > snap->dev_share ? WB_PACE : WB_KICK;
}

long wb_room(const struct wb_snapshot *snap);

/* What the engine asks a policy by, see decide.c. */
void wb_decide(const struct wb_policy *policy, const struct wb_snapshot *snap,
	       struct wb_decision *dec);
bool wb_anything_due(const struct wb_policy *policy, const struct wb_snapshot *snap);

/* ---- Devices ------------------------------------------------------------------------------ */

/* Why a device wants a thread: bits of wb_device.wanted. */
#define WB_WANT_BACKGROUND	1
#define WB_WANT_KUPDATE		2

/**
 * struct wb_device - a device that has, or lately had, dirty data
 * @hash: by @wb, RCU
 * @list: all of them; this and the other lists are read under RCU, changed under the device lock
 * @wb: the kernel's record, pinned as long as this lives
 * @disk: the device whose thread writes this one. With cgroup writeback one disk has several
 *	of the kernel's records, and they share its thread; else the device itself
 * @name: as users know it; kept, as the device's own goes away with it
 * @disk_node: in wb_disk_list, if this is a disk
 * @members: of a disk: the devices whose @disk it is, itself among them
 * @member: in those of @disk
 * @siblings: number of others whose @disk this is; changed under the device lock
 * @ref: one for being listed, one for each job, holder and sibling
 * @claimed: bit 0: a thread is at work here, or a job for one is accepted
 * @wanted: WB_WANT_ bits not yet served
 * @worker: pid of the thread at work, or 0
 * @waiters: callers held here
 * @ticket: where the last held caller's turn ends, in pages completed by the device
 * @bandwidth: pages a second it was seen to write, 0: not yet; kupdate writes it
 * @seen_written: pages completed, and
 * @seen_writeback: pages under way, and
 * @seen_us: when, as of the last kupdate round with something under way; kupdate only
 * @turn_us: when the thread at work began with its present device; of a disk
 * @pass: number of the last pass that has visited it; the claim's holder only
 * @draining: a writer has begun here, and goes on to the stop level; changed by the claim's holder
 * @clean_ticks: kupdate ticks since it last had anything dirty; kupdate only
 * @rcu: for freeing
 */
struct wb_device {
	struct hlist_node hash;
	struct list_head list;
	struct bdi_writeback *wb;
	struct wb_device *disk;
	char name[32];
	struct list_head disk_node;
	struct list_head members;
	struct list_head member;
	unsigned int siblings;
	refcount_t ref;
	unsigned long claimed;
	atomic_t wanted;
	pid_t worker;
	atomic_t waiters;
	atomic64_t ticket;
	unsigned long bandwidth;
	u64 seen_written;
	unsigned long seen_writeback;
	u64 seen_us;
	u64 turn_us;
	unsigned int pass;
	bool draining;
	unsigned int clean_ticks;
	struct rcu_head rcu;
};

/* Ticket arithmetic, pure: see ticket.c. */
u64 wb_ticket_next(u64 last, u64 written, u64 backlog, u64 share);
unsigned long wb_ticket_wait_ms(u64 ticket, u64 written, unsigned long bandwidth);

unsigned long wb_bandwidth_next(unsigned long old, u64 pages, u64 us);

u64 wb_ticket_draw(struct wb_device *dev, u64 written, u64 backlog, u64 share);
void wb_ticket_return(struct wb_device *dev, u64 share);

struct wb_device *wb_device_lookup(struct bdi_writeback *wb);
struct wb_device *wb_device_get(struct bdi_writeback *wb);
struct wb_device *wb_device_note(struct bdi_writeback *wb);
void wb_device_put(struct wb_device *dev);
void wb_device_want(struct wb_device *dev, int why);
void wb_devices_want(void);
void wb_devices_write_old(void);
bool wb_devices_old_due(void);
bool wb_device_next_wanted(pdflush_fn *fn, unsigned long *arg);
struct wb_device *wb_device_next_of(struct wb_device *disk, unsigned int pass);
bool wb_device_retire(struct wb_device *dev);
bool wb_device_retired(const struct wb_device *dev);
unsigned long wb_device_share(struct wb_device *dev, unsigned long whole);
unsigned int wb_devices(void);
unsigned int wb_held(void);
void wb_devices_each(void (*act)(struct bdi_writeback *wb));
void wb_devices_drop(void (*handover)(struct bdi_writeback *wb));
extern struct list_head wb_device_list;
extern struct list_head wb_disk_list;

/* ---- The engine --------------------------------------------------------------------------- */

/* What the engine may do now; see wb_engine_state(). */
enum wb_engine {
	WB_STOPPED,		/* not set up: nobody may be inside */
	WB_CHANGING,		/* half patched, or no pool: the stock threads write for us */
	WB_RUNNING,
	WB_STOPPING,		/* the pool comes to its end: nobody starts to write */
};

#define WB_NOWAIT	1	/* caller can't sleep: -EAGAIN instead of being held */

int wb_balance_dirty_pages(struct bdi_writeback *wb, unsigned long pages_dirtied,
			   unsigned int flags);
void wb_take_snapshot(struct bdi_writeback *wb, struct wb_device *dev, struct wb_snapshot *snap);
bool wb_over_background(struct bdi_writeback *wb);
bool wb_still_over(struct bdi_writeback *wb, const struct wb_device *dev);
bool wb_writer_goes_on(struct bdi_writeback *wb);
bool wb_writer_must_leave(void);
void wb_machine_limits(struct dirty_domain *dom);
void wb_stock_is(unsigned long background, unsigned long dirty);
void wb_stock_may_hold(bool may);
enum wb_engine wb_engine_state(void);
void wb_engine_set_state(enum wb_engine state);

void wb_get_settings(struct wb_settings *set);
struct wb_settings *wb_settings_lock(void);
void wb_settings_unlock(void);

/* The jobs. Each takes a struct wb_device * cast to unsigned long, wb_kupdate() nothing. */
void wb_device_work(unsigned long arg);
void background_writeout(struct wb_device *dev);
void wb_write_old(struct wb_device *dev);
void wb_kupdate(unsigned long unused);
void wb_kupdate_arm(void);
void wb_kupdate_start(void);
void wb_kupdate_stop(void);
void wb_kupdate_pause(void);
void wb_kupdate_resume(void);

/* ---- Counters ------------------------------------------------------------------------------ */

enum wb_count {
	WB_COUNT_VERDICT,	/* one for each of enum wb_verdict */
	WB_COUNT_STALLED_US = WB_COUNT_VERDICT + WB_NR_VERDICTS,
	WB_COUNT_BY_PDFLUSH,	/* pages */
	WB_COUNT_BY_KUPDATE,	/* pages */
	WB_NR_COUNTS
};

#define WB_STALL_SLOTS	28	/* of the log2 histogram, in us: the last is 2^27 us, 2 minutes */

void wb_count(enum wb_count what, unsigned long n);
u64 wb_counted(enum wb_count what);
void wb_count_stall(u64 us);
u64 wb_stalls_in_slot(unsigned int slot);
u64 wb_stall_max_us(void);
void wb_counts_reset(void);

/* ---- The host ------------------------------------------------------------------------------
 * What the engine needs done. host-kernel.c does it in the kernel, the simulator's host does it
 * there; which one is decided at link time.
 */

/**
 * struct wb_device_counts - a device as the host measures it, in pages
 * @dirty: dirty pages
 * @writeback: pages on their way
 * @written: pages completed since the device came; never goes back
 * @bandwidth: pages a second, at least 1
 * @max_part: largest part of the limits that it may take, in hundredths of a percent
 * @strict: it is throttled by that part alone
 */
struct wb_device_counts {
	unsigned long dirty;
	unsigned long writeback;
	u64 written;
	unsigned long bandwidth;
	unsigned int max_part;
	bool strict;
};

/**
 * wb_device_bandwidth - how fast a device writes, pages a second
 * @dev: the device, or NULL
 * @counts: as the host measures it
 *
 * As we saw it write; else as the host believes.
 */
static inline unsigned long wb_device_bandwidth(const struct wb_device *dev,
						const struct wb_device_counts *counts)
{
	unsigned long seen = dev ? READ_ONCE(dev->bandwidth) : 0;

	return seen ?: counts->bandwidth;
}

/* What somebody has sent to a thread that has called host_allow_stop(). */
enum host_signal { HOST_NO_SIGNAL, HOST_STOP, HOST_CONTINUE };

void host_memory(struct wb_memory *mem);
void host_device_counts(struct bdi_writeback *wb, struct wb_device_counts *counts);
void host_device_counts_exact(struct bdi_writeback *wb, struct wb_device_counts *counts);
bool host_device_alive(struct bdi_writeback *wb);
bool host_device_has_dirty(struct bdi_writeback *wb);
bool host_device_pin(struct bdi_writeback *wb);
void host_device_unpin(struct bdi_writeback *wb);
struct bdi_writeback *host_device_disk(struct bdi_writeback *wb);
void host_device_name(struct bdi_writeback *wb, char *buf, size_t size);
bool host_old_data_due(struct bdi_writeback *wb);
void host_make_old_data_due(struct bdi_writeback *wb);
unsigned int host_old_data_interval(void);
void host_set_old_data_interval(unsigned int centisecs);
int host_old_data_age(unsigned int *centisecs);
int host_set_old_data_age(unsigned int centisecs);
void host_write_device(struct bdi_writeback *wb);
void host_wake_stock(struct bdi_writeback *wb);
void host_arm_stock(struct bdi_writeback *wb);
void host_hand_over(struct bdi_writeback *wb);
bool host_group_domain(struct bdi_writeback *wb, const struct wb_settings *set,
		       unsigned long machine, struct dirty_domain *dom);
void host_caller(struct wb_snapshot *snap);
void host_set_allowance(struct bdi_writeback *wb, unsigned long pages, bool exceeded);
bool host_hold_caller(struct bdi_writeback *wb, unsigned long ms);
bool host_caller_must_leave(void);
void host_allow_stop(void);
enum host_signal host_take_signal(void);
void host_stop_here(void);
void host_continue(struct task_struct *task);
int host_show_bdflush_file(void);
void host_hide_bdflush_file(void);
u64 host_now_us(void);
bool host_laptop_mode(void);

#endif
