// SPDX-License-Identifier: GPL-2.0
/*
 * Memory and settings to thresholds: limits.c.
 */
#include "unit.h"
#include <linux/page-writeback.h>

#define TB(n)	((n) << 40 >> 12)	/* in pages */

static struct wb_setting ratio(unsigned long value)
{
	return (struct wb_setting){ .value = value };
}

static struct wb_setting bytes(unsigned long value)
{
	return (struct wb_setting){ .value = value, .bytes = true };
}

static struct wb_limits limits_of(struct wb_setting background, struct wb_setting async,
				  struct wb_setting sync, unsigned long dirtyable)
{
	struct wb_settings set = { background, async, sync, background };
	struct wb_limits lim;

	memset(&lim, 0xa5, sizeof(lim));
	wb_limits_of(&set, dirtyable, &lim);
	assert_int_equal(lim.dirtyable, dirtyable);
	return lim;
}

/* The sync threshold alone is never pulled down, so it shows what one setting means. */
static unsigned long pages_for(struct wb_setting set, unsigned long dirtyable)
{
	return limits_of(ratio(0), ratio(0), set, dirtyable).sync;
}

static void check_limits(struct wb_limits lim, unsigned long background, unsigned long async,
			 unsigned long sync)
{
	assert_int_equal(lim.background, background);
	assert_int_equal(lim.async, async);
	assert_int_equal(lim.sync, sync);
}

static void ratios_are_percent_of_dirtyable(void **state)
{
	(void)state;
	check_limits(limits_of(ratio(10), ratio(40), ratio(50), 100000), 10000, 40000, 50000);
	check_limits(limits_of(ratio(40), ratio(50), ratio(60), 30720), 12288, 15360, 18432);
}

static void defaults_are_those_of_2_5_35(void **state)
{
	(void)state;
	check_limits(limits_of(ratio(WB_DEFAULT_BACKGROUND), ratio(WB_DEFAULT_ASYNC),
			       ratio(WB_DEFAULT_SYNC), 1000), 100, 400, 500);
}

static void ratios_are_rounded_down(void **state)
{
	(void)state;
	assert_int_equal(pages_for(ratio(1), 99), 0);
	assert_int_equal(pages_for(ratio(1), 100), 1);
	assert_int_equal(pages_for(ratio(1), 199), 1);
	assert_int_equal(pages_for(ratio(50), 3), 1);
}

static void ratios_end_at_100(void **state)
{
	(void)state;
	assert_int_equal(pages_for(ratio(0), 5000), 0);
	assert_int_equal(pages_for(ratio(100), 5000), 5000);
	assert_int_equal(pages_for(ratio(101), 5000), 5000);
	assert_int_equal(pages_for(ratio(ULONG_MAX), 5000), 5000);
}

static void bytes_are_rounded_up_to_pages(void **state)
{
	(void)state;
	assert_int_equal(pages_for(bytes(0), 5000), 0);
	assert_int_equal(pages_for(bytes(1), 5000), 1);
	assert_int_equal(pages_for(bytes(4095), 5000), 1);
	assert_int_equal(pages_for(bytes(4096), 5000), 1);
	assert_int_equal(pages_for(bytes(4097), 5000), 2);
	assert_int_equal(pages_for(bytes(4096 * 77), 5000), 77);
}

static void bytes_do_not_depend_on_memory(void **state)
{
	(void)state;
	assert_int_equal(pages_for(bytes(8192), 5000), pages_for(bytes(8192), 500000));
}

static void bytes_beyond_memory_are_all_of_it(void **state)
{
	(void)state;
	assert_int_equal(pages_for(bytes(4096 * 5000), 5000), 5000);
	assert_int_equal(pages_for(bytes(4096 * 5001), 5000), 5000);
	assert_int_equal(pages_for(bytes(ULONG_MAX), 5000), 5000);
}

static void large_machines_do_not_overflow(void **state)
{
	(void)state;
	check_limits(limits_of(ratio(10), ratio(40), ratio(50), TB(16UL)),
		     TB(16UL) / 10, TB(16UL) / 10 * 4 + 2, TB(8UL));
	check_limits(limits_of(ratio(99), ratio(100), ratio(100), ULONG_MAX),
		     ULONG_MAX / 100 * 99 + 14, ULONG_MAX, ULONG_MAX);
	assert_int_equal(pages_for(bytes(16UL << 40), ULONG_MAX), TB(16UL));
	assert_int_equal(pages_for(bytes(ULONG_MAX), ULONG_MAX), 1UL << 52);
	assert_int_equal(pages_for(bytes(ULONG_MAX - 4095), ULONG_MAX), (1UL << 52) - 1);
	assert_int_equal(pages_for(bytes(ULONG_MAX - 4094), ULONG_MAX), 1UL << 52);
}

