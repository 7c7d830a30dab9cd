// SPDX-License-Identifier: GPL-2.0
/*
 * How the kernel writes a device, as far as the engine can tell: files in the order of their first
 * dirtying, a chunk of each in turn, asking before every round whether to go on. Two may be at it
 * at once; a file is written by one of them.
 */
#include "invariant.h"
#include "machine.h"

#define CHUNK_MIN	1024UL		/* 4 MB */

/**
 * struct work - something to be written
 * @list: in the device's list of explicit work
 * @left: pages
 * @by: who asked
 * @integrity: files in use by another are waited for, and what is written too
 * @background: only while the engine says so
 * @kupdate: only what is old
 * @since: pages dirtied later don't count, ns
 * @done: told of the end, or NULL
 */
struct work {
	struct list_head list;
	u64 left;
	enum by by;
	bool integrity;
	bool background;
	bool kupdate;
	u64 since;
	struct batch *done;
};

/* ---- The lists ------------------------------------------------------------------------------- */

static bool lists_empty(const struct bdi_writeback *wb)
{
	return list_empty(&wb->b_dirty) && list_empty(&wb->b_io) && list_empty(&wb->b_more_io);
}

/* Under list_lock. */
static void put_on(struct sim_file *file, struct list_head *list)
{
	struct bdi_writeback *wb = file->wb;
	bool first = lists_empty(wb);

	list_del_init(&file->io_list);
	list_add_tail(&file->io_list, list);
	if (first) {
		wb->state |= 1UL << WB_has_dirty_io;
		sim_point();
		engine_dirty_device(wb);
	}
}

/* Under list_lock. */
static void take_off(struct sim_file *file)
{
	struct bdi_writeback *wb = file->wb;

	list_del_init(&file->io_list);
	if (lists_empty(wb))
		wb->state &= ~(1UL << WB_has_dirty_io);
}

/* Under list_lock: to the young ones, no older than the youngest there. */
static void put_back(struct sim_file *file)
{
	struct bdi_writeback *wb = file->wb;

	if (!list_empty(&wb->b_dirty)) {
		struct sim_file *youngest = list_last_entry(&wb->b_dirty, struct sim_file, io_list);

		if (time_before(file->dirtied_when, youngest->dirtied_when))
			file->dirtied_when = jiffies;
	}
	put_on(file, &wb->b_dirty);
}

/**
 * walker_note_dirty - a clean file has become dirty
 * @file: the file
 */
void walker_note_dirty(struct sim_file *file)
{
	struct bdi_writeback *wb = file->wb;

	spin_lock(&wb->list_lock);
	/* who writes it puts it on a list afterwards */
	if (!file->syncing && !wb->disk.gone && list_empty(&file->io_list)) {
		file->dirtied_when = jiffies;
		put_on(file, &wb->b_dirty);
	}
	spin_unlock(&wb->list_lock);
}

/**
 * walker_forget - a file is no longer to be written
 * @file: the file
 */
void walker_forget(struct sim_file *file)
{
	/* may be called where nobody can wait for the lock: no switch point is in its sections */
	if (!list_empty(&file->io_list))
		take_off(file);
}

/* Under list_lock: files dirtied no later than @than. */
static void queue_io(struct bdi_writeback *wb, bool older, unsigned long than)
{
	while (!list_empty(&wb->b_more_io))
		list_move_tail(wb->b_more_io.next, &wb->b_io);
	while (!list_empty(&wb->b_dirty)) {
		struct sim_file *file = list_first_entry(&wb->b_dirty, struct sim_file, io_list);

		if (older && time_after(file->dirtied_when, than))
			break;
		list_move_tail(&file->io_list, &wb->b_io);
	}
}

/* ---- Writing --------------------------------------------------------------------------------- */

/**
 * walker_lock_file - become the only one who writes a file
 * @file: the file
 */
void walker_lock_file(struct sim_file *file)
{
	sim_pay();
	while (file->syncing)
		sim_wait_on(&file->wait);
	file->syncing = true;
}

