// SPDX-License-Identifier: GPL-2.0
/*
 * The policy of 2.5: policy-ratios.c.
 */
#include "unit.h"
#include <linux/page-writeback.h>

enum { BACKGROUND = 1000, ASYNC = 4000, SYNC = 5000, MIDDLE = 4500 };

static const struct dirty_domain empty = {
	.lim = { .dirtyable = 10000, .background = BACKGROUND, .async = ASYNC, .sync = SYNC },
};

/* A plain caller at a 20 MB/s device, on a machine with so much dirty and on its way. */
static struct wb_snapshot machine(unsigned long dirty, unsigned long writeback)
{
	struct wb_snapshot snap = {
		.domain = { empty }, .nr_domains = 1,
		.dev_dirty = dirty, .dev_writeback = writeback,
		.dev_bandwidth = 5120, .pages_dirtied = 32,
	};

	snap.domain[0].dirty = dirty;
	snap.domain[0].writeback = writeback;
	return snap;
}

static void add_domain(struct wb_snapshot *snap, unsigned long dirty, unsigned long writeback)
{
	struct dirty_domain *dom = &snap->domain[snap->nr_domains++];

	*dom = empty;
	dom->dirty = dirty;
	dom->writeback = writeback;
}

static struct wb_decision decide(struct wb_snapshot snap)
{
	const struct wb_snapshot before = snap;
	struct wb_decision dec, again;

	memset(&dec, 0x55, sizeof(dec));
	memset(&again, 0xaa, sizeof(again));
	wb_policy_ratios.decide(&snap, &dec);
	wb_policy_ratios.decide(&snap, &again);
	assert_memory_equal(&snap, &before, sizeof(snap));

	/* pure, and nothing left open */
	assert_int_equal(dec.verdict, again.verdict);
	assert_int_equal(dec.hold_pages, again.hold_pages);
	assert_int_equal(dec.allowance, again.allowance);
	assert_int_equal(dec.exceeded, again.exceeded);

	assert_in_range(dec.verdict, WB_NOTHING, WB_WAIT);
	assert_in_range(dec.allowance, 1, 1024);
	if (dec.verdict < WB_PACE) {
		assert_int_equal(dec.hold_pages, 0);
		assert_int_equal(dec.exceeded, snap.dev_waiters > 4);
	} else {
		assert_int_equal(dec.hold_pages, wb_hold_pages(snap.pages_dirtied));
	}
	return dec;
}

static enum wb_verdict verdict(struct wb_snapshot snap)
{
	return decide(snap).verdict;
}

static bool over_background(struct wb_snapshot snap)
{
	return wb_policy_ratios.over_background(&snap);
}

#define check_verdict(snap, expected)	assert_int_equal(verdict(snap), expected)

static void is_called_ratios(void **state)
{
	(void)state;
	assert_string_equal(wb_policy_ratios.name, "ratios");
}

static void kicks_strictly_above_background(void **state)
{
	(void)state;
	check_verdict(machine(0, 0), WB_NOTHING);
	check_verdict(machine(BACKGROUND - 1, 0), WB_NOTHING);
	check_verdict(machine(BACKGROUND, 0), WB_NOTHING);
	check_verdict(machine(BACKGROUND + 1, 0), WB_KICK);
	check_verdict(machine(ASYNC, 0), WB_KICK);
}

static void background_looks_at_dirty_alone(void **state)
{
	(void)state;
	check_verdict(machine(BACKGROUND, ASYNC - BACKGROUND), WB_NOTHING);
	check_verdict(machine(0, ASYNC), WB_NOTHING);
	check_verdict(machine(BACKGROUND + 1, ASYNC - BACKGROUND - 1), WB_KICK);
}

static void paces_strictly_above_async(void **state)
{
	(void)state;
	check_verdict(machine(ASYNC - 1, 0), WB_KICK);
	check_verdict(machine(ASYNC, 0), WB_KICK);
	check_verdict(machine(ASYNC + 1, 0), WB_PACE);
	check_verdict(machine(BACKGROUND + 1, ASYNC - BACKGROUND), WB_PACE);
	check_verdict(machine(ASYNC, 1), WB_PACE);
	check_verdict(machine(0, ASYNC + 1), WB_PACE);
	check_verdict(machine(SYNC, 0), WB_PACE);
}

static void waits_strictly_above_sync(void **state)
{
	(void)state;
	check_verdict(machine(SYNC - 1, 0), WB_PACE);
	check_verdict(machine(SYNC, 0), WB_PACE);
	check_verdict(machine(SYNC + 1, 0), WB_WAIT);
	check_verdict(machine(0, SYNC), WB_PACE);
	check_verdict(machine(0, SYNC + 1), WB_WAIT);
	check_verdict(machine(SYNC, 1), WB_WAIT);
	check_verdict(machine(1UL << 50, 1UL << 50), WB_WAIT);
}