static void crossed_thresholds_are_put_in_order(void **state)
{
	(void)state;
	check_limits(limits_of(ratio(10), ratio(50), ratio(40), 1000), 100, 400, 400);
	check_limits(limits_of(ratio(40), ratio(10), ratio(50), 1000), 100, 100, 500);
	check_limits(limits_of(ratio(40), ratio(50), ratio(10), 1000), 100, 100, 100);
	check_limits(limits_of(ratio(50), ratio(10), ratio(40), 1000), 100, 100, 400);
	check_limits(limits_of(ratio(50), ratio(40), ratio(10), 1000), 100, 100, 100);
	check_limits(limits_of(ratio(30), ratio(30), ratio(30), 1000), 300, 300, 300);
	check_limits(limits_of(ratio(30), ratio(40), ratio(0), 1000), 0, 0, 0);
}

static void crossed_spellings_are_put_in_order(void **state)
{
	(void)state;
	check_limits(limits_of(bytes(4096 * 450), ratio(40), ratio(50), 1000), 400, 400, 500);
	check_limits(limits_of(ratio(10), bytes(ULONG_MAX), ratio(50), 1000), 100, 500, 500);
	check_limits(limits_of(ratio(10), ratio(40), bytes(4096), 1000), 1, 1, 1);
}

static void settings_are_left_alone(void **state)
{
	struct wb_settings set = { ratio(60), bytes(12345), ratio(20), ratio(30) };
	const struct wb_settings before = set;
	struct wb_limits lim;

	(void)state;
	wb_limits_of(&set, 1000, &lim);
	assert_memory_equal(&set.background.value, &before.background.value, sizeof(long));
	assert_memory_equal(&set.async.value, &before.async.value, sizeof(long));
	assert_memory_equal(&set.sync.value, &before.sync.value, sizeof(long));
}

static unsigned long dirtyable(unsigned long free, unsigned long file, unsigned long reserve)
{
	/* dirty pages are file pages already, and must not count twice */
	struct wb_memory mem = {
		.free = free, .file = file, .reserve = reserve,
		.dirty = file / 2, .writeback = file / 4,
	};

	return wb_dirtyable(&mem);
}

static void dirtyable_is_free_and_file_less_reserve(void **state)
{
	(void)state;
	assert_in_range(dirtyable(1000, 500, 100), 1400, 1401);
	assert_in_range(dirtyable(1000, 0, 0), 1000, 1001);
	assert_in_range(dirtyable(TB(16UL), TB(16UL), 7), TB(32UL) - 7, TB(32UL) - 6);
}

static void dirtyable_is_never_0_nor_wraps(void **state)
{
	(void)state;
	assert_in_range(dirtyable(0, 0, 0), 1, 1);
	assert_in_range(dirtyable(99, 0, 100), 1, 1);
	assert_in_range(dirtyable(10, 500, ULONG_MAX), 500, 501);
}

static struct wb_limits group_of(struct wb_setting background, struct wb_setting async,
				 struct wb_setting sync, unsigned long machine, unsigned long group)
{
	struct wb_settings set = { background, async, sync, background };
	struct wb_limits lim;

	memset(&lim, 0xa5, sizeof(lim));
	wb_limits_of_group(&set, machine, group, &lim);
	assert_int_equal(lim.dirtyable, group);
	return lim;
}

static void a_group_gets_the_same_percentage(void **state)
{
	(void)state;
	check_limits(group_of(ratio(10), ratio(40), ratio(50), 100000, 1000), 100, 400, 500);
	check_limits(group_of(ratio(10), ratio(40), ratio(50), 100000, 100000),
		     10000, 40000, 50000);
}

static void a_group_gets_its_part_of_bytes(void **state)
{
	(void)state;
	check_limits(group_of(bytes(4096 * 1000), bytes(4096 * 2000), ratio(50), 10000, 100),
		     10, 20, 50);
}

static void a_group_gets_no_more_than_the_machine(void **state)
{
	(void)state;
	check_limits(group_of(ratio(10), ratio(40), bytes(4096 * 50), 100, 1000), 10, 40, 50);
}

static struct wb_limits under_stock(unsigned long background, unsigned long dirty,
				    unsigned long dirtyable)
{
	const struct wb_stock_limits stock = { 10000, background, dirty };
	struct wb_limits lim = limits_of(ratio(10), ratio(40), ratio(50), dirtyable);

	wb_limits_under_stock(&stock, &lim);
	assert_int_equal(lim.dirtyable, dirtyable);
	assert_int_equal(lim.stop, lim.background);
	return lim;
}

