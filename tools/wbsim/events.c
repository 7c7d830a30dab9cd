// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual time: what will happen, in a binary heap, soonest first.
 */
#include "sim.h"

u64 sim_clock;
u64 sim_grid = 1;

static struct sim_event **heap;		/* from 1 */
static size_t heap_used, heap_room;
static u64 orders;

static bool sooner(const struct sim_event *a, const struct sim_event *b)
{
	return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void put(size_t slot, struct sim_event *event)
{
	heap[slot] = event;
	event->slot = slot;
}

static void rise(size_t slot, struct sim_event *event)
{
	for (; slot > 1 && sooner(event, heap[slot / 2]); slot /= 2)
		put(slot, heap[slot / 2]);
	put(slot, event);
}

static void sink(size_t slot, struct sim_event *event)
{
	for (;;) {
		size_t child = 2 * slot;

		if (child > heap_used)
			break;
		if (child < heap_used && sooner(heap[child + 1], heap[child]))
			child++;
		if (!sooner(heap[child], event))
			break;
		put(slot, heap[child]);
		slot = child;
	}
	put(slot, event);
}

/**
 * sim_cancel - let an event not happen
 * @event: pending or not
 */
void sim_cancel(struct sim_event *event)
{
	size_t slot = event->slot;
	struct sim_event *last;

	if (!slot)
		return;
	event->slot = 0;
	last = heap[heap_used--];
	if (last == event)
		return;
	if (slot > 1 && sooner(last, heap[slot / 2]))
		rise(slot, last);
	else
		sink(slot, last);
}

/**
 * sim_at - have something happen
 * @event: pending or not
 * @when: ns; what is past happens next
 */
void sim_at(struct sim_event *event, u64 when)
{
	sim_cancel(event);
	event->when = DIV_ROUND_UP(max(when, sim_clock), sim_grid) * sim_grid;
	event->order = orders++;
	if (heap_used + 1 >= heap_room) {
		heap_room = heap_room ? 2 * heap_room : 256;
		heap = realloc(heap, heap_room * sizeof(*heap));
		if (!heap)
			sim_fail("no memory for %zu events", heap_room);
	}
	rise(++heap_used, event);
}

/**
 * sim_next_event - what happens next, or NULL
 */
struct sim_event *sim_next_event(void)
{
	return heap_used ? heap[1] : NULL;
}

/**
 * sim_take_event - the next event happens now
 * @event: from sim_next_event()
 */
void sim_take_event(struct sim_event *event)
{
	sim_clock = event->when;
	sim_cancel(event);
}

/**
 * sim_events_reset - nothing will happen; the clock is at 0
 */
void sim_events_reset(void)
{
	while (heap_used)
		heap[heap_used--]->slot = 0;
	sim_clock = 0;
	sim_grid = 1;
	orders = 0;
}

/**
 * sim_jiffies - the tick counter
 */
unsigned long sim_jiffies(void)
{
	return INITIAL_JIFFIES + sim_clock / (NSEC_PER_SEC / HZ);
}
