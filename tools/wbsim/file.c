// SPDX-License-Identifier: GPL-2.0
/*
 * Files: which of their pages are dirty, under way or clean in the cache, and what programs do
 * with them.
 */
#include <linux/errno.h>
#include "machine.h"

#define AGE_STEP	NSEC_PER_SEC	/* pages dirtied within are of one age */
#define PAY_NS		(500 * NSEC_PER_USEC)	/* CPU time is spent in lumps of about this */
#define CHUNK		1024UL
#define READAHEAD	32UL

LIST_HEAD(file_lru);

static void touch(struct sim_file *file)
{
	list_move_tail(&file->lru, &file_lru);
}

#define DIRECT		12UL	/* ext2: behind so many pages their numbers need a block */

/* Where a page is. Between pieces there is a page of something else, so that they do not touch. */
static u64 lba_of(const struct sim_file *file, u64 page)
{
	unsigned int piece = file->wb->disk.piece;

	return file->lba + page + (piece ? page / piece + (page >= DIRECT) : 0);
}

static void spend(u64 ns)
{
	sim_charge(ns);
	if (sim_me()->charge >= PAY_NS)
		sim_pay();
}

/**
 * file_new - make an empty file
 * @wb: where
 * @pages: room for so many
 * @group: 0: behind the last such file; else files of one number are near each other
 */
struct sim_file *file_new(struct bdi_writeback *wb, u64 pages, unsigned int group)
{
	struct sim_file *file = calloc(1, sizeof(*file));
	struct sim_disk *disk = &wb->disk;
	u64 part = disk->pages / 128, room = pages;

	if (disk->piece)
		room += pages / disk->piece + 1;
	if (!file)
		sim_fail("no memory for a file");
	file->wb = wb;
	file->room = pages;
	file->users = 1;
	if (group && room < part) {
		file->lba = (1 + group % 127) * part + rng_below(&machine.rng, part - room);
	} else {
		if (disk->next_lba + room > disk->pages)
			disk->next_lba = part;
		file->lba = disk->next_lba;
		disk->next_lba += room;
	}
	INIT_LIST_HEAD(&file->io_list);
	INIT_LIST_HEAD(&file->ordered);
	list_add_tail(&file->all, &wb->files);
	list_add_tail(&file->lru, &file_lru);
	sim_wait_init(&file->wait);
	return file;
}

/**
 * file_put - a user of a file less
 * @file: freed with the last one
 */
void file_put(struct sim_file *file)
{
	if (--file->users)
		return;
	list_del_init(&file->ordered);
	list_del(&file->all);
	list_del(&file->lru);
	ranges_clear(&file->dirty);
	ranges_clear(&file->under);
	ranges_clear(&file->clean);
	free(file);
}

/* ---- Dirtying -------------------------------------------------------------------------------- */

/* Pages in both sets. */
static u64 overlap(const struct ranges *a, const struct ranges *b, u64 start, u64 end)
{
	const struct range *range;
	u64 sum = 0;

	if (!a->used || !b->used)
		return 0;
	while (start < end && (range = ranges_from(a, start)) && range->start < end) {
		sum += ranges_count(b, max(range->start, start), min(range->end, end));
		start = range->end;
	}
	return sum;
}

static void grow_both(struct sim_file *file, u64 more)
{
	file->both += more;
	machine.both += more;
}

/* Pages that need memory. */
static u64 absent(const struct sim_file *file, u64 start, u64 end)
{
	return end - start - ranges_count(&file->clean, start, end) -
	       ranges_count(&file->dirty, start, end) - ranges_count(&file->under, start, end) +
	       overlap(&file->dirty, &file->under, start, end);
}

/* Returns how many became dirty. */
static u64 make_dirty(struct sim_file *file, u64 start, u64 end)
{
	struct bdi_writeback *wb = file->wb;
	u64 both = overlap(&file->dirty, &file->under, start, end), newly;
	bool was_clean = !file->dirty.pages;

	machine.clean -= ranges_del(&file->clean, start, end);
	newly = ranges_add(&file->dirty, start, end, sim_clock / AGE_STEP * AGE_STEP);
	grow_both(file, ranges_count(&file->under, start, end) - both);
	machine.dirty += newly;
	machine.dirtied += newly;
	wb->nr_dirty += newly;
	wb->nr_dirtied += newly;
	machine.peak = max(machine.peak, machine.dirty + machine.writeback);
	machine.changes++;
	if (was_clean && newly)
		walker_note_dirty(file);
	return newly;
}

