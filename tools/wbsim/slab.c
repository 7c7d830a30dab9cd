// SPDX-License-Identifier: GPL-2.0
/*
 * The engine's memory. What is freed is filled with poison and kept aside for a while: pointers
 * read
 * from it point nowhere, and writes to it are seen.
 */
#include <string.h>
#include <linux/slab.h>
#include "sim.h"

#define POISON		0x6b
#define ASIDE		64

struct object {
	size_t size;
	size_t magic;
	char data[];
};

#define LIVE	0x11fe11fe11fe11feUL
#define DEAD	0xdeaddeaddeaddeadUL

static struct object *aside[ASIDE];
static unsigned int next_aside;
static unsigned long live;

void *kmalloc(size_t size, unsigned int gfp)
{
	struct object *object = malloc(sizeof(*object) + size);

	(void)gfp;
	sim_point();
	if (!object)
		return NULL;
	object->size = size;
	object->magic = LIVE;
	live++;
	memset(object->data, 0xa5, size);
	return object->data;
}

void *kzalloc(size_t size, unsigned int gfp)
{
	void *data = kmalloc(size, gfp);

	return data ? memset(data, 0, size) : NULL;
}

static void let_go(struct object *object)
{
	size_t i;

	if (!object)
		return;
	for (i = 0; i < object->size; i++)
		if (object->data[i] != POISON)
			sim_fail("memory written to after it was freed");
	free(object);
}

void kfree(const void *ptr)
{
	struct object *object;

	if (!ptr)
		return;
	object = container_of((char *)ptr, struct object, data[0]);
	if (object->magic != LIVE)
		sim_fail("memory freed twice, or never allocated");
	object->magic = DEAD;
	memset(object->data, POISON, object->size);
	live--;
	let_go(aside[next_aside]);
	aside[next_aside] = object;
	next_aside = (next_aside + 1) % ASIDE;
}

/**
 * slab_live - objects that are allocated
 */
unsigned long slab_live(void)
{
	return live;
}

/**
 * slab_flush - look for late writes to all that was freed
 */
void slab_flush(void)
{
	unsigned int i;

	for (i = 0; i < ASIDE; i++) {
		let_go(aside[i]);
		aside[i] = NULL;
	}
}
