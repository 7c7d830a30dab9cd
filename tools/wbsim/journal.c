// SPDX-License-Identifier: GPL-2.0
/*
 * A journal with data=ordered: every so often all data of files that have grown is written, then
 * the
 * record of it. While the record is on its way, whoever wants to let a file grow waits, as the
 * blocks it would change are being written.
 */
#include "machine.h"

#define RECORD_PAGES	4	/* and what each file adds */

struct journal {
	struct bdi_writeback *wb;
	u64 every_ns;
	struct list_head ordered;	/* files */
	u64 wanted;			/* commits asked for */
	u64 begun;
	u64 finished;
	bool writing_record;
	u64 place;
	struct sim_wait asked;
	struct sim_wait changed;
};

/**
 * journal_add - a file grows: its data goes before the next record
 * @file: the file
 */
void journal_add(struct sim_file *file)
{
	list_move_tail(&file->ordered, &file->wb->journal->ordered);
}

/**
 * journal_begin - the caller is about to let a file grow
 * @file: the file
 */
void journal_begin(struct sim_file *file)
{
	struct journal *journal = file->wb->journal;
	u64 started = sim_clock;

	if (!journal || !journal->writing_record)
		return;
	sim_pay();
	while (journal->writing_record && !file->wb->disk.gone)
		sim_wait_on(&journal->changed);
	machine.fs_stalled_ns += sim_clock - started;
}

static void write_data(struct journal *journal, struct sim_file **file, unsigned int n,
		       struct batch *batch)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		file_write_out(file[i], file[i]->dirty.pages, U64_MAX, BY_JOURNAL, batch);
		file_put(file[i]);
	}
	batch_wait(batch);
}

static void write_record(struct journal *journal, u32 pages, struct batch *batch)
{
	struct sim_disk *disk = &journal->wb->disk;

	while (pages) {
		u32 part = min(pages, disk->max_request);

		if (journal->place + part > disk->pages / 256)
			journal->place = 0;
		disk_write(disk, NULL, 0, journal->place, part, batch);
		journal->place += part;
		pages -= part;
	}
	batch_wait(batch);
}

static void commit(struct journal *journal)
{
	struct sim_file **file = NULL;
	unsigned int n = 0, room = 0;
	struct batch batch;

	journal->begun++;
	while (!list_empty(&journal->ordered)) {
		struct sim_file *first = list_first_entry(&journal->ordered, struct sim_file,
							  ordered);

		if (n == room) {
			room = room ? 2 * room : 16;
			file = realloc(file, room * sizeof(*file));
			if (!file)
				sim_fail("no memory for a commit");
		}
		list_del_init(&first->ordered);
		first->users++;
		file[n++] = first;
	}
	batch_init(&batch);
	write_data(journal, file, n, &batch);
	free(file);
	journal->writing_record = true;
	write_record(journal, RECORD_PAGES + n, &batch);
	journal->writing_record = false;
	journal->finished = journal->begun;
	sim_wake_all(&journal->changed);
}

static void kjournald(void *data)
{
	struct journal *journal = data;
	u64 next = journal->every_ns;

	while (!journal->wb->disk.gone) {
		if (journal->wanted <= journal->begun)
			sim_wait_until(&journal->asked, next);
		if (sim_clock < next && journal->wanted <= journal->begun)
			continue;
		next = sim_clock + journal->every_ns;
		if (!list_empty(&journal->ordered) || journal->wanted > journal->begun)
			commit(journal);
		journal->wanted = max(journal->wanted, journal->finished);
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