/**
 * file_dirty - the file system itself changes pages of a file
 * @file: the file
 * @start: the first page
 * @end: behind the last
 *
 * May wait for memory, not for the engine.
 */
void file_dirty(struct sim_file *file, u64 start, u64 end)
{
	u64 new = absent(file, start, end);

	if (new)
		memory_get(new);
	if (!file->wb->disk.gone)
		make_dirty(file, start, end);
}

static void drop_dirty(struct sim_file *file, u64 start, u64 end)
{
	u64 both = overlap(&file->dirty, &file->under, start, end);
	u64 gone = ranges_del(&file->dirty, start, end);

	grow_both(file, -both);
	machine.dirty -= gone;
	file->wb->nr_dirty -= gone;
	machine.changes++;
}

/* As the kernel's write path does for each page: enter the engine when the allowance is used up. */
static unsigned long allowance_left(struct bdi_writeback *wb)
{
	int limit = current->nr_dirtied_pause;

	if (old_2531)
		limit = 129;
	else if (wb->dirty_exceeded)
		limit = min(limit, 8);
	return current->nr_dirtied >= limit ? 1 : limit - current->nr_dirtied;
}

static void ratelimited_balance(struct bdi_writeback *wb)
{
	/* many tasks with large allowances: each CPU lets only so many pages pass */
	static unsigned long since;
	unsigned long per_cpu = max(machine.total / 5 / (machine.cpus * 32), 16UL);
	int limit = current->nr_dirtied_pause;

	if (old_2531) {
		if (current->nr_dirtied > 128) {
			current->nr_dirtied = 0;
			old_balance(wb);
		}
		return;
	}
	if (wb->dirty_exceeded)
		limit = min(limit, 8);
	since = current->nr_dirtied >= limit ? 0 : since + 1;
	if (since >= per_cpu * machine.cpus) {
		since = 0;
		limit = 0;
	}
	if (current->nr_dirtied >= limit)
		engine_balance(wb, current->nr_dirtied);
}

/**
 * file_write - write to a file, through the cache
 * @file: the file
 * @offset: bytes
 * @bytes: how many
 *
 * Returns 0, or -EIO if the device is gone.
 */
int file_write(struct sim_file *file, u64 offset, u64 bytes)
{
	u64 page = offset / PAGE_SIZE, end = DIV_ROUND_UP(offset + bytes, PAGE_SIZE);
	struct bdi_writeback *wb = file->wb;

	end = min(end, file->room);
	spend(machine.call_ns);
	while (page < end) {
		u64 stop = min(end, page + min(allowance_left(wb), CHUNK)), new;

		journal_begin(file, stop);
		if (wb->disk.gone)
			return -EIO;
		new = absent(file, page, stop);
		if (new) {
			memory_get(new);
			/* another may have brought pages in meanwhile: then it was too much */
		}
		if (wb->disk.gone || file->removed)
			return -EIO;
		if (wb->journal && (stop > file->pages || new))
			journal_add(file, page, stop);
		file->pages = max(file->pages, stop);
		current->nr_dirtied += make_dirty(file, page, stop);
		touch(file);
		spend(new * machine.new_page_ns +
		      min(bytes, (stop - page) * PAGE_SIZE) * machine.page_ns / PAGE_SIZE);
		page = stop;
		ratelimited_balance(wb);
	}
	return 0;
}

/**
 * file_read - read from a file, through the cache
 * @file: the file
 * @offset: bytes
 * @bytes: how many
 */
