/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ENGINE_H
#define ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include "settings.h"

#define MAX_STATS	64
#define MAX_STALLS	64
#define NAME_MAX_LEN	32

struct device {
	char name[NAME_MAX_LEN];
	unsigned long long dirty;	/* pages */
	unsigned long long writeback;	/* pages */
	double speed;			/* bytes a second it was measured to write */
	int thread;			/* at work there, or 0 */
};

struct stall_slot {
	unsigned long long from_us;	/* up to the next slot's */
	unsigned long long count;
};

/**
 * struct engine - a look at the engine
 * @nr_stats: lines of /proc/pdflush/stats
 * @stats: as they are there
 * @nr_devices: lines of devices
 * @devices: to be freed
 * @nr_stalls: lines of stalls
 * @stalls: as they are there
 * @page: bytes
 */
struct engine {
	size_t nr_stats;
	struct {
		char name[NAME_MAX_LEN];
		unsigned long long value;
	} stats[MAX_STATS];
	size_t nr_devices;
	struct device *devices;
	size_t nr_stalls;
	struct stall_slot stalls[MAX_STALLS];
	unsigned long page;
};

enum level { BACKGROUND, ASYNC, SYNC, NR_LEVELS };

extern const char * const level_name[NR_LEVELS];

bool engine_there(void);
bool engine_read(struct engine *eng);
void engine_free(struct engine *eng);
bool stat_there(const struct engine *eng, const char *name);
unsigned long long stat_of(const struct engine *eng, const char *name);
double stat_bytes(const struct engine *eng, const char *name);
double threshold_bytes(const struct engine *eng, enum level level);
double engine_speed(const struct engine *eng);

#endif