static void equal_thresholds_leave_no_room_between(void **state)
{
	struct wb_snapshot snap = machine(500, 0);

	(void)state;
	snap.domain[0].lim = (struct wb_limits){ 10000, 500, 500, 500, 500 };
	check_verdict(snap, WB_NOTHING);
	snap.domain[0].dirty = 501;
	check_verdict(snap, WB_WAIT);
	snap.domain[0].lim = (struct wb_limits){ 10000, 0, 0, 0, 0 };
	snap.domain[0].dirty = 0;
	check_verdict(snap, WB_NOTHING);
	snap.domain[0].dirty = 1;
	check_verdict(snap, WB_WAIT);
}

static void realtime_gets_a_quarter_more(void **state)
{
	struct wb_snapshot snap;
	unsigned long held;

	(void)state;
	for (held = BACKGROUND + 1; held <= SYNC * 3 / 2; held++) {
		snap = machine(held, 0);
		snap.realtime = true;
		check_verdict(snap, held <= ASYNC * 5 / 4 ? WB_KICK :
				    held <= SYNC * 5 / 4 ? WB_PACE : WB_WAIT);
	}
}

static void realtime_is_raised_in_a_group_too(void **state)
{
	struct wb_snapshot snap = machine(0, 0);

	(void)state;
	snap.realtime = true;
	add_domain(&snap, ASYNC * 5 / 4, 0);
	check_verdict(snap, WB_KICK);
	snap.domain[1].dirty++;
	check_verdict(snap, WB_PACE);
}

static void laptop_is_not_kicked_before_someone_is_paced(void **state)
{
	struct wb_snapshot snap = machine(BACKGROUND + 1, 0);

	(void)state;
	snap.laptop = true;
	check_verdict(snap, WB_NOTHING);
	snap.domain[0].dirty = ASYNC;
	check_verdict(snap, WB_NOTHING);
	snap.domain[0].dirty = ASYNC + 1;
	check_verdict(snap, WB_PACE);
	snap.domain[0].dirty = SYNC + 1;
	check_verdict(snap, WB_WAIT);
}

static void laptop_writes_on_down_to_background(void **state)
{
	struct wb_snapshot snap = machine(BACKGROUND + 1, 0);

	(void)state;
	snap.laptop = true;
	assert_true(over_background(snap));
	snap.domain[0].dirty = BACKGROUND;
	assert_false(over_background(snap));
}

static void local_never_waits(void **state)
{
	struct wb_snapshot snap = machine(SYNC * 2, 0);

	(void)state;
	snap.local = true;
	snap.dev_share = 500;
	snap.dev_dirty = 300;
	snap.dev_writeback = 200;
	check_verdict(snap, WB_KICK);
	snap.dev_writeback = 201;
	check_verdict(snap, WB_PACE);
	snap.dev_dirty = 100000;
	check_verdict(snap, WB_PACE);
}

static void local_is_an_ordinary_caller_below_async(void **state)
{
	struct wb_snapshot snap = machine(BACKGROUND, 0);

	(void)state;
	snap.local = true;
	snap.dev_dirty = 100000;
	check_verdict(snap, WB_NOTHING);
	snap.domain[0].dirty = ASYNC;
	check_verdict(snap, WB_KICK);
}

static void a_strict_device_is_judged_by_itself(void **state)
{
	struct wb_snapshot snap = machine(SYNC * 2, 0);

	(void)state;
	snap.own_only = true;
	add_domain(&snap, 0, 0);
	check_verdict(snap, WB_KICK);
	snap.domain[1].dirty = ASYNC;
	check_verdict(snap, WB_KICK);
	snap.domain[1].dirty = ASYNC + 1;
	check_verdict(snap, WB_PACE);
	snap.domain[1].writeback = SYNC - ASYNC;
	check_verdict(snap, WB_WAIT);
}

static void a_strict_device_is_written_for_the_machine_too(void **state)
{
	struct wb_snapshot snap = machine(BACKGROUND, 0);

	(void)state;
	snap.own_only = true;
	add_domain(&snap, 10, 0);
	check_verdict(snap, WB_NOTHING);
	snap.domain[0].dirty = BACKGROUND + 1;
	check_verdict(snap, WB_KICK);
	snap.domain[0].dirty = 0;
	snap.domain[1].dirty = BACKGROUND + 1;
	check_verdict(snap, WB_KICK);
}

/* Others being over their limits does not make a strict device's callers come in at every page. */
static void a_strict_device_has_an_allowance_of_its_own(void **state)
{
	struct wb_snapshot snap = machine(SYNC, SYNC);
	struct wb_decision dec;

	(void)state;
	snap.own_only = true;
	add_domain(&snap, 0, 0);
	dec = decide(snap);
	assert_int_equal(dec.allowance, decide(machine(0, 0)).allowance);
	snap.domain[1].dirty = ASYNC + 1;
	dec = decide(snap);
	assert_int_equal(dec.verdict, WB_PACE);
	assert_false(dec.exceeded);
}

