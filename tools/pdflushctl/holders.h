/* SPDX-License-Identifier: GPL-2.0 */
#ifndef HOLDERS_H
#define HOLDERS_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_HELD 64

/**
 * struct held - a writer that was seen held
 * @tid: thread
 * @name: as in ps
 * @now: it was held at the last look
 * @looks: at how many looks it was held
 * @us: how long it was held in all, and
 * @longest: at most at once, in us, and
 * @device: where last; if holders_released() was told
 */
struct held {
	int tid;
	char name[20];
	bool now;
	unsigned int looks;
	unsigned long long us;
	unsigned long long longest;
	char device[33];
};

/**
 * struct holders - what many looks have seen
 * @looks: how many
 * @next: when there may be another
 * @nr: of @held
 * @held: who most of all comes first
 */
struct holders {
	unsigned int looks;
	double next;
	size_t nr;
	struct held held[MAX_HELD];
};

void holders_look(struct holders *all, bool anybody);
void holders_released(struct holders *all, int tid, unsigned long long us, const char *device);

#endif
