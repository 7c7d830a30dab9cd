// SPDX-License-Identifier: GPL-2.0
/*
 * When a thread of the pool is born and when one dies: rules.c.
 */
#include "unit.h"
#include <linux/pdflush.h>

/* All busy for a long time: a birth is due at any number of threads below the maximum. */
static struct pdflush_state busy(unsigned int threads)
{
	return (struct pdflush_state){
		.threads = threads, .min = PDFLUSH_MIN_THREADS, .max = PDFLUSH_MAX_THREADS,
		.empty_ms = 60000,
	};
}

/* The others idle for a long time: a death is due at any number of threads above the minimum. */
static struct pdflush_state resting(unsigned int threads)
{
	return (struct pdflush_state){
		.threads = threads, .idle = threads - 1,
		.min = PDFLUSH_MIN_THREADS, .max = PDFLUSH_MAX_THREADS,
		.oldest_sleep_ms = 60000,
	};
}

static bool born_after(unsigned long ms)
{
	struct pdflush_state st = busy(2);

	st.empty_ms = ms;
	return pdflush_wants_birth(&st);
}

static bool dies_after(unsigned long ms)
{
	struct pdflush_state st = resting(3);

	st.oldest_sleep_ms = ms;
	return pdflush_wants_death(&st);
}

static void numbers_are_those_of_2_5(void **state)
{
	(void)state;
	assert_int_equal(PDFLUSH_MIN_THREADS, 2);
	assert_int_equal(PDFLUSH_MAX_THREADS, 8);
}

static void born_when_all_are_busy_for_over_a_second(void **state)
{
	(void)state;
	assert_false(born_after(0));
	assert_false(born_after(999));
	assert_false(born_after(1000));
	assert_true(born_after(1001));
	assert_true(born_after(ULONG_MAX));
}

static void not_born_while_one_is_idle(void **state)
{
	struct pdflush_state st = busy(2);

	(void)state;
	st.idle = 1;
	assert_false(pdflush_wants_birth(&st));
}

static void born_up_to_the_maximum(void **state)
{
	struct pdflush_state st = busy(7);

	(void)state;
	assert_true(pdflush_wants_birth(&st));
	st = busy(8);
	assert_false(pdflush_wants_birth(&st));
	st = busy(9);
	assert_false(pdflush_wants_birth(&st));
}

static void born_at_once_below_the_minimum(void **state)
{
	struct pdflush_state st = busy(1);

	(void)state;
	st.empty_ms = 0;
	st.idle = 1;
	assert_true(pdflush_wants_birth(&st));
	st = busy(2);
	st.empty_ms = 0;
	assert_false(pdflush_wants_birth(&st));
}

static void dies_when_another_sleeps_for_over_a_second(void **state)
{
	(void)state;
	assert_false(dies_after(0));
	assert_false(dies_after(999));
	assert_false(dies_after(1000));
	assert_true(dies_after(1001));
	assert_true(dies_after(ULONG_MAX));
}

static void does_not_die_when_nobody_sleeps(void **state)
{
	struct pdflush_state st = resting(5);

	(void)state;
	st.idle = 0;
	assert_false(pdflush_wants_death(&st));
}

static void dies_down_to_the_minimum(void **state)
{
	struct pdflush_state st = resting(3);

	(void)state;
	assert_true(pdflush_wants_death(&st));
	st = resting(2);
	assert_false(pdflush_wants_death(&st));
	st = resting(1);
	assert_false(pdflush_wants_death(&st));
}

static void dies_at_once_above_the_maximum(void **state)
{
	struct pdflush_state st = busy(9);

	(void)state;
	assert_true(pdflush_wants_death(&st));
	st = busy(8);
	assert_false(pdflush_wants_death(&st));
}

static void never_born_and_dying_at_once(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		struct pdflush_state st = {
			.threads = pick(10), .min = 1 + pick(5),
			.empty_ms = pick(3000), .oldest_sleep_ms = pick(3000),
		};

		st.max = st.min + pick(5);
		st.idle = pick(st.threads + 1);
		assert_false(pdflush_wants_birth(&st) && pdflush_wants_death(&st));
	}
}

/* However births and deaths follow each other, the number stays within its bounds once there. */
static void stays_within_bounds(void **state)
{
	struct pdflush_state st = busy(2);
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		st.idle = pick(st.threads + 1);
		st.empty_ms = pick(3000);
		st.oldest_sleep_ms = pick(3000);
		if (pick(2))
			st.threads += pdflush_wants_birth(&st);
		else
			st.threads -= pdflush_wants_death(&st);
		assert_in_range(st.threads, 2, 8);
	}
}

static void devices_raise_the_maximum(void **state)
{
	(void)state;
	assert_int_equal(pdflush_effective_max(2, 8, 0), 8);
	assert_int_equal(pdflush_effective_max(2, 8, 8), 8);
	assert_int_equal(pdflush_effective_max(2, 8, 9), 9);
	assert_int_equal(pdflush_effective_max(2, 8, 64), 64);
}

static void the_maximum_has_a_limit(void **state)
{
	(void)state;
	assert_int_equal(pdflush_effective_max(2, 8, PDFLUSH_LIMIT_THREADS), PDFLUSH_LIMIT_THREADS);
	assert_int_equal(pdflush_effective_max(2, 8, PDFLUSH_LIMIT_THREADS + 1),
			 PDFLUSH_LIMIT_THREADS);
	assert_int_equal(pdflush_effective_max(2, 8, UINT_MAX), PDFLUSH_LIMIT_THREADS);
}

static void a_minimum_above_the_maximum_wins(void **state)
{
	(void)state;
	assert_int_equal(pdflush_effective_max(20, 8, 0), 20);
	assert_int_equal(pdflush_effective_max(20, 8, 30), 30);
	assert_int_equal(pdflush_effective_max(PDFLUSH_LIMIT_THREADS, 1, 0), PDFLUSH_LIMIT_THREADS);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_are_those_of_2_5),
	cmocka_unit_test(born_when_all_are_busy_for_over_a_second),
	cmocka_unit_test(not_born_while_one_is_idle),
	cmocka_unit_test(born_up_to_the_maximum),
	cmocka_unit_test(born_at_once_below_the_minimum),
	cmocka_unit_test(dies_when_another_sleeps_for_over_a_second),
	cmocka_unit_test(does_not_die_when_nobody_sleeps),
	cmocka_unit_test(dies_down_to_the_minimum),
	cmocka_unit_test(dies_at_once_above_the_maximum),
	cmocka_unit_test(never_born_and_dying_at_once),
	cmocka_unit_test(stays_within_bounds),
	cmocka_unit_test(devices_raise_the_maximum),
	cmocka_unit_test(the_maximum_has_a_limit),
	cmocka_unit_test(a_minimum_above_the_maximum_wins),
};

UNIT_MAIN(tests)
