// SPDX-License-Identifier: GPL-2.0
/*
 * Disks. A request costs a seek and a part of a turn, unless it begins where the last one ended,
 * and then its length by the rate. What touches is therefore as good as merged.
 */
#include "machine.h"

#define READS_IN_ROW	16	/* deadline: then a write */

void batch_init(struct batch *batch)
{
	batch->left = 0;
	sim_wait_init(&batch->wait);
}

/**
 * batch_wait - wait for all requests of a batch
 * @batch: the batch
 */
void batch_wait(struct batch *batch)
{
	sim_pay();
	while (batch->left)
		sim_wait_on(&batch->wait);
}

/**
 * bio_new - pages of a file are about to be sent to its disk
 * @file: the file
 * @page: the first
 * @pages: how many
 *
 * The caller puts it when all of it is sent.
 */
struct bio *bio_new(struct sim_file *file, u64 page, u32 pages)
{
	struct bio *bio = malloc(sizeof(*bio));

	if (!bio)
		sim_fail("no memory for a bio");
	file->users++;
	*bio = (struct bio){ .file = file, .page = page, .pages = pages, .left = 1 };
	return bio;
}

/**
 * bio_put - a request with a part of it is done, or all of it is sent
 * @bio: the bio
 */
void bio_put(struct bio *bio)
{
	if (--bio->left)
		return;
	file_page_done(bio->file, bio->page, bio->pages);
	free(bio);
}

struct part {
	struct list_head list;
	struct bio *bio;
};

static void add_part(struct request *req, struct bio *bio)
{
	struct part *part = malloc(sizeof(*part));

	if (!part)
		sim_fail("no memory for a part of a request");
	part->bio = bio;
	bio->left++;
	list_add_tail(&part->list, &req->parts);
}

static struct sim_file *file_of(const struct request *req)
{
	if (list_empty(&req->parts))
		return NULL;
	return list_first_entry(&req->parts, struct part, list)->bio->file;
}

static void finish(struct request *req)
{
	struct part *part, *next;

	list_for_each_entry_safe(part, next, &req->parts, list) {
		bio_put(part->bio);
		free(part);
	}
	if (req->write)
		wbt_write_done(&req->disk->wbt);
	else
		wbt_read_done(&req->disk->wbt, sim_clock - req->queued_at);
	if (req->batch && !--req->batch->left)
		sim_wake_all(&req->batch->wait);
	free(req);
}

/**
 * disk_rate_now - bytes a second at this time
 * @disk: the disk
 */
u64 disk_rate_now(const struct sim_disk *disk)
{
	u64 rate = disk->rate;
	unsigned int i;

	for (i = 0; i < disk->changes; i++)
		if (disk->change[i].at <= sim_clock)
			rate = disk->change[i].rate;
	return rate;
}

static u64 root(u64 n)
{
	u64 x = 0, bit;

	for (bit = 1ULL << 31; bit; bit >>= 1)
		if ((x | bit) * (x | bit) <= n)
			x |= bit;
	return x;
}

/* A fifth of the time for the shortest way; the rest grows with the root of the distance. */
static u64 seek_ns(struct sim_disk *disk, u64 lba)
{
	u64 way = lba > disk->head ? lba - disk->head : disk->head - lba;
	u64 part = root((min(way, disk->pages) << 20) / (disk->pages / 3 + 1));	/* of 1024 */
	u64 turn = disk->turn_ns ? (u64)rng_next(&disk->rng) * disk->turn_ns >> 32 : 0;

	if (!way)
		return 0;
	if (disk->same_seek)
		return disk->seek_ns + turn;
	return disk->seek_ns / 5 + (disk->seek_ns * 4 / 5 * part >> 10) + turn;
}

/* The end of the stall that this time is in, or 0. */
static u64 stalled_until(const struct sim_disk *disk)
{
	u64 into;

	if (!disk->stall_every_ns)
		return 0;
	into = sim_clock % disk->stall_every_ns;
	if (sim_clock < disk->stall_every_ns || into >= disk->stall_ns)
		return 0;
	return sim_clock - into + disk->stall_ns;
}

