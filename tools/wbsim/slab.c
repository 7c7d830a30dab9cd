// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's memory. Each object has a page to itself, at its end. What is freed can't be touched
 * any more, and its page is used again as late as possible: any later access, read or write, ends
 * the program at once, and so does one beyond an object's end.
 */
#include <string.h>
#include <sys/mman.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "sim.h"

#define PAGES		(1U << 15)	/* of each, every second is never there */
#define ALIGNMENT	16

struct object {
	size_t size;
	struct object *self;
};

static char *arena;
static u16 *dead;		/* a ring of pages that were freed */
static u32 first_dead, nr_dead;
static u32 fresh;		/* pages from here on were never used */
static unsigned long live;

static char *page_at(u32 nr)
{
	return arena + nr * 2 * PAGE_SIZE;
}

static void allow(u32 nr, int how)
{
	if (mprotect(page_at(nr), PAGE_SIZE, how))
		sim_fail("the host can't protect one more page");
}

static void make_arena(void)
{
	arena = mmap(NULL, PAGES * 2 * PAGE_SIZE, PROT_NONE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	dead = malloc(PAGES * sizeof(*dead));
	if (arena == MAP_FAILED || !dead)
		sim_fail("no memory for the engine's memory");
}

/**
 * slab_owns - is an address in the engine's memory?
 * @address: of a fault
 */
bool slab_owns(const void *address)
{
	return arena && (const char *)address >= arena &&
	       (const char *)address < page_at(PAGES);
}

static struct object *header(const void *data)
{
	return (struct object *)((unsigned long)data & ~(PAGE_SIZE - 1));
}

void *kmalloc(size_t size, unsigned int gfp)
{
	struct object *object;
	char *data;
	u32 nr;

	if (gfp & GFP_KERNEL)
		sim_may_sleep("allocates memory");
	sim_point();
	if (!arena)
		make_arena();
	if (fresh < PAGES) {
		nr = fresh++;
	} else {
		if (!nr_dead)
			return NULL;
		nr = dead[first_dead++ % PAGES];
		nr_dead--;
	}
	allow(nr, PROT_READ | PROT_WRITE);
	object = (struct object *)page_at(nr);
	BUG_ON(size > PAGE_SIZE - sizeof(*object));
	data = page_at(nr) + PAGE_SIZE - DIV_ROUND_UP(size, ALIGNMENT) * ALIGNMENT;
	object->size = size;
	object->self = object;
	live++;
	return memset(data, 0xa5, size);
}

void *kzalloc(size_t size, unsigned int gfp)
{
	void *data = kmalloc(size, gfp);

	return data ? memset(data, 0, size) : NULL;
}

void kfree(const void *ptr)
{
	struct object *object = header(ptr);
	u32 nr;

	if (!ptr)
		return;
	if (!slab_owns(ptr) || object->self != object)
		sim_fail("memory freed that was never allocated");
	nr = ((char *)object - arena) / (2 * PAGE_SIZE);
	allow(nr, PROT_NONE);
	dead[(first_dead + nr_dead++) % PAGES] = nr;
	live--;
}

/**
 * slab_live - objects that are allocated
 */
unsigned long slab_live(void)
{
	return live;
}

/**
 * slab_start - begin with fresh pages, as often as all are dead
 */
void slab_start(void)
{
	if (live)
		return;
	fresh = 0;
	nr_dead = 0;
}