/**
 * walker_unlock_file - let others write it
 * @file: the file
 */
void walker_unlock_file(struct sim_file *file)
{
	file->syncing = false;
	sim_wake_all(&file->wait);
}

/*
 * Half a second's worth at the device's speed, but no more than an eighth of the stock engine's
 * limit, 20 % of what can be dirty.
 */
static u64 chunk_of(const struct bdi_writeback *wb, const struct work *work)
{
	unsigned long used = machine.programs + machine.reserve, limit;
	u64 pages;

	if (work->integrity)
		return U64_MAX;
	limit = (machine.total - min(used, machine.total)) / 5;
	pages = min3(wb->bandwidth / 2, limit / 8, (unsigned long)work->left);
	return (pages + CHUNK_MIN) / CHUNK_MIN * CHUNK_MIN;
}

/* Under list_lock: where a file goes that was just written. */
static void requeue(struct sim_file *file, bool slice_used_up, bool integrity)
{
	if (file->removed || file->wb->disk.gone) {
		if (!list_empty(&file->io_list))
			take_off(file);
		return;
	}
	if (!file->dirty.pages) {
		if (!list_empty(&file->io_list))
			take_off(file);
		return;
	}
	if (integrity)
		file->dirtied_when = jiffies;
	if (slice_used_up)
		put_on(file, &file->wb->b_more_io);
	else
		put_back(file);
}

/* After a pause in which nothing was under way, the measuring begins anew. */
static void begin_bandwidth(struct bdi_writeback *wb)
{
	if (wb->nr_writeback || sim_clock - wb->bandwidth_at < 200 * NSEC_PER_MSEC)
		return;
	wb->bandwidth_at = sim_clock;
	wb->bandwidth_written = wb->nr_written;
}

/* Under list_lock, which is dropped meanwhile. Returns what was written. */
static u64 write_file(struct sim_file *file, struct work *work)
{
	struct bdi_writeback *wb = file->wb;
	u64 chunk = chunk_of(wb, work), sum;

	file->syncing = true;
	file->users++;
	spin_unlock(&wb->list_lock);
	begin_bandwidth(wb);
	sum = file_write_out(file, chunk, work->since, work->by, NULL);
	if (work->integrity)
		file_wait_written(file);
	sim_pay();
	spin_lock(&wb->list_lock);
	walker_unlock_file(file);
	requeue(file, sum >= chunk, work->integrity);
	work->left -= min(sum, work->left);
	if ((work->background || work->kupdate) && wb_writer_must_leave())
		work->left = 0;
	if (!file->dirty.pages)
		sum++;		/* progress, even if another wrote it */
	file_put(file);
	return sum;
}

/* Under list_lock, which is dropped meanwhile: until nobody writes a file. */
static void wait_for_file(struct sim_file *file)
{
	struct bdi_writeback *wb = file->wb;

	file->users++;
	spin_unlock(&wb->list_lock);
	sim_pay();
	while (file->syncing)
		sim_wait_on(&file->wait);
	file_put(file);
	spin_lock(&wb->list_lock);
}

/* Under list_lock. Returns what was written. */
static u64 write_files(struct bdi_writeback *wb, struct work *work)
{
	unsigned long started = jiffies;
	u64 sum = 0;

	while (!list_empty(&wb->b_io)) {
		struct sim_file *file = list_first_entry(&wb->b_io, struct sim_file, io_list);

		if (file->syncing && !work->integrity) {
			list_move_tail(&file->io_list, &wb->b_more_io);
			continue;
		}
		if (file->syncing) {
			wait_for_file(file);
			continue;
		}
		sum += write_file(file, work);
		if (sum && (!work->left || time_after(jiffies, started + HZ / 10)))
			break;
	}
	return sum;
}

