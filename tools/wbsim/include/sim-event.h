/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Something that happens at a point of virtual time.
 */
#ifndef _SIM_EVENT_H
#define _SIM_EVENT_H

#include <linux/types.h>

/**
 * struct sim_event - something to happen
 * @when: at this time, ns
 * @order: among those of the same time
 * @slot: place in the heap, from 1; 0: nothing will happen
 * @fn: what happens; may set the event again
 */
struct sim_event {
	u64 when;
	u64 order;
	size_t slot;
	void (*fn)(struct sim_event *event);
};

#endif