static void the_worst_domain_counts(void **state)
{
	static const unsigned long dirty[] = { 0, BACKGROUND + 1, ASYNC + 1, SYNC + 1 };
	unsigned int i, j, k;

	(void)state;
	for (i = 0; i < 4; i++) {
		for (j = 0; j < 4; j++) {
			for (k = 0; k < 4; k++) {
				struct wb_snapshot snap = machine(dirty[i], 0);

				add_domain(&snap, dirty[j], 0);
				add_domain(&snap, dirty[k], 0);
				check_verdict(snap, max3(i, j, k));
			}
		}
	}
}

static void domains_not_filled_in_do_not_count(void **state)
{
	struct wb_snapshot snap = machine(0, 0);

	(void)state;
	add_domain(&snap, SYNC + 1, 0);
	snap.nr_domains = 1;
	check_verdict(snap, WB_NOTHING);
	assert_false(over_background(snap));
}

static void a_group_has_limits_of_its_own(void **state)
{
	struct wb_snapshot snap = machine(0, 0);

	(void)state;
	add_domain(&snap, 0, 0);
	snap.domain[1].lim = (struct wb_limits){ 100, 10, 40, 50, 10 };
	snap.domain[1].dirty = 10;
	check_verdict(snap, WB_NOTHING);
	snap.domain[1].dirty = 11;
	check_verdict(snap, WB_KICK);
	snap.domain[1].writeback = 30;
	check_verdict(snap, WB_PACE);
	snap.domain[1].writeback = 40;
	check_verdict(snap, WB_WAIT);
}

static void a_writer_is_never_held(void **state)
{
	struct wb_snapshot snap = machine(SYNC * 2, SYNC);

	(void)state;
	snap.writer = true;
	snap.dev_waiters = 100;
	check_verdict(snap, WB_KICK);
	add_domain(&snap, SYNC * 2, 0);
	check_verdict(snap, WB_KICK);
	snap = machine(BACKGROUND, 0);
	snap.writer = true;
	check_verdict(snap, WB_NOTHING);
}

static void a_crowd_past_the_middle_comes_in_often(void **state)
{
	struct wb_snapshot snap = machine(MIDDLE + 1, 0);

	(void)state;
	assert_false(decide(machine(ASYNC + 1, 0)).exceeded);
	assert_false(decide(machine(MIDDLE, 0)).exceeded);
	assert_true(decide(machine(MIDDLE + 1, 0)).exceeded);
	assert_true(decide(machine(ASYNC, MIDDLE - ASYNC + 1)).exceeded);
	assert_true(decide(machine(SYNC + 1, 0)).exceeded);
	/* a disk beside a full stick: its writers are no crowd */
	snap.dev_dirty = ASYNC / 8;
	assert_false(decide(snap).exceeded);
	snap.dev_writeback = 1;
	assert_true(decide(snap).exceeded);
}

static void many_waiters_make_a_crowd(void **state)
{
	struct wb_snapshot snap = machine(ASYNC + 1, 0);

	(void)state;
	snap.dev_waiters = 1;
	assert_false(decide(snap).exceeded);
	snap.dev_waiters = 100;
	assert_true(decide(snap).exceeded);
	assert_int_equal(decide(snap).allowance, 1);
}

/* The allowance of a caller at async that will be held at the next check. */
static unsigned long at_async(void)
{
	unsigned long most = (SYNC - ASYNC) / 16;

	return most < wb_allowance_paced(5120, 1) ? most : wb_allowance_paced(5120, 1);
}

static void allowance_shrinks_towards_each_threshold(void **state)
{
	unsigned long dirty, last = ULONG_MAX;

	(void)state;
	for (dirty = 0; dirty <= BACKGROUND; dirty++) {
		unsigned long allowance = decide(machine(dirty, 0)).allowance;

		assert_true(allowance <= last);
		last = allowance;
	}
	/* a writer that starts a few pages late does no harm */
	assert_in_range(last, 1, 32);
	last = ULONG_MAX;
	for (dirty = BACKGROUND + 1; dirty <= ASYNC; dirty++) {
		unsigned long allowance = decide(machine(dirty, 0)).allowance;

		assert_true(allowance <= last);
		last = allowance;
	}
	/* what it would be allowed if it were held: less would make it be held for less */
	assert_int_equal(last, at_async());
}

