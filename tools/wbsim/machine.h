/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The simulated machine: memory, files, devices, and how the kernel writes them.
 */
#ifndef _SIM_MACHINE_H
#define _SIM_MACHINE_H

#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/page-writeback.h>
#include "ranges.h"
#include "sim.h"
#include "wbt.h"

#define PAGES_PER_MB	((1UL << 20) / PAGE_SIZE)

/* Who had a page written. */
enum by {
	BY_BACKGROUND,
	BY_KUPDATE,
	BY_SYNC,
	BY_JOURNAL,
	BY_CALLER,
	BY_RECLAIM,
	NR_BY
};

/* ---- The machine ---------------------------------------------------------------------------- */

/**
 * struct machine - what there is once
 * @cpus: number
 * @page_ns: CPU time to copy a page into the cache
 * @new_page_ns: CPU time of a page that a write adds to the cache, besides
 * @call_ns: CPU time of a system call
 * @slice_ns: see sim_set_slice()
 * @total: memory, pages
 * @reserve: of it, kept free by the kernel
 * @programs: used by programs and the kernel
 * @clean: file cache, neither dirty nor under way
 * @dirty: dirty pages
 * @writeback: pages under way
 * @both: pages that are dirty again while under way
 * @peak: most dirty and under way at any time
 * @written: pages written, by whom
 * @dirtied: pages that became dirty
 * @freed: waits for memory
 * @memory_stalled_ns: time that tasks waited for memory
 * @fs_stalled_ns: and for a journal
 * @interval_cs: dirty_writeback_centisecs
 * @old_since: when what counts as old was last changed
 * @expire_cs: dirty_expire_centisecs
 * @writers: tasks that may dirty pages
 * @tuning: so many are just changing thresholds
 * @changes: counts changes of the counters that a verdict depends on
 */
struct machine {
	unsigned int cpus;
	u64 page_ns;
	u64 new_page_ns;
	u64 call_ns;
	u64 slice_ns;
	unsigned long total;
	unsigned long reserve;
	unsigned long programs;
	unsigned long clean;
	unsigned long dirty;
	unsigned long writeback;
	unsigned long both;
	unsigned long peak;
	u64 written[NR_BY];
	u64 dirtied;
	struct sim_wait freed;
	u64 memory_stalled_ns;
	u64 fs_stalled_ns;
	unsigned int interval_cs;
	u64 old_since;
	unsigned int expire_cs;
	unsigned int writers;
	unsigned int tuning;
	u64 changes;
	struct rng rng;
};

extern struct machine machine;

unsigned long memory_free(void);
void memory_get(unsigned long pages);
void memory_grow_programs(unsigned long pages);
void memory_shrink_programs(unsigned long pages);
void memory_released(void);

/* ---- Disks ----------------------------------------------------------------------------------- */

enum elevator {
	ELEVATOR_NONE,		/* as they come */
	ELEVATOR_SORTED,	/* one sweep over the disk, reads and writes alike */
	ELEVATOR_DEADLINE	/* sorted, reads first */
};

/* For whoever waits for a number of requests. */
struct batch {
	unsigned int left;
	struct sim_wait wait;
};

struct sim_file;
struct sim_disk;

/**
 * struct bio - pages of a file that are written together
 * @file: whose; the bio has a use of it
 * @page: the first
 * @pages: how many
 * @left: requests that have a part of it, and who sends it off
 *
 * All of it counts as written at the same moment, when its last request is done.
 */
struct bio {
	struct sim_file *file;
	u64 page;
	u32 pages;
	unsigned int left;
};

struct bio *bio_new(struct sim_file *file, u64 page, u32 pages);
void bio_put(struct bio *bio);

struct request {
	struct list_head queue;
	struct sim_disk *disk;
	struct list_head parts;	/* written: of these bios */
	struct batch *batch;
	struct sim_event done;
	u64 lba;
	u32 pages;
	u64 queued_at;
	bool write;
	bool in_writes;		/* waits in the queue of writes */
};

struct rate_change {
	u64 at;
	u64 rate;
};