/* The next one on the way up, or else the lowest. The sweep remembers where it is in each queue. */
static struct request *next_on_sweep(struct list_head *queue, struct request *sweep)
{
	return sweep ? sweep : list_first_entry_or_null(queue, struct request, queue);
}

static struct request *next_request(struct sim_disk *disk)
{
	bool write = list_empty(&disk->reads) ||
		     (!list_empty(&disk->writes) && disk->reads_in_row >= READS_IN_ROW);
	struct list_head *queue = write ? &disk->writes : &disk->reads;

	disk->reads_in_row = write ? 0 : disk->reads_in_row + 1;
	if (disk->elevator == ELEVATOR_NONE)
		return list_first_entry_or_null(queue, struct request, queue);
	return next_on_sweep(queue, disk->sweep[write]);
}

static void dispatch(struct sim_disk *disk);

static void request_done(struct sim_event *event)
{
	struct request *req = container_of(event, struct request, done);
	struct sim_disk *disk = req->disk;

	list_del(&req->queue);
	disk->busy--;
	finish(req);
	dispatch(disk);
}

static void retry(struct sim_event *event)
{
	dispatch(container_of(event, struct sim_disk, retry));
}

/* @req is taken: the one behind it is next; the other queue's sweep starts from here, too. */
static void advance_sweep(struct sim_disk *disk, struct request *req)
{
	unsigned int write = req->in_writes;
	struct list_head *queue = write ? &disk->writes : &disk->reads;

	disk->sweep[write] = req->queue.next == queue ? NULL :
			     list_entry(req->queue.next, struct request, queue);
}

static void start(struct sim_disk *disk, struct request *req)
{
	u64 ready = sim_clock + seek_ns(disk, req->lba);
	u64 length = req->pages * PAGE_SIZE * NSEC_PER_SEC / disk_rate_now(disk);
	u64 begin = max(ready, disk->free_at);

	advance_sweep(disk, req);
	list_del(&req->queue);
	list_add_tail(&req->queue, &disk->working);
	disk->head = req->lba + req->pages;
	disk->busy_ns += begin - max(sim_clock, disk->free_at) + length;
	disk->free_at = begin + length;
	disk->busy++;
	if (req->write) {
		disk->written_pages += req->pages;
		disk->queued_writes--;
		/* as the kernel: sleepers come back in a crowd, when there is room for some */
		if (disk->queued_writes < disk->slots - disk->slots / 8)
			sim_wake_one(&disk->slot_free);
	} else {
		disk->read_pages += req->pages;
	}
	req->done.fn = request_done;
	sim_at(&req->done, disk->free_at);
}

static void dispatch(struct sim_disk *disk)
{
	struct request *req;
	u64 until;

	while (disk->busy < disk->depth && !disk->gone) {
		until = stalled_until(disk);
		if (until) {
			disk->retry.fn = retry;
			sim_at(&disk->retry, until);
			return;
		}
		req = next_request(disk);
		if (!req)
			return;
		start(disk, req);
	}
}

static void enqueue(struct sim_disk *disk, bool in_writes, struct request *req)
{
	struct list_head *queue = in_writes ? &disk->writes : &disk->reads, *at = queue;
	struct request *sweep = disk->sweep[in_writes];

	if (disk->elevator != ELEVATOR_NONE)
		while (at->prev != queue &&
		       list_entry(at->prev, struct request, queue)->lba > req->lba)
			at = at->prev;
	list_add_tail(&req->queue, at);
	req->in_writes = in_writes;
	if (req->lba >= disk->head && (!sweep || req->lba < sweep->lba))
		disk->sweep[in_writes] = req;
}

static struct request *new_request(struct sim_disk *disk, u64 lba, u32 pages, struct batch *batch)
{
	struct request *req = calloc(1, sizeof(*req));