static void allowance_counts_pages_on_their_way(void **state)
{
	struct wb_snapshot snap = machine(BACKGROUND + 1, ASYNC - BACKGROUND - 1);

	(void)state;
	snap.dev_waiters = 100;
	assert_int_equal(decide(snap).allowance, 1);
	snap.domain[0].writeback = 0;
	assert_true(decide(snap).allowance > 1);
}

static void allowance_is_that_of_the_nearest_domain(void **state)
{
	struct wb_snapshot snap = machine(0, 0);

	(void)state;
	add_domain(&snap, 0, ASYNC - 1);
	assert_int_equal(decide(snap).allowance, at_async());
	snap.domain[1].writeback = 0;
	assert_int_equal(decide(snap).allowance, decide(machine(0, 0)).allowance);
}

/* Nobody kicks a writer that then finds nothing to do, and nobody sleeps without one. */
static void check_agreement(struct wb_snapshot snap)
{
	enum wb_verdict v = verdict(snap);
	bool over = over_background(snap);

	if (v >= WB_KICK && !over)
		fail_msg("verdict %d, but nothing to write: dirty %lu/%lu writeback %lu/%lu "
			 "own %d local %d writer %d laptop %d", v,
			 snap.domain[0].dirty, snap.domain[1].dirty,
			 snap.domain[0].writeback, snap.domain[1].writeback,
			 snap.own_only, snap.local, snap.writer, snap.laptop);
	assert_true(v >= WB_KICK || !over || snap.laptop);
}

static void over_background_agrees_with_verdicts(void **state)
{
	static const unsigned long counts[] = {
		0, 1, BACKGROUND - 1, BACKGROUND, BACKGROUND + 1, ASYNC - BACKGROUND,
		ASYNC - 1, ASYNC, ASYNC + 1, MIDDLE, SYNC, SYNC + 1, SYNC * 5 / 4 + 1,
	};
	const unsigned int n = ARRAY_SIZE(counts);
	unsigned int i, flags;

	(void)state;
	for (i = 0; i < n * n * n * n; i++) {
		struct wb_snapshot snap = machine(counts[i % n], counts[i / n % n]);

		check_agreement(snap);
		add_domain(&snap, counts[i / n / n % n], counts[i / n / n / n % n]);
		snap.dev_share = ASYNC / 2;
		for (flags = 0; flags < 32; flags++) {
			snap.own_only = flags & 1;
			snap.laptop = flags & 2;
			snap.local = flags & 4;
			snap.writer = flags & 8;
			snap.realtime = flags & 16;
			check_agreement(snap);
		}
	}
}

static void more_dirty_is_never_judged_milder(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		struct wb_snapshot less = machine(pick(7000), pick(7000)), more;

		add_domain(&less, pick(7000), pick(7000));
		less.own_only = pick(2);
		less.laptop = pick(2);
		less.local = pick(2);
		less.writer = pick(2);
		less.realtime = pick(2);
		less.dev_share = pick(7000);
		more = less;
		more.domain[pick(2)].dirty += pick(3000);
		assert_true(verdict(more) >= verdict(less));
		assert_true(over_background(more) || !over_background(less));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(is_called_ratios),
	cmocka_unit_test(kicks_strictly_above_background),
	cmocka_unit_test(background_looks_at_dirty_alone),
	cmocka_unit_test(paces_strictly_above_async),
	cmocka_unit_test(waits_strictly_above_sync),
	cmocka_unit_test(equal_thresholds_leave_no_room_between),
	cmocka_unit_test(realtime_gets_a_quarter_more),
	cmocka_unit_test(realtime_is_raised_in_a_group_too),
	cmocka_unit_test(laptop_is_not_kicked_before_someone_is_paced),
	cmocka_unit_test(laptop_writes_on_down_to_background),
	cmocka_unit_test(local_never_waits),
	cmocka_unit_test(local_is_an_ordinary_caller_below_async),
	cmocka_unit_test(a_strict_device_is_judged_by_itself),
	cmocka_unit_test(a_strict_device_is_written_for_the_machine_too),
	cmocka_unit_test(a_strict_device_has_an_allowance_of_its_own),
	cmocka_unit_test(the_worst_domain_counts),
	cmocka_unit_test(domains_not_filled_in_do_not_count),
	cmocka_unit_test(a_group_has_limits_of_its_own),
	cmocka_unit_test(a_writer_is_never_held),
	cmocka_unit_test(a_crowd_past_the_middle_comes_in_often),
	cmocka_unit_test(many_waiters_make_a_crowd),
	cmocka_unit_test(allowance_shrinks_towards_each_threshold),
	cmocka_unit_test(allowance_counts_pages_on_their_way),
	cmocka_unit_test(allowance_is_that_of_the_nearest_domain),
	cmocka_unit_test(over_background_agrees_with_verdicts),
	cmocka_unit_test(more_dirty_is_never_judged_milder),
};

UNIT_MAIN(tests)
