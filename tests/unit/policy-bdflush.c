// SPDX-License-Identifier: GPL-2.0
/*
 * The rules of 2.4: policy-bdflush.c.
 */
#include "unit.h"
#include <errno.h>
#include <linux/bdflush.h>
#include <linux/page-writeback.h>

#define MEMORY	100000UL	/* dirtyable: a percent is 1000 pages */

static const unsigned long defaults[BDFLUSH_FIELDS] = BDFLUSH_DEFAULTS;

static struct wb_snapshot snapshot(const unsigned long *number, enum bdflush_kernel rules,
				   unsigned long dirty, unsigned long writeback)
{
	struct wb_snapshot snap = {
		.nr_domains = 1,
		.dev_dirty = dirty,
		.dev_writeback = writeback,
		.dev_bandwidth = 5000,
		.pages_dirtied = 8,
	};
	struct wb_settings set;

	bdflush_settings(number, rules, &set);
	wb_limits_of(&set, MEMORY, &snap.domain[0].lim);
	snap.domain[0].dirty = dirty;
	snap.domain[0].writeback = writeback;
	return snap;
}

static struct wb_decision decide(const struct wb_snapshot *snap)
{
	struct wb_decision dec;

	memset(&dec, 0xa5, sizeof(dec));
	bdflush_decide(snap, &dec);
	assert_true(dec.allowance >= 1);
	return dec;
}

static enum wb_verdict verdict(enum bdflush_kernel rules, unsigned long dirty,
			       unsigned long writeback)
{
	struct wb_snapshot snap = snapshot(defaults, rules, dirty, writeback);

	return decide(&snap).verdict;
}

static void bounds_hold_the_defaults(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < BDFLUSH_FIELDS; i++) {
		assert_true(defaults[i] >= bdflush_min[i]);
		assert_true(defaults[i] <= bdflush_max[i]);
	}
}

static void in_2_4_19_bdflush_writes_above_nfract(void **state)
{
	(void)state;
	assert_int_equal(verdict(BDFLUSH_2_4_19, 30000, 0), WB_NOTHING);
	assert_int_equal(verdict(BDFLUSH_2_4_19, 30001, 0), WB_KICK);
	assert_int_equal(verdict(BDFLUSH_2_4_19, 60000, 0), WB_KICK);
}

static void in_2_4_19_callers_write_above_nfract_sync(void **state)
{
	(void)state;
	assert_int_equal(verdict(BDFLUSH_2_4_19, 60001, 0), WB_PACE);
	assert_int_equal(verdict(BDFLUSH_2_4_19, 80000, 0), WB_PACE);
}

static void in_2_4_8_callers_write_above_nfract(void **state)
{
	(void)state;
	assert_int_equal(verdict(BDFLUSH_2_4_8, 30000, 0), WB_NOTHING);
	assert_int_equal(verdict(BDFLUSH_2_4_8, 30001, 0), WB_PACE);
	assert_int_equal(verdict(BDFLUSH_2_4_8, 60000, 0), WB_PACE);
	assert_int_equal(verdict(BDFLUSH_2_4_8, 60001, 0), WB_WAIT);
}

static void what_is_under_way_is_not_dirty(void **state)
{
	(void)state;
	assert_int_equal(verdict(BDFLUSH_2_4_19, 30000, 40000), WB_NOTHING);
	assert_int_equal(verdict(BDFLUSH_2_4_8, 30000, 40000), WB_NOTHING);
}

static void but_not_without_end(void **state)
{
	(void)state;
	/* past the middle between the highest threshold, 80 and 60 percent, and all */
	assert_int_equal(verdict(BDFLUSH_2_4_19, 0, 90000), WB_NOTHING);
	assert_int_equal(verdict(BDFLUSH_2_4_19, 0, 90001), WB_WAIT);
	assert_int_equal(verdict(BDFLUSH_2_4_8, 0, 80000), WB_NOTHING);
	assert_int_equal(verdict(BDFLUSH_2_4_8, 0, 80001), WB_WAIT);
}

static void nfract_sync_counts_only_above_nfract(void **state)
{
	const unsigned long number[] = { 90, 64, 64, 256, 500, 6000, 60, 0, 0 };
	struct wb_snapshot snap;

	(void)state;
	snap = snapshot(number, BDFLUSH_2_4_8, 90000, 0);
	assert_int_equal(decide(&snap).verdict, WB_NOTHING);
	snap = snapshot(number, BDFLUSH_2_4_8, 90001, 0);
	assert_int_equal(decide(&snap).verdict, WB_WAIT);
	snap = snapshot(number, BDFLUSH_2_4_19, 90000, 0);
	assert_int_equal(decide(&snap).verdict, WB_NOTHING);
	snap = snapshot(number, BDFLUSH_2_4_19, 90001, 0);
	assert_int_equal(decide(&snap).verdict, WB_PACE);
}

static void bdflush_stops_at_nfract_stop(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_19, 20001, 0);

	(void)state;
	assert_false(bdflush_over_background(&snap));
	assert_true(bdflush_goes_on(&snap));
	snap.domain[0].dirty = 20000;
	assert_false(bdflush_goes_on(&snap));
}

static void in_2_4_8_it_stops_where_it_begins(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_8, 30001, 0);

	(void)state;
	assert_true(bdflush_over_background(&snap));
	assert_true(bdflush_goes_on(&snap));
	snap.domain[0].dirty = 30000;
	assert_false(bdflush_over_background(&snap));
	assert_false(bdflush_goes_on(&snap));
}