	if (!req)
		sim_fail("no memory for a request");
	req->disk = disk;
	INIT_LIST_HEAD(&req->parts);
	req->lba = lba;
	req->pages = pages;
	req->batch = batch;
	req->queued_at = sim_clock;
	if (batch)
		batch->left++;
	return req;
}

/* Requests that the disk has not taken in yet grow, if what comes next belongs there. */
static bool merge(struct sim_disk *disk, struct bio *bio, u64 lba, u32 pages, struct batch *batch)
{
	struct request *last;

	if (!disk->takes_in || disk->busy + disk->queued_writes <= disk->takes_in || !bio)
		return false;
	last = list_last_entry(&disk->writes, struct request, queue);
	if (file_of(last) != bio->file || last->lba + last->pages != lba || last->batch != batch ||
	    last->pages + pages > disk->max_request)
		return false;
	last->pages += pages;
	add_part(last, bio);
	return true;
}

/**
 * disk_write - have pages written
 * @disk: the disk
 * @bio: what they are a part of, or NULL
 * @lba: where to
 * @pages: no more than the disk's max_request
 * @who: has it written
 * @batch: told of the end, or NULL
 *
 * Sleeps while the queue is full, not until they are written.
 */
void disk_write(struct sim_disk *disk, struct bio *bio, u64 lba, u32 pages, enum by who,
		struct batch *batch)
{
	struct request *req;

	if (merge(disk, bio, lba, pages, batch))
		return;
	req = new_request(disk, lba, pages, batch);
	if (bio)
		add_part(req, bio);
	req->write = true;
	wbt_enter(&disk->wbt, who == BY_JOURNAL || who == BY_SYNC, &disk->gone);
	if (disk->queued_writes >= disk->slots && !disk->gone) {
		sim_pay();
		while (disk->queued_writes >= disk->slots && !disk->gone)
			sim_wait_on(&disk->slot_free);
	}
	if (disk->gone) {
		finish(req);
		return;
	}
	disk->queued_writes++;
	enqueue(disk, true, req);
	dispatch(disk);
}

/**
 * disk_read - read pages
 * @disk: the disk
 * @lba: where from
 * @pages: how many
 *
 * Sleeps until they are there.
 */
void disk_read(struct sim_disk *disk, u64 lba, u64 pages)
{
	struct batch batch;

	batch_init(&batch);
	while (pages && !disk->gone) {
		u32 part = min(pages, (u64)disk->max_request);
		struct request *req = new_request(disk, lba, part, &batch);

		enqueue(disk, disk->elevator == ELEVATOR_SORTED, req);
		lba += part;
		pages -= part;
	}
	dispatch(disk);
	batch_wait(&batch);
}

/**
 * disk_unplug - the disk is gone: all requests fail
 * @disk: the disk
 */
void disk_unplug(struct sim_disk *disk)
{
	struct list_head *queues[] = { &disk->working, &disk->reads, &disk->writes };
	struct request *req;
	unsigned int i;

	disk->gone = true;
	for (i = 0; i < ARRAY_SIZE(queues); i++) {
		while (!list_empty(queues[i])) {
			req = list_first_entry(queues[i], struct request, queue);
			list_del(&req->queue);
			sim_cancel(&req->done);
			finish(req);
		}
	}
	disk->busy = 0;
	disk->queued_writes = 0;
	disk->sweep[0] = NULL;
	disk->sweep[1] = NULL;
	sim_cancel(&disk->retry);
	sim_wake_all(&disk->slot_free);
	wbt_gone(&disk->wbt);
}

/**
 * disk_init - make a disk that does nothing yet
 * @disk: its traits are filled in
 * @number: for its own chance
 */
void disk_init(struct sim_disk *disk, u64 number)
{
	INIT_LIST_HEAD(&disk->reads);
	INIT_LIST_HEAD(&disk->writes);
	INIT_LIST_HEAD(&disk->working);
	sim_wait_init(&disk->slot_free);
	wbt_init(&disk->wbt);
	rng_seed(&disk->rng, sim_seed, 1000 + number);
}
