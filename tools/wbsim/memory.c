// SPDX-License-Identifier: GPL-2.0
/*
 * Memory: what is free, what programs have, and the file cache, whose clean pages are taken when
 * free memory runs out.
 */
#include "machine.h"

struct machine machine;

/**
 * memory_free - free pages
 */
unsigned long memory_free(void)
{
	unsigned long used = machine.programs + machine.clean + machine.dirty +
			     machine.writeback - machine.both;

	return machine.total - min(used, machine.total);
}

/* Take clean pages from the files used least lately. */
static unsigned long reclaim(unsigned long pages)
{
	unsigned long got = 0;
	struct sim_file *file;

	while (got < pages && machine.clean && !list_empty(&file_lru)) {
		file = list_first_entry(&file_lru, struct sim_file, lru);
		got += file_drop_clean(file, pages - got);
	}
	return got;
}

/**
 * memory_get - have pages free
 * @pages: so many
 *
 * What the kernel keeps for itself is left alone. With no clean page left to take, the caller waits
 * for pages to be written.
 */
void memory_get(unsigned long pages)
{
	unsigned long want = min(pages + machine.reserve, machine.total / 2), left;
	u64 started = sim_clock;
	bool waited = false;

	for (;;) {
		left = memory_free();
		if (left >= want)
			break;
		if (reclaim(max(want - left, 32UL)))
			continue;
		if (left >= pages + machine.reserve / 4)
			break;		/* close to the bottom, but not there */
		if (!machine.dirty && !machine.writeback)
			break;		/* nothing will come of waiting */
		if (!waited)
			walker_start_all();
		waited = true;
		sim_pay();
		sim_wait_until(&machine.freed, sim_clock + 100 * NSEC_PER_MSEC);
		if (sim_clock - started > 600 * NSEC_PER_SEC)
			sim_fail("no memory for %lu pages in ten minutes", pages);
	}
	if (waited)
		machine.memory_stalled_ns += sim_clock - started;
}

/**
 * memory_released - pages have become clean or free: whoever waits may look
 */
void memory_released(void)
{
	sim_wake_all(&machine.freed);
}

/**
 * memory_grow_programs - programs take memory
 * @pages: so many
 */
void memory_grow_programs(unsigned long pages)
{
	memory_get(pages);
	machine.programs += pages;
	machine.changes++;
}

/**
 * memory_shrink_programs - programs give memory back
 * @pages: so many
 */
void memory_shrink_programs(unsigned long pages)
{
	machine.programs -= min(pages, machine.programs);
	machine.changes++;
	memory_released();
}