static void the_stock_engine_holds_nobody_under_its_limits(void **state)
{
	(void)state;
	check_limits(under_stock(500, 1500, 10000), 500, 750, 750);
	/* stock ones above ours change nothing, and none below them is too little */
	check_limits(under_stock(6000, 9000, 10000), 1000, 4000, 5000);
	check_limits(under_stock(0, 400, 10000), 0, 100, 100);
	check_limits(under_stock(0, 0, 10000), 0, 0, 0);
	/* crossed ones, which the kernel puts in order */
	check_limits(under_stock(400, 200, 10000), 400, 400, 400);
	/* less memory since then, or a part of it; more is no more room */
	check_limits(under_stock(500, 1500, 1000), 50, 75, 75);
	check_limits(under_stock(500, 1500, 20000), 500, 750, 750);
	check_limits(under_stock(500, 1500, 1), 0, 0, 0);
}

static void parts_are_scaled(void **state)
{
	const struct wb_limits all = { 10000, 1000, 4000, 5000, 500 };
	struct wb_limits part;

	(void)state;
	wb_limits_scale(&all, 25, 100, &part);
	assert_int_equal(part.dirtyable, 2500);
	assert_int_equal(part.stop, 125);
	check_limits(part, 250, 1000, 1250);
	wb_limits_scale(&all, 0, 100, &part);
	check_limits(part, 0, 0, 0);
	wb_limits_scale(&all, 100, 100, &part);
	check_limits(part, 1000, 4000, 5000);
	wb_limits_scale(&all, 101, 100, &part);
	check_limits(part, 1000, 4000, 5000);
	wb_limits_scale(&all, ULONG_MAX, ULONG_MAX, &part);
	check_limits(part, 1000, 4000, 5000);

	part = all;
	wb_limits_scale(&part, 1, 2, &part);
	assert_int_equal(part.dirtyable, 5000);
	check_limits(part, 500, 2000, 2500);
}

static struct wb_setting any_setting(void)
{
	return pick(2) ? ratio(pick(101)) : bytes(any_number(64));
}

/* The same, the long way round. */
static unsigned long expected(struct wb_setting set, unsigned long dirtyable)
{
	unsigned __int128 pages;

	if (set.bytes)
		pages = ((unsigned __int128)set.value + 4095) / 4096;
	else
		pages = (unsigned __int128)set.value * dirtyable / 100;
	if (pages > dirtyable)
		pages = dirtyable;
	return pages;
}

static void chance_agrees_with_plain_arithmetic(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		struct wb_settings set = { any_setting(), any_setting(), any_setting(),
					   any_setting() };
		unsigned long dirtyable = any_number(53) + 1, group = any_number(53) + 1;
		unsigned long sync = expected(set.sync, dirtyable);
		unsigned long async = expected(set.async, dirtyable);
		unsigned long background = expected(set.background, dirtyable);
		struct wb_limits lim;

		if (async > sync)
			async = sync;
		if (background > async)
			background = async;
		check_limits(limits_of(set.background, set.async, set.sync, dirtyable),
			     background, async, sync);

		lim = group_of(set.background, set.async, set.sync, dirtyable, group);
		assert_true(lim.background <= lim.async && lim.async <= lim.sync);
		assert_true(lim.sync <= sync);
		wb_limits_of(&set, dirtyable, &lim);
		assert_true(lim.stop <= lim.background);
		assert_true(lim.stop == lim.background ||
			    lim.stop == expected(set.stop, dirtyable));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ratios_are_percent_of_dirtyable),
	cmocka_unit_test(defaults_are_those_of_2_5_35),
	cmocka_unit_test(ratios_are_rounded_down),
	cmocka_unit_test(ratios_end_at_100),
	cmocka_unit_test(bytes_are_rounded_up_to_pages),
	cmocka_unit_test(bytes_do_not_depend_on_memory),
	cmocka_unit_test(bytes_beyond_memory_are_all_of_it),
	cmocka_unit_test(large_machines_do_not_overflow),
	cmocka_unit_test(crossed_thresholds_are_put_in_order),
	cmocka_unit_test(crossed_spellings_are_put_in_order),
	cmocka_unit_test(settings_are_left_alone),
	cmocka_unit_test(dirtyable_is_free_and_file_less_reserve),
	cmocka_unit_test(dirtyable_is_never_0_nor_wraps),
	cmocka_unit_test(a_group_gets_the_same_percentage),
	cmocka_unit_test(a_group_gets_its_part_of_bytes),
	cmocka_unit_test(a_group_gets_no_more_than_the_machine),
	cmocka_unit_test(the_stock_engine_holds_nobody_under_its_limits),
	cmocka_unit_test(parts_are_scaled),
	cmocka_unit_test(chance_agrees_with_plain_arithmetic),
};

UNIT_MAIN(tests)