#define MAX_RATE_CHANGES 16

/**
 * struct sim_disk - a disk
 * @rate: bytes a second
 * @seek_ns: over a third of it
 * @same_seek: however far, a seek takes all of that
 * @turn_ns: one rotation
 * @pages: size
 * @depth: requests it works at at once
 * @slots: writes that may queue
 * @takes_in: of these it has so many itself, and in its order; further ones may still be merged.
 *	0: none are
 * @wbt: and of these so many at once, if it has that throttle
 * @max_request: pages in a request
 * @max_bio: pages that a file system sends in one piece, and that count as written together
 * @piece: pages of a file that are in a row, or 0: all
 * @elevator: the order of requests
 * @stall_every_ns: now and then it does nothing
 * @stall_ns: for so long
 * @change: rates at later times
 */
struct sim_disk {
	u64 rate;
	u64 seek_ns;
	bool same_seek;
	u64 turn_ns;
	u64 pages;
	unsigned int depth;
	unsigned int slots;
	unsigned int takes_in;
	struct wbt wbt;
	unsigned int max_request;
	unsigned int max_bio;
	unsigned int piece;
	enum elevator elevator;
	u64 stall_every_ns;
	u64 stall_ns;
	struct rate_change change[MAX_RATE_CHANGES];
	unsigned int changes;
	u64 unplug_at;

	/* how it is */
	struct list_head reads;
	struct list_head writes;
	struct list_head working;
	unsigned int queued_writes;
	unsigned int busy;
	unsigned int reads_in_row;
	struct request *sweep[2];	/* reads, writes: next on the way up, or NULL */
	u64 head;
	u64 free_at;		/* the wire */
	struct sim_wait slot_free;
	struct sim_event retry;
	bool gone;
	u64 busy_ns;
	u64 read_pages;
	u64 written_pages;
	struct rng rng;
	u64 next_lba;
};

void disk_init(struct sim_disk *disk, u64 number);
void disk_write(struct sim_disk *disk, struct bio *bio, u64 lba, u32 pages, enum by who,
		struct batch *batch);
void disk_read(struct sim_disk *disk, u64 lba, u64 pages);
void disk_unplug(struct sim_disk *disk);
u64 disk_rate_now(const struct sim_disk *disk);

void batch_init(struct batch *batch);
void batch_wait(struct batch *batch);

/* ---- Devices with a file system -------------------------------------------------------------- */

#define WB_registered	0
#define WB_has_dirty_io	1
#define WB_start_all	2

struct journal;

/**
 * struct bdi_writeback - the kernel's record of a device
 *
 * Named as the engine knows it. @b_dirty, @b_io and @b_more_io hold files as the kernel's hold
 * inodes, under @list_lock.
 */
struct bdi_writeback {
	char name[32];
	unsigned int number;
	struct sim_disk disk;
	unsigned long state;
	spinlock_t list_lock;
	spinlock_t work_lock;
	struct list_head b_dirty;
	struct list_head b_io;
	struct list_head b_more_io;
	struct list_head work_list;
	struct delayed_work dwork;
	unsigned long last_old_flush;
	unsigned long nr_dirty;
	unsigned long nr_writeback;
	u64 nr_written;
	u64 nr_dirtied;
	unsigned long bandwidth;
	u64 bandwidth_at;
	u64 bandwidth_written;
	int dirty_exceeded;
	int pins;
	struct journal *journal;
	struct list_head files;
	struct sim_event unplug;
	/* for the invariants */
	unsigned int pool_writers;
	unsigned int held;
	u64 pass_began;
	u64 last_pass_ns;
	u64 lonely_since;	/* nobody writes it, though somebody is held or it is wanted */
};

extern struct bdi_writeback **devices;
extern unsigned int nr_devices;

struct bdi_writeback *device_alloc(void);
void devices_free(void);
void device_init(struct bdi_writeback *wb, const char *name, unsigned int number);
void device_unplug(struct bdi_writeback *wb);

/* ---- Files ----------------------------------------------------------------------------------- */

