// SPDX-License-Identifier: GPL-2.0
/*
 * Times in slots that grow with them.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include "histogram.h"

static unsigned int slot_of(u64 value)
{
	unsigned int power;

	if (value < 16)
		return value;
	power = ilog2(value);
	return (power - 3) * 16 + (value >> (power - 4) & 15);
}

/* The greatest value of a slot. */
static u64 top_of(unsigned int slot)
{
	unsigned int power = slot / 16 + 3;

	if (slot < 16)
		return slot;
	return ((16ULL + slot % 16 + 1) << (power - 4)) - 1;
}

/**
 * histogram_add - one more
 * @h: the histogram
 * @value: its value
 */
void histogram_add(struct histogram *h, u64 value)
{
	h->slot[slot_of(value)]++;
	h->n++;
	h->sum += value;
	h->max = max(h->max, value);
}

/**
 * histogram_merge - add one histogram to another
 * @to: grows
 * @from: stays
 */
void histogram_merge(struct histogram *to, const struct histogram *from)
{
	unsigned int i;

	for (i = 0; i < HISTOGRAM_SLOTS; i++)
		to->slot[i] += from->slot[i];
	to->n += from->n;
	to->sum += from->sum;
	to->max = max(to->max, from->max);
}

/**
 * histogram_percentile - the value that a part of all do not exceed
 * @h: the histogram
 * @per_thousand: the part
 */
u64 histogram_percentile(const struct histogram *h, unsigned int per_thousand)
{
	u64 want = (h->n * per_thousand + 999) / 1000, sum = 0;
	unsigned int i;

	for (i = 0; i < HISTOGRAM_SLOTS; i++) {
		sum += h->slot[i];
		if (sum >= want && sum)
			return min(top_of(i), h->max);
	}
	return h->max;
}
