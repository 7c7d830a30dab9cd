// SPDX-License-Identifier: GPL-2.0
/*
 * Devices: a disk, a file system on it, the kernel's record of both.
 */
#include <string.h>
#include <sys/mman.h>
#include <linux/bitops.h>
#include "machine.h"

struct bdi_writeback **devices;
unsigned int nr_devices;
unsigned long sim_hash_base;

#define ARENA_SIZE	(256UL << 20)	/* address space only, until used */

static char *arena;
static size_t arena_used;

/**
 * device_alloc - room for one more device, zeroed
 *
 * All are in one piece, so that the distances of their addresses are always the same.
 */
struct bdi_writeback *device_alloc(void)
{
	struct bdi_writeback *wb;

	if (!arena) {
		arena = mmap(NULL, ARENA_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (arena == MAP_FAILED)
			sim_fail("no memory for devices");
		sim_hash_base = (unsigned long)arena;
	}
	if (arena_used + sizeof(*wb) > ARENA_SIZE)
		sim_fail("too many devices");
	wb = (struct bdi_writeback *)(arena + arena_used);
	arena_used += sizeof(*wb);
	memset(wb, 0, sizeof(*wb));
	return wb;
}

/**
 * devices_free - forget all of them
 */
void devices_free(void)
{
	arena_used = 0;
}

static void unplug_now(void *data)
{
	device_unplug(data);
}

static void unplug_event(struct sim_event *event)
{
	struct bdi_writeback *wb = container_of(event, struct bdi_writeback, unplug);

	sim_go(sim_new_task("unplug", unplug_now, wb));
}

/**
 * device_init - make a device
 * @wb: the disk's traits are filled in
 * @name: what users call it
 * @number: its place among all
 */
void device_init(struct bdi_writeback *wb, const char *name, unsigned int number)
{
	snprintf(wb->name, sizeof(wb->name), "%s", name);
	wb->number = number;
	disk_init(&wb->disk, number);
	wb->disk.next_lba = wb->disk.pages / 128;
	wb->state = 1UL << WB_registered;
	spin_lock_init(&wb->list_lock);
	spin_lock_init(&wb->work_lock);
	INIT_LIST_HEAD(&wb->b_dirty);
	INIT_LIST_HEAD(&wb->b_io);
	INIT_LIST_HEAD(&wb->b_more_io);
	INIT_LIST_HEAD(&wb->work_list);
	INIT_LIST_HEAD(&wb->files);
	wb->lonely_since = U64_MAX;
	INIT_DELAYED_WORK(&wb->dwork, walker_workfn);
	wb->last_old_flush = jiffies;
	wb->bandwidth = 100 * PAGES_PER_MB;	/* the kernel's first guess */
	wb->unplug.fn = unplug_event;
	if (wb->disk.unplug_at)
		sim_at(&wb->unplug, wb->disk.unplug_at);
}

/**
 * device_unplug - a device is pulled out
 * @wb: the device
 *
 * What was dirty is lost.
 */
void device_unplug(struct bdi_writeback *wb)
{
	struct sim_file *file, *next;

	clear_bit(WB_registered, &wb->state);
	disk_unplug(&wb->disk);
	list_for_each_entry_safe(file, next, &wb->files, all)
		file_forget(file);
	journal_gone(wb);
	memory_released();
	sim_wake_all(&machine.freed);
}