/**
 * struct sim_file - a file
 * @wb: its device
 * @lba: where its first page is
 * @pages: its size
 * @dirty: dirty pages
 * @under: pages under way
 * @clean: other pages in the cache
 * @both: pages both dirty and under way
 * @dirtied_when: jiffies of its first dirtying since it was clean
 * @io_list: in a list of its device's record while dirty
 * @next_index: the walker goes on from there
 * @syncing: somebody writes it (I_SYNC)
 * @removed: to be freed when nobody uses it
 */
struct sim_file {
	struct bdi_writeback *wb;
	u64 lba;
	u64 room;
	u64 pages;
	struct ranges dirty;
	struct ranges under;
	struct ranges clean;
	u64 both;
	unsigned long dirtied_when;
	struct list_head io_list;
	u64 next_index;
	bool syncing;
	bool removed;
	unsigned int users;
	struct list_head all;
	struct list_head lru;
	struct list_head ordered;	/* in its journal, if its data must go first */
	u64 ordered_start;		/* that part of it, pages */
	u64 ordered_end;
	u64 copied;		/* the commit that has copies of its blocks */
	u64 copied_map;		/* and of those that a block of page numbers changes */
	struct sim_wait wait;
};

extern struct list_head file_lru;

struct sim_file *file_new(struct bdi_writeback *wb, u64 pages, unsigned int group);
int file_write(struct sim_file *file, u64 offset, u64 bytes);
void file_read(struct sim_file *file, u64 offset, u64 bytes);
void file_fsync(struct sim_file *file);
void file_truncate(struct sim_file *file);
void file_remove(struct sim_file *file);
void file_put(struct sim_file *file);
u64 file_write_out(struct sim_file *file, u64 nr, u64 stamp, enum by by, struct batch *batch);
void file_write_range(struct sim_file *file, u64 start, u64 end, enum by by, struct batch *batch);
void file_dirty(struct sim_file *file, u64 start, u64 end);
void file_page_done(struct sim_file *file, u64 page, u32 pages);
u64 file_drop_clean(struct sim_file *file, u64 pages);
void file_forget(struct sim_file *file);
void file_wait_written(struct sim_file *file);

/* ---- The kernel's walker --------------------------------------------------------------------- */

void walker_note_dirty(struct sim_file *file);
void walker_forget(struct sim_file *file);
void walker_queue(struct bdi_writeback *wb, u64 pages, bool integrity, struct batch *done);
void walker_start_all(void);
u64 walker_write(struct bdi_writeback *wb, u64 pages, enum by by, bool older, unsigned long than);
void walker_workfn(struct work_struct *work);
void walker_lock_file(struct sim_file *file);
void walker_unlock_file(struct sim_file *file);

/* ---- Journals -------------------------------------------------------------------------------- */

void journal_create(struct bdi_writeback *wb, u64 every_ns);
void journal_begin(struct sim_file *file, u64 end);
void journal_add(struct sim_file *file, u64 start, u64 end);
void journal_gone(struct bdi_writeback *wb);
void journal_commit(struct bdi_writeback *wb);
void journal_free(struct bdi_writeback *wb);

/* ---- The engine in the machine --------------------------------------------------------------- */

void policies_register(void);
bool engine_open_file(void);
void engine_close_file(void);
bool engine_select_policy(const char *name);
bool engine_signal_kupdated(enum host_signal signal);
void engine_reset(void);
void host_send(struct task_struct *task, enum host_signal signal);
extern bool engine_in_transition;
extern struct mutex engine_mutex;
void engine_attach(void);
void engine_detach(void);
void engine_turn_round(void);
bool engine_is_asked(void);
void engine_dirty_device(struct bdi_writeback *wb);
void engine_balance(struct bdi_writeback *wb, unsigned long pages);
u64 sim_hold_ns(void);

/* 2.5.31 as it was: old-2531.c */
extern bool old_2531;
void old_balance(struct bdi_writeback *wb);
void old_start(void);
void old_stop(void);

void sim_sync(void);

#endif