void file_read(struct sim_file *file, u64 offset, u64 bytes)
{
	u64 page = offset / PAGE_SIZE, end = DIV_ROUND_UP(offset + bytes, PAGE_SIZE);

	end = min(end, file->room);
	file->pages = max(file->pages, end);	/* it was there before we looked */
	spend(machine.call_ns + bytes * machine.page_ns / PAGE_SIZE);
	while (page < end) {
		u64 stop = min(end, page + READAHEAD), new = absent(file, page, stop);

		if (new) {
			memory_get(new);
			sim_pay();
			disk_read(&file->wb->disk, lba_of(file, page), new);
			if (file->removed || file->wb->disk.gone)
				return;
			/* what was or has become dirty stays so */
			for (u64 p = page; p < stop;) {
				const struct range *d = ranges_from(&file->dirty, p);
				const struct range *u = ranges_from(&file->under, p);
				u64 hole = min(d ? max(d->start, p) : stop,
					       u ? max(u->start, p) : stop);

				hole = min(hole, stop);
				machine.clean += ranges_add(&file->clean, p, hole, 0);
				if (hole == stop)
					break;
				p = d && d->start <= hole && d->end > hole ? d->end : u->end;
			}
			machine.changes++;
		}
		page = stop;
	}
	touch(file);
}

/* ---- Writing out ----------------------------------------------------------------------------- */

static void count_written(enum by by, u64 pages)
{
	machine.written[by] += pages;
	if (by == BY_KUPDATE)
		wb_count(WB_COUNT_BY_KUPDATE, pages);
	else if (by == BY_BACKGROUND && current_is_pdflush())
		wb_count(WB_COUNT_BY_PDFLUSH, pages);
}

/* Find dirty pages not under way from @index on. False if there are none. */
static bool next_piece(struct sim_file *file, u64 index, u64 stamp, u64 *start, u64 *end)
{
	const struct range *dirty, *under;

	while ((dirty = ranges_from(&file->dirty, index))) {
		*start = max(dirty->start, index);
		*end = dirty->end;
		index = dirty->end;
		if (dirty->stamp > stamp)
			continue;
		under = ranges_from(&file->under, *start);
		if (under && under->start <= *start) {
			index = under->end;
			continue;
		}
		if (under)
			*end = min(*end, under->start);
		return true;
	}
	return false;
}

/* Where @most pages from @start on end, or the piece of the file that is in a row. */
static u64 end_in_row(const struct sim_file *file, u64 start, u64 most)
{
	const struct sim_disk *disk = &file->wb->disk;
	u64 end = start + most;

	if (!disk->piece)
		return end;
	if (start < DIRECT)
		end = min(end, (u64)DIRECT);
	return min(end, start - start % disk->piece + disk->piece);
}

/* Dirty pages go to the disk. May sleep until its queue has room. */
static void send(struct sim_file *file, u64 start, u64 end, enum by by, struct batch *batch)
{
	struct bdi_writeback *wb = file->wb;
	struct bio *bio;

	ranges_del(&file->dirty, start, end);
	ranges_add(&file->under, start, end, 0);
	machine.dirty -= end - start;
	machine.writeback += end - start;
	wb->nr_dirty -= end - start;
	wb->nr_writeback += end - start;
	machine.changes++;
	count_written(by, end - start);
	bio = bio_new(file, start, end - start);
	while (start < end) {
		u64 stop = min(end, start + wb->disk.max_request);

		disk_write(&wb->disk, bio, lba_of(file, start), stop - start, by, batch);
		start = stop;
	}
	bio_put(bio);
}

/**
 * file_write_range - send the dirty pages of a part of a file to the disk
 * @file: the file, in use by the caller
 * @start: the first page
 * @end: behind the last
 * @by: who
 * @batch: told when they are written
 *
 * Leaves alone where the walker goes on.
 */
void file_write_range(struct sim_file *file, u64 start, u64 end, enum by by, struct batch *batch)
{
	u64 from, to;

	while (next_piece(file, start, U64_MAX, &from, &to) && from < end) {
		to = min3(to, end, end_in_row(file, from, file->wb->disk.max_request));
		send(file, from, to, by, batch);
		start = to;
		/* today each page is sent by itself: measured, it costs twice what a copy does */
		if (!old_2531) {
			sim_charge(2 * (to - from) * machine.page_ns);
			sim_pay();
		}
	}
}

/**
 * file_write_out - send dirty pages to the disk
 * @file: the file, in use by the caller
 * @nr: at most so many
 * @stamp: dirtied no later, ns
 * @by: who
 * @batch: told when they are written, or NULL
 *
 * From where the last one stopped to the end, then from the beginning. Sleeps while the disk's
 * queue is full. Returns the number of pages.
 */