/* The kernel's estimate: over at least 200 ms, and slow to change. */
static void update_bandwidth(struct bdi_writeback *wb)
{
	u64 ns = sim_clock - wb->bandwidth_at, seen;
	const u64 period = 3 * NSEC_PER_SEC;

	if (ns < 200 * NSEC_PER_MSEC)
		return;
	seen = (wb->nr_written - wb->bandwidth_written) * NSEC_PER_SEC / ns;
	ns = min(ns, period);
	wb->bandwidth = max((unsigned long)((seen * (ns / 1000) +
					     wb->bandwidth * ((period - ns) / 1000)) /
					    (period / 1000)), 1UL);
	wb->bandwidth_at = sim_clock;
	wb->bandwidth_written = wb->nr_written;
}

/* The stock rule: a tenth of what can be dirty. */
static bool stock_goes_on(void)
{
	struct wb_memory mem;

	host_memory(&mem);
	return mem.dirty > wb_dirtyable(&mem) / 10;
}

/* Ask the engine, as the kernel does under the same lock. */
static bool engine_goes_on(struct bdi_writeback *wb)
{
	bool running = wb_engine_state() == WB_RUNNING;
	u64 changes = machine.changes;

	if (old_2531)
		return false;
	if (!engine_is_asked())
		return stock_goes_on();
	if (wb_writer_goes_on(wb))
		return true;
	if (running && current_is_pdflush())
		invariant_worker_stopped(wb, changes);
	return false;
}

static u64 do_work(struct bdi_writeback *wb, struct work *work)
{
	u64 total = 0, sum;

	spin_lock(&wb->list_lock);
	while (work->left && !wb->disk.gone) {
		unsigned long than = jiffies;

		if ((work->background || work->kupdate) && !list_empty(&wb->work_list))
			break;
		if (work->background && !engine_goes_on(wb))
			break;
		if (work->kupdate)
			than -= msecs_to_jiffies(machine.expire_cs * 10);
		if (list_empty(&wb->b_io))
			queue_io(wb, work->kupdate, than);
		sum = write_files(wb, work);
		update_bandwidth(wb);
		total += sum;
		if (sum)
			continue;
		if (list_empty(&wb->b_more_io))
			break;
		/* all that remains is being written by others */
		wait_for_file(list_first_entry(&wb->b_more_io, struct sim_file, io_list));
	}
	spin_unlock(&wb->list_lock);
	return total;
}

static void check_old_data(struct bdi_writeback *wb)
{
	struct work work = { .kupdate = true, .by = BY_KUPDATE, .since = U64_MAX };

	if (!machine.interval_cs ||
	    time_before(jiffies, wb->last_old_flush + msecs_to_jiffies(machine.interval_cs * 10)))
		return;
	wb->last_old_flush = jiffies;
	work.left = machine.dirty;
	wb->pass_began = sim_clock;
	do_work(wb, &work);
	wb->last_pass_ns = max(wb->last_pass_ns, sim_clock - wb->pass_began);
	wb->pass_began = 0;
}

static void check_background(struct bdi_writeback *wb)
{
	struct work work = {
		.background = true, .by = BY_BACKGROUND, .left = U64_MAX, .since = U64_MAX,
	};

	do_work(wb, &work);
}

static struct work *next_explicit(struct bdi_writeback *wb)
{
	struct work *work;

	spin_lock_irq(&wb->work_lock);
	work = list_first_entry_or_null(&wb->work_list, struct work, list);
	if (work)
		list_del(&work->list);
	spin_unlock_irq(&wb->work_lock);
	return work;
}

/* All that a thread may find to do at a device. */
static void do_writeback(struct bdi_writeback *wb)
{
	struct work *work;

	while ((work = next_explicit(wb))) {
		do_work(wb, work);
		if (work->done && !--work->done->left)
			sim_wake_all(&work->done->wait);
		free(work);
	}
	if (test_and_clear_bit(WB_start_all, &wb->state)) {
		struct work all = { .left = wb->nr_dirty, .by = BY_RECLAIM, .since = U64_MAX };

		do_work(wb, &all);
	}
	check_old_data(wb);
	check_background(wb);
}

