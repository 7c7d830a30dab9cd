// SPDX-License-Identifier: GPL-2.0
/*
 * How fast a device writes: bandwidth.c.
 */
#include "unit.h"
#include <linux/page-writeback.h>

static void the_first_observation_counts_in_full(void **state)
{
	(void)state;
	assert_int_equal(wb_bandwidth_next(0, 512, 100000), 5120);
	assert_int_equal(wb_bandwidth_next(0, 5120, 1000000), 5120);
}

static void is_never_0(void **state)
{
	unsigned long speed = 25600;
	int i;

	(void)state;
	assert_int_equal(wb_bandwidth_next(0, 0, 1000000), 1);
	assert_int_equal(wb_bandwidth_next(1, 0, 1000000), 1);
	for (i = 0; i < 100; i++) {
		speed = wb_bandwidth_next(speed, 0, 100000);
		assert_true(speed >= 1);
	}
	/* a device that has stopped is soon known to be slow */
	assert_true(speed < 10);
}

static void a_lump_counts_for_a_quarter(void **state)
{
	(void)state;
	assert_int_equal(wb_bandwidth_next(4000, 8000, 1000000), 5000);
	assert_int_equal(wb_bandwidth_next(4000, 0, 1000000), 3000);
}

static void comes_near_and_stays_near(void **state)
{
	unsigned long start, seen;
	int i;

	(void)state;
	for (start = 1; start < 1UL << 40; start *= 10) {
		for (seen = 1; seen < 1UL << 24; seen *= 3) {
			unsigned long speed = start;

			for (i = 0; i < 200; i++)
				speed = wb_bandwidth_next(speed, seen, 1000000);
			assert_in_range(speed + 4, seen, seen + 8);
		}
	}
}

static void goes_no_further_than_what_was_seen(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		unsigned long old = any_number(40) + 1, seen = any_number(40);
		unsigned long next = wb_bandwidth_next(old, seen, 1000000);

		assert_in_range(next, min(old, max(seen, 1UL)), max(old, seen) + 4);
	}
}

static void large_counts_do_not_overflow(void **state)
{
	(void)state;
	/* 64 GB in a millisecond, 4 TB in a microsecond */
	assert_true(wb_bandwidth_next(0, 16UL << 20, 1000) > 1UL << 33);
	assert_true(wb_bandwidth_next(0, 1UL << 30, 1) > 1UL << 49);
	assert_int_equal(wb_bandwidth_next(0, 1UL << 30, U64_MAX), 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_first_observation_counts_in_full),
	cmocka_unit_test(is_never_0),
	cmocka_unit_test(a_lump_counts_for_a_quarter),
	cmocka_unit_test(comes_near_and_stays_near),
	cmocka_unit_test(goes_no_further_than_what_was_seen),
	cmocka_unit_test(large_counts_do_not_overflow),
};

UNIT_MAIN(tests)
