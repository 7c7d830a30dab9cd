// SPDX-License-Identifier: GPL-2.0
/*
 * Sets of pages against a plain array, and the slots of histograms.
 */
#include "../unit/unit.h"
#include <stdarg.h>
#include "histogram.h"
#include "ranges.h"

#define PAGES	200
#define ROUNDS	20000

void sim_fail(const char *format, ...);
void sim_fail(const char *format, ...)
{
	fail_msg("%s", format);
	abort();
}

static bool model[PAGES], other[PAGES];

static u64 model_count(const bool *in, u64 start, u64 end)
{
	u64 n = 0;

	for (; start < end; start++)
		n += in[start];
	return n;
}

static void same(const struct ranges *set, const bool *in)
{
	u64 last = 0, stamp = 0, n = 0;
	u32 i;

	for (i = 0; i < set->used; i++) {
		const struct range *range = &set->item[i];

		assert_true(range->start < range->end);
		assert_true(!i || last < range->start ||
			    (last == range->start && stamp != range->stamp));
		assert_int_equal(model_count(in, range->start, range->end),
				 range->end - range->start);
		last = range->end;
		stamp = range->stamp;
		n += range->end - range->start;
	}
	assert_int_equal(n, set->pages);
	assert_int_equal(n, model_count(in, 0, PAGES));
}

static void ranges_are_sets(void **unused)
{
	struct ranges set = { 0 }, to = { 0 };
	unsigned int round;

	(void)unused;
	for (round = 0; round < ROUNDS; round++) {
		u64 start = pick(PAGES), end = start + pick(PAGES - start) + 1, i;
		u64 has = model_count(model, start, end);

		assert_int_equal(ranges_count(&set, start, end), has);
		switch (pick(4)) {
		case 0:
			assert_int_equal(ranges_add(&set, start, end, pick(3)), end - start - has);
			memset(model + start, true, end - start);
			break;
		case 1:
			end = min(end, start + 8);
			has = model_count(model, start, end);
			assert_int_equal(ranges_del(&set, start, end), has);
			memset(model + start, false, end - start);
			break;
		case 2:
			ranges_move(&to, start, end, &set, &to);
			for (i = start; i < end; i++)
				other[i] = !model[i];
			break;
		case 3:
			if (!pick(50)) {
				ranges_clear(&set);
				memset(model, false, sizeof(model));
			}
			break;
		}
		same(&set, model);
		same(&to, other);
	}
	ranges_clear(&set);
	ranges_clear(&to);
}

/* A percentile is one of the values, or above it by no more than a sixteenth. */
static void percentiles_are_close(void **unused)
{
	struct histogram *h = calloc(1, sizeof(*h));
	u64 value;

	(void)unused;
	for (value = 1; value <= 100000; value++)
		histogram_add(h, value);
	assert_in_range(histogram_percentile(h, 500), 50000, 53200);
	assert_in_range(histogram_percentile(h, 990), 99000, 100000);
	assert_int_equal(histogram_percentile(h, 1000), 100000);
	free(h);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ranges_are_sets),
	cmocka_unit_test(percentiles_are_close),
};

UNIT_MAIN(tests)