/**
 * walker_workfn - the kernel's wb_workfn
 * @work: a device's
 */
void walker_workfn(struct work_struct *work)
{
	struct bdi_writeback *wb = container_of(work, struct bdi_writeback, dwork.work);

	do {
		do_writeback(wb);
	} while (!list_empty(&wb->work_list));
	if (test_bit(WB_has_dirty_io, &wb->state) && machine.interval_cs)
		engine_dirty_device(wb);
}

/**
 * walker_queue - have the device's stock thread write
 * @wb: the device
 * @pages: so many
 * @integrity: all that is dirty now, waited for
 * @done: told of the end, or NULL
 */
void walker_queue(struct bdi_writeback *wb, u64 pages, bool integrity, struct batch *done)
{
	struct work *work = calloc(1, sizeof(*work));

	if (!work)
		sim_fail("no memory for work");
	work->left = pages;
	work->integrity = integrity;
	work->by = BY_SYNC;
	work->since = sim_clock;
	work->done = done;
	if (done)
		done->left++;
	spin_lock_irq(&wb->work_lock);
	list_add_tail(&work->list, &wb->work_list);
	mod_delayed_work(system_unbound_wq, &wb->dwork, 0);
	spin_unlock_irq(&wb->work_lock);
}

/**
 * walker_start_all - memory is short: have the stock threads write everything
 */
void walker_start_all(void)
{
	unsigned int i;

	for (i = 0; i < nr_devices; i++) {
		struct bdi_writeback *wb = devices[i];

		if (!test_bit(WB_has_dirty_io, &wb->state) || test_bit(WB_start_all, &wb->state))
			continue;
		set_bit(WB_start_all, &wb->state);
		spin_lock_irq(&wb->work_lock);
		mod_delayed_work(system_unbound_wq, &wb->dwork, 0);
		spin_unlock_irq(&wb->work_lock);
	}
}

/**
 * walker_write - write some of a device in the calling task
 * @wb: the device
 * @pages: at most so many
 * @by: who
 * @older: only files that were dirtied no later
 * @than: than this, jiffies
 *
 * Returns the number of pages.
 */
u64 walker_write(struct bdi_writeback *wb, u64 pages, enum by by, bool older, unsigned long than)
{
	struct work work = { .left = pages, .by = by, .since = U64_MAX };
	u64 total = 0;

	spin_lock(&wb->list_lock);
	if (list_empty(&wb->b_io))
		queue_io(wb, older, than);
	while (!list_empty(&wb->b_io) && work.left && !wb->disk.gone) {
		struct sim_file *file = list_first_entry(&wb->b_io, struct sim_file, io_list);
		u64 sum;

		if (file->syncing && by != BY_CALLER) {
			list_move_tail(&file->io_list, &wb->b_more_io);
			continue;
		}
		if (file->syncing) {
			wait_for_file(file);
			continue;
		}
		file->syncing = true;
		file->users++;
		spin_unlock(&wb->list_lock);
		sum = file_write_out(file, work.left, U64_MAX, by, NULL);
		spin_lock(&wb->list_lock);
		walker_unlock_file(file);
		requeue(file, sum >= work.left, false);
		file_put(file);
		work.left -= min(sum, work.left);
		total += sum;
	}
	spin_unlock(&wb->list_lock);
	return total;
}

/**
 * sim_sync - sync(): write everything and wait for it
 */
void sim_sync(void)
{
	struct batch batch;
	unsigned int i;

	batch_init(&batch);
	for (i = 0; i < nr_devices; i++)
		if (test_bit(WB_has_dirty_io, &devices[i]->state))
			walker_queue(devices[i], U64_MAX, true, &batch);
	batch_wait(&batch);
	for (i = 0; i < nr_devices; i++)
		if (devices[i]->journal)
			journal_commit(devices[i]);
}
