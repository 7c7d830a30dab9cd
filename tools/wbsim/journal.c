// SPDX-License-Identifier: GPL-2.0
/*
 * A journal with data=ordered: every so often all data that files have grown by is written, then
 * the record of it. While the record is on its way, whoever wants to let a file grow waits, as the
 * blocks it would change are being written; but not who has changed them since the commit began,
 * for then copies were made. (In the guest that is what FTP waits for: the map of free blocks, at
 * the next block of page numbers, every 4 MB.) Afterwards those blocks are dirty themselves, and
 * somebody has to write them to where they belong.
 */
#include "machine.h"

#define RECORD_PAGES	4	/* and one for each file, and for what it has grown by */
#define PER_INDIRECT	1024	/* pages of data to a block of their numbers */
#define META_PAGES	1024

struct journal {
	struct bdi_writeback *wb;
	u64 every_ns;
	struct list_head ordered;	/* files */
	u64 grown;			/* pages since the last commit */
	bool open;			/* something was changed since */
	u64 due;			/* the next one, every_ns after the first change */
	u64 wanted;			/* commits asked for */
	u64 begun;
	u64 finished;
	bool writing_data;
	bool writing_record;
	u64 place;
	struct sim_file *meta;		/* the blocks, where they belong */
	u64 meta_place;
	struct sim_wait asked;
	struct sim_wait changed;
};

/**
 * journal_add - a file grows: its data goes before the next record
 * @file: the file
 * @start: the first page that is new
 * @end: behind the last
 */
void journal_add(struct sim_file *file, u64 start, u64 end)
{
	struct journal *journal = file->wb->journal;

	if (list_empty(&file->ordered)) {
		list_add_tail(&file->ordered, &journal->ordered);
		file->ordered_start = start;
		file->ordered_end = end;
	}
	file->ordered_start = min(file->ordered_start, start);
	file->ordered_end = max(file->ordered_end, end);
	journal->grown += end - start;
}

/**
 * journal_begin - the caller is about to change a file, or to let it grow
 * @file: the file
 * @end: behind the last page that it then has
 */
void journal_begin(struct sim_file *file, u64 end)
{
	struct journal *journal = file->wb->journal;
	u64 started = sim_clock;
	bool needs_block;

	if (!journal)
		return;
	if (!journal->open) {
		journal->open = true;
		journal->due = sim_clock + journal->every_ns;
		sim_wake_all(&journal->asked);
	}
	needs_block = end > file->pages && (end - 1) / PER_INDIRECT !=
		      (max(file->pages, 1ULL) - 1) / PER_INDIRECT;
	if (journal->writing_data) {
		file->copied = journal->begun;
		if (needs_block)
			file->copied_map = journal->begun;
	}
	if (!journal->writing_record ||
	    (file->copied == journal->begun &&
	     (!needs_block || file->copied_map == journal->begun)))
		return;
	sim_pay();
	while (journal->writing_record && !file->wb->disk.gone)
		sim_wait_on(&journal->changed);
	machine.fs_stalled_ns += sim_clock - started;
}

/* What a file has grown by until the commit began. What it grows by meanwhile is the next one's. */
struct part {
	struct sim_file *file;
	u64 start;
	u64 end;
};

static void write_data(struct part *part, unsigned int n, struct batch *batch)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		file_write_range(part[i].file, part[i].start, part[i].end, BY_JOURNAL, batch);
		file_put(part[i].file);
	}
}

static void write_blocks(struct journal *journal, u32 pages, struct batch *batch)
{
	struct sim_disk *disk = &journal->wb->disk;

	while (pages) {
		u32 part = min(pages, disk->max_request);

		if (journal->place + part > disk->pages / 256)
			journal->place = 0;
		disk_write(disk, NULL, journal->place, part, BY_JOURNAL, batch);
		journal->place += part;
		pages -= part;
	}
}

/*
 * Who waits for the blocks may go on as soon as they are in the journal. Today they are sent right
 * behind the data; 2.5.31 waited for the data first.
 */
