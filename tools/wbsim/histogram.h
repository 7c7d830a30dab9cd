/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Times in slots of a sixteenth of a power of two: good to 6 %.
 */
#ifndef _SIM_HISTOGRAM_H
#define _SIM_HISTOGRAM_H

#include <linux/types.h>

#define HISTOGRAM_SLOTS	(16 * 60)

struct histogram {
	u32 slot[HISTOGRAM_SLOTS];
	u64 n;
	u64 sum;
	u64 max;
};

void histogram_add(struct histogram *h, u64 value);
void histogram_merge(struct histogram *to, const struct histogram *from);
u64 histogram_percentile(const struct histogram *h, unsigned int per_thousand);

#endif