static void stop_above_start_is_start(void **state)
{
	const unsigned long number[] = { 30, 500, 0, 0, 500, 3000, 60, 90, 0 };
	struct wb_snapshot snap = snapshot(number, BDFLUSH_2_4_19, 30001, 0);

	(void)state;
	assert_true(bdflush_goes_on(&snap));
	snap.domain[0].dirty = 30000;
	assert_false(bdflush_goes_on(&snap));
}

static void stop_of_0_is_until_all_is_clean(void **state)
{
	const unsigned long number[] = { 90, 64, 64, 256, 500, 3000, 95, 0, 0 };
	struct wb_snapshot snap = snapshot(number, BDFLUSH_2_4_19, 1, 0);

	(void)state;
	assert_true(bdflush_goes_on(&snap));
	snap.domain[0].dirty = 0;
	assert_false(bdflush_goes_on(&snap));
}

/* Whoever holds a caller and whoever wakes a writer agree, and a writer does not stop before. */
static void who_is_held_has_a_writer(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		unsigned long number[BDFLUSH_FIELDS];
		struct wb_snapshot snap;
		unsigned int field;

		for (field = 0; field < BDFLUSH_FIELDS; field++)
			number[field] = bdflush_min[field] +
					pick(bdflush_max[field] - bdflush_min[field] + 1);
		snap = snapshot(number, pick(2), pick(MEMORY), pick(MEMORY / 2));
		if (decide(&snap).verdict == WB_NOTHING)
			continue;
		assert_true(bdflush_over_background(&snap));
		if (snap.domain[0].dirty > snap.domain[0].lim.background)
			assert_true(bdflush_goes_on(&snap));
	}
}

static void a_caller_has_32_written_for_each(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_19, 70000, 0);

	(void)state;
	assert_int_equal(decide(&snap).hold_pages, 8 * 32);
	/* but no more than bring it below the threshold, and 32 more */
	snap.domain[0].dirty = 60010;
	assert_int_equal(decide(&snap).hold_pages, 10 + 32);
}

static void a_threads_own_caller_is_never_held(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_8, 90000, 0);

	(void)state;
	snap.writer = true;
	assert_int_equal(decide(&snap).verdict, WB_KICK);
}

static void a_loop_device_waits_for_its_own_only(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_8, 90000, 0);

	(void)state;
	snap.local = true;
	snap.dev_dirty = 100;
	snap.dev_share = 100;
	assert_int_equal(decide(&snap).verdict, WB_KICK);
	snap.dev_dirty = 101;
	assert_int_equal(decide(&snap).verdict, WB_PACE);
}

static void a_groups_limits_count_too(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_19, 0, 0);

	(void)state;
	wb_limits_scale(&snap.domain[0].lim, 1, 100, &snap.domain[1].lim);
	snap.domain[1].dirty = 601;
	snap.domain[1].writeback = 0;
	snap.nr_domains = 2;
	assert_int_equal(decide(&snap).verdict, WB_PACE);
	assert_true(bdflush_over_background(&snap));
	assert_true(bdflush_goes_on(&snap));
}

/* Far below nothing is asked often; many writers can't pass a threshold by far unasked. */
static void allowances_shrink_towards_a_threshold(void **state)
{
	struct wb_snapshot snap = snapshot(defaults, BDFLUSH_2_4_19, 0, 0);

	(void)state;
	assert_true(decide(&snap).allowance >= 900);
	snap.domain[0].dirty = 59990;
	assert_true(decide(&snap).allowance <= 80);
	snap.dev_waiters = 100;
	assert_true(decide(&snap).allowance <= 4);
}

static void rules_have_names(void **state)
{
	enum bdflush_kernel rules = BDFLUSH_2_4_19;

	(void)state;
	assert_int_equal(bdflush_parse_rules("2.4.8", &rules), 0);
	assert_int_equal(rules, BDFLUSH_2_4_8);
	assert_int_equal(bdflush_parse_rules("2.4.19\n", &rules), 0);
	assert_int_equal(rules, BDFLUSH_2_4_19);
	assert_int_equal(bdflush_parse_rules("2.4.80", &rules), -EINVAL);
	assert_int_equal(bdflush_parse_rules("2.4.1", &rules), -EINVAL);
	assert_int_equal(bdflush_parse_rules("", &rules), -EINVAL);
	assert_int_equal(bdflush_parse_rules("2.4.8\n\n", &rules), -EINVAL);
	assert_int_equal(rules, BDFLUSH_2_4_19);
	assert_string_equal(bdflush_rules_name(BDFLUSH_2_4_8), "2.4.8");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(bounds_hold_the_defaults),
	cmocka_unit_test(in_2_4_19_bdflush_writes_above_nfract),
	cmocka_unit_test(in_2_4_19_callers_write_above_nfract_sync),
	cmocka_unit_test(in_2_4_8_callers_write_above_nfract),
	cmocka_unit_test(what_is_under_way_is_not_dirty),
	cmocka_unit_test(but_not_without_end),
	cmocka_unit_test(nfract_sync_counts_only_above_nfract),
	cmocka_unit_test(bdflush_stops_at_nfract_stop),
	cmocka_unit_test(in_2_4_8_it_stops_where_it_begins),
	cmocka_unit_test(stop_above_start_is_start),
	cmocka_unit_test(stop_of_0_is_until_all_is_clean),
	cmocka_unit_test(who_is_held_has_a_writer),
	cmocka_unit_test(a_caller_has_32_written_for_each),
	cmocka_unit_test(a_threads_own_caller_is_never_held),
	cmocka_unit_test(a_loop_device_waits_for_its_own_only),
	cmocka_unit_test(a_groups_limits_count_too),
	cmocka_unit_test(allowances_shrink_towards_a_threshold),
	cmocka_unit_test(rules_have_names),
};

UNIT_MAIN(tests)
