// SPDX-License-Identifier: GPL-2.0
/*
 * How much a task may dirty before it is asked again: allowance.c.
 */
#include "unit.h"
#include <linux/page-writeback.h>

#define MOST	1024	/* pages, 4 MB */

/* Every distance up to 1 << 18, then powers of two and what is around them. */
static unsigned long next_distance(unsigned long d)
{
	if (d < 1UL << 18)
		return d + 1;
	switch (d & 3) {
	case 0:
		return d + 1;
	case 1:
		return (d - 1) * 2 - 1;
	default:
		return d + 1;
	}
}

#define for_each_distance(d)	for (d = 0; d < 1UL << 62; d = next_distance(d))

static void never_0_and_never_over_4_mb(void **state)
{
	unsigned long d;

	(void)state;
	for_each_distance(d)
		assert_in_range(wb_allowance_free(d), 1, MOST);
	assert_int_equal(wb_allowance_free(ULONG_MAX), MOST);
}

static void grows_with_the_distance(void **state)
{
	unsigned long d, last = 0;

	(void)state;
	for_each_distance(d) {
		assert_true(wb_allowance_free(d) >= last);
		last = wb_allowance_free(d);
	}
}

static void is_1_at_the_threshold(void **state)
{
	(void)state;
	assert_int_equal(wb_allowance_free(0), 1);
	assert_int_equal(wb_allowance_free(1), 1);
}

static void is_large_far_off(void **state)
{
	(void)state;
	assert_int_equal(wb_allowance_free(MOST * 64), MOST);
	/* a lone writer with 64 MB before it comes in every 256 pages at most */
	assert_true(wb_allowance_free(16384) >= 256);
}

/* Near the threshold: the square root, at most halved. */
static void is_near_the_square_root(void **state)
{
	unsigned long d;

	(void)state;
	for (d = 1; d <= 4096; d++) {
		unsigned long a = wb_allowance_free(d);

		assert_true(a * a <= d);
		assert_true(4 * a * a > d);
	}
}

/* A crowd of any size up to the root of the distance, or up to 64, can't run past the threshold. */
static void a_crowd_stays_below_the_threshold(void **state)
{
	unsigned long d;

	(void)state;
	for_each_distance(d) {
		unsigned long a = wb_allowance_free(d), n;

		for (n = 1; n <= 64; n++)
			assert_true(n * a <= d || (n * n > d));
	}
}

static void paced_callers_share_what_the_device_writes(void **state)
{
	unsigned int waiters;

	(void)state;
	/* 20 MB/s, 16 ms */
	assert_int_equal(wb_allowance_paced(5120, 1), 5120 * 16 / 1000);
	for (waiters = 1; waiters < 100; waiters++)
		assert_true(wb_allowance_paced(51200, waiters) * waiters <= 819);
}

static void paced_is_never_0_and_never_over_4_mb(void **state)
{
	static const unsigned long speeds[] = { 1, 2, 62, 63, 5120, 1 << 20, 1 << 30, 1UL << 40 };
	static const unsigned int crowds[] = { 0, 1, 2, 1000, UINT_MAX };
	unsigned int i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(speeds); i++)
		for (j = 0; j < ARRAY_SIZE(crowds); j++)
			assert_in_range(wb_allowance_paced(speeds[i], crowds[j]), 1, MOST);
}

static void paced_shrinks_with_the_crowd_and_grows_with_speed(void **state)
{
	unsigned long speed;
	unsigned int n;

	(void)state;
	for (speed = 1; speed < 1UL << 40; speed *= 3) {
		for (n = 0; n < 2000; n++) {
			unsigned long paced = wb_allowance_paced(speed, n);

			assert_true(wb_allowance_paced(speed, n + 1) <= paced);
			assert_true(wb_allowance_paced(3 * speed, n) >= paced);
		}
	}
}

static void held_for_half_as_much_again(void **state)
{
	unsigned long n;

	(void)state;
	assert_int_equal(wb_hold_pages(128), 192);	/* 2.5's numbers */
	assert_int_equal(wb_hold_pages(0), 0);
	assert_int_equal(wb_hold_pages(1), 2);
	for (n = 0; n < 100000; n++)
		assert_in_range(2 * wb_hold_pages(n), 3 * n, 3 * n + 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(never_0_and_never_over_4_mb),
	cmocka_unit_test(grows_with_the_distance),
	cmocka_unit_test(is_1_at_the_threshold),
	cmocka_unit_test(is_large_far_off),
	cmocka_unit_test(is_near_the_square_root),
	cmocka_unit_test(a_crowd_stays_below_the_threshold),
	cmocka_unit_test(paced_callers_share_what_the_device_writes),
	cmocka_unit_test(paced_is_never_0_and_never_over_4_mb),
	cmocka_unit_test(paced_shrinks_with_the_crowd_and_grows_with_speed),
	cmocka_unit_test(held_for_half_as_much_again),
};

UNIT_MAIN(tests)