u64 file_write_out(struct sim_file *file, u64 nr, u64 stamp, enum by by, struct batch *batch)
{
	u64 index = file->next_index, first = index, sum = 0, start, end;
	bool wrapped = false;

	while (sum < nr) {
		if (!next_piece(file, index, stamp, &start, &end) || (wrapped && start >= first)) {
			if (wrapped || !first)
				break;
			wrapped = true;
			index = 0;
			continue;
		}
		end = min(end, end_in_row(file, start, file->wb->disk.max_bio));
		end = start + min(end - start, nr - sum);
		sum += end - start;
		index = end;
		file->next_index = end;
		send(file, start, end, by, batch);
	}
	return sum;
}

/**
 * file_page_done - pages have been written
 * @file: whose
 * @page: the first
 * @pages: how many
 */
void file_page_done(struct sim_file *file, u64 page, u32 pages)
{
	struct bdi_writeback *wb = file->wb;
	u64 cleaned;

	cleaned = ranges_move(&file->under, page, page + pages, &file->dirty, &file->clean);
	grow_both(file, -(pages - cleaned));
	machine.clean += cleaned;
	machine.writeback -= pages;
	wb->nr_writeback -= pages;
	wb->nr_written += pages;
	machine.changes++;
	if (!file->under.pages)
		sim_wake_all(&file->wait);
	memory_released();
	file_put(file);
}

/**
 * file_wait_written - wait until nothing of a file is under way
 * @file: in use by the caller
 */
void file_wait_written(struct sim_file *file)
{
	sim_pay();
	while (file->under.pages)
		sim_wait_on(&file->wait);
}

/**
 * file_fsync - write a file and wait for it
 * @file: the file
 */
void file_fsync(struct sim_file *file)
{
	struct bdi_writeback *wb = file->wb;
	struct batch batch;

	spend(machine.call_ns);
	sim_pay();
	file->users++;
	batch_init(&batch);
	file_write_out(file, file->dirty.pages, U64_MAX, BY_SYNC, &batch);
	batch_wait(&batch);
	file_wait_written(file);
	if (wb->journal) {
		journal_commit(wb);
	} else if (!wb->disk.gone) {
		/* the inode's block */
		disk_write(&wb->disk, NULL, file->lba ? file->lba - 1 : 0, 1, BY_SYNC,
			   &batch);
		batch_wait(&batch);
	}
	file_put(file);
}

/* ---- The end --------------------------------------------------------------------------------- */

/**
 * file_drop_clean - take clean pages of a file out of the cache
 * @file: goes to the end of the line if it has no more
 * @pages: at most so many
 *
 * Returns how many.
 */
u64 file_drop_clean(struct sim_file *file, u64 pages)
{
	u64 sum = 0;

	while (sum < pages && file->clean.used) {
		struct range range = file->clean.item[0];

		sum += ranges_del(&file->clean, range.start,
				  range.start + min(range.end - range.start, pages - sum));
	}
	machine.clean -= sum;
	machine.changes++;
	if (!file->clean.pages)
		touch(file);
	return sum;
}

/**
 * file_forget - a file's device is gone, and with it what was dirty
 * @file: the file
 */
void file_forget(struct sim_file *file)
{
	drop_dirty(file, 0, U64_MAX);
	walker_forget(file);
	sim_wake_all(&file->wait);
}

/**
 * file_truncate - make a file empty
 * @file: in use by the caller
 *
 * Waits for what is under way. What was dirty is never written.
 */
void file_truncate(struct sim_file *file)
{
	spend(machine.call_ns);
	if (file->dirty.pages)
		drop_dirty(file, 0, U64_MAX);
	if (file->under.pages)
		file_wait_written(file);
	file_drop_clean(file, U64_MAX);
	file->pages = 0;
	file->next_index = 0;
	memory_released();
}

/**
 * file_remove - delete a file
 * @file: the caller's use of it ends
 */
void file_remove(struct sim_file *file)
{
	walker_lock_file(file);
	file_truncate(file);
	file->removed = true;
	walker_unlock_file(file);
	walker_forget(file);
	file_put(file);
}