static void write_record(struct journal *journal, u32 pages, struct batch *data)
{
	struct batch blocks;

	if (old_2531)
		batch_wait(data);
	batch_init(&blocks);
	journal->writing_record = true;
	write_blocks(journal, pages, &blocks);
	batch_wait(&blocks);
	journal->writing_record = false;
	sim_wake_all(&journal->changed);
	batch_wait(data);
	/* what makes it valid */
	write_blocks(journal, 1, &blocks);
	batch_wait(&blocks);
}

static void dirty_blocks(struct journal *journal, u32 pages)
{
	pages = min(pages, (u32)META_PAGES);
	if (journal->meta_place + pages > META_PAGES)
		journal->meta_place = 0;
	file_dirty(journal->meta, journal->meta_place, journal->meta_place + pages);
	journal->meta_place += pages;
}

static void commit(struct journal *journal)
{
	struct part *part = NULL;
	unsigned int n = 0, room = 0;
	struct batch data;
	u32 pages;

	journal->begun++;
	journal->open = false;
	while (!list_empty(&journal->ordered)) {
		struct sim_file *first = list_first_entry(&journal->ordered, struct sim_file,
							  ordered);

		if (n == room) {
			room = room ? 2 * room : 16;
			part = realloc(part, room * sizeof(*part));
			if (!part)
				sim_fail("no memory for a commit");
		}
		list_del_init(&first->ordered);
		first->users++;
		part[n++] = (struct part){ first, first->ordered_start, first->ordered_end };
	}
	pages = RECORD_PAGES + n + journal->grown / PER_INDIRECT;
	journal->grown = 0;
	batch_init(&data);
	journal->writing_data = !old_2531;
	write_data(part, n, &data);
	journal->writing_data = false;
	free(part);
	write_record(journal, pages, &data);
	journal->finished = journal->begun;
	sim_wake_all(&journal->changed);
	dirty_blocks(journal, pages);
}

static bool commit_is_due(const struct journal *journal)
{
	return journal->wanted > journal->begun || (journal->open && sim_clock >= journal->due);
}

static void kjournald(void *data)
{
	struct journal *journal = data;

	while (!journal->wb->disk.gone) {
		if (commit_is_due(journal))
			commit(journal);
		else if (journal->open)
			sim_wait_until(&journal->asked, journal->due);
		else
			sim_wait_on(&journal->asked);
	}
	journal->finished = U64_MAX;
	sim_wake_all(&journal->changed);
}

/**
 * journal_commit - have what was done so far recorded, and wait for it
 * @wb: a device with a journal
 */
void journal_commit(struct bdi_writeback *wb)
{
	struct journal *journal = wb->journal;
	u64 mine = journal->begun + 1;

	sim_pay();
	journal->wanted = max(journal->wanted, mine);
	sim_wake_all(&journal->asked);
	while (journal->finished < mine && !wb->disk.gone)
		sim_wait_on(&journal->changed);
}

/**
 * journal_create - give a device a journal
 * @wb: the device
 * @every_ns: time between commits
 */
void journal_create(struct bdi_writeback *wb, u64 every_ns)
{
	struct journal *journal = calloc(1, sizeof(*journal));
	struct sim_task *task;

	if (!journal)
		sim_fail("no memory for a journal");
	journal->wb = wb;
	journal->every_ns = every_ns;
	INIT_LIST_HEAD(&journal->ordered);
	sim_wait_init(&journal->asked);
	sim_wait_init(&journal->changed);
	journal->meta = file_new(wb, META_PAGES, 0);
	wb->journal = journal;
	task = sim_new_task("kjournald", kjournald, journal);
	task->task.flags |= PF_KTHREAD;
	sim_go(task);
}

/**
 * journal_gone - the device is gone: nobody shall wait for a record
 * @wb: the device
 */
void journal_gone(struct bdi_writeback *wb)
{
	if (!wb->journal)
		return;
	sim_wake_all(&wb->journal->asked);
	sim_wake_all(&wb->journal->changed);
}

/**
 * journal_free - forget a journal; its task is forgotten as well
 * @wb: the device
 */
void journal_free(struct bdi_writeback *wb)
{
	free(wb->journal);
	wb->journal = NULL;
}
