// SPDX-License-Identifier: GPL-2.0
/*
 * What a policy leaves open, and what it must not say: decide.c.
 */
#include "unit.h"
#include <linux/page-writeback.h>

#define SYNC	1000	/* pages */

static struct wb_decision said;
static bool any_due;

static void say(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	(void)snap;
	*dec = said;
}

static void say_nothing(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	(void)snap;
	(void)dec;
}

static void say_pace(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	(void)snap;
	dec->verdict = WB_PACE;
}

static bool say_due(const struct wb_snapshot *snap)
{
	(void)snap;
	return any_due;
}

static struct wb_snapshot caller(void)
{
	return (struct wb_snapshot){
		.domain = { { .lim.sync = SYNC } }, .nr_domains = 1,
		.dev_bandwidth = 5120, .pages_dirtied = 32,
	};
}

static struct wb_decision ask(void (*decide)(const struct wb_snapshot *, struct wb_decision *),
			      struct wb_snapshot snap)
{
	const struct wb_policy policy = { .name = "test", .decide = decide };
	struct wb_decision dec;

	memset(&dec, 0x55, sizeof(dec));
	wb_decide(&policy, &snap, &dec);
	return dec;
}

static enum wb_verdict spared(enum wb_verdict verdict, struct wb_snapshot snap)
{
	said = (struct wb_decision){ .verdict = verdict };
	return ask(say, snap).verdict;
}

static void what_is_left_open_is_filled_in(void **state)
{
	struct wb_snapshot snap = caller();
	struct wb_decision dec = ask(say_nothing, snap);

	(void)state;
	assert_int_equal(dec.verdict, WB_NOTHING);
	assert_int_equal(dec.hold_pages, 0);
	assert_int_equal(dec.allowance, wb_allowance_paced(5120, 0));
	assert_false(dec.exceeded);

	snap.dev_waiters = 5;
	dec = ask(say_pace, snap);
	assert_int_equal(dec.verdict, WB_PACE);
	assert_int_equal(dec.hold_pages, wb_hold_pages(32));
	assert_int_equal(dec.allowance, wb_allowance_paced(5120, 5));
	assert_true(dec.exceeded);
}

static void what_is_said_stays(void **state)
{
	struct wb_decision dec;

	(void)state;
	said = (struct wb_decision){ .verdict = WB_WAIT, .hold_pages = 7, .allowance = 9,
				     .exceeded = true };
	dec = ask(say, caller());
	assert_int_equal(dec.verdict, WB_WAIT);
	assert_int_equal(dec.hold_pages, 7);
	assert_int_equal(dec.allowance, 9);
	assert_true(dec.exceeded);
}

static void a_thread_of_the_pool_is_never_held(void **state)
{
	struct wb_snapshot snap = caller();

	(void)state;
	snap.writer = true;
	assert_int_equal(spared(WB_NOTHING, snap), WB_NOTHING);
	assert_int_equal(spared(WB_KICK, snap), WB_KICK);
	assert_int_equal(spared(WB_PACE, snap), WB_KICK);
	assert_int_equal(spared(WB_WAIT, snap), WB_KICK);
	snap.local = true;	/* a loop device's file written by the pool */
	snap.dev_dirty = 100;
	assert_int_equal(spared(WB_WAIT, snap), WB_KICK);
}

static void a_loop_device_is_paced_at_most_and_above_its_share(void **state)
{
	struct wb_snapshot snap = caller();

	(void)state;
	snap.local = true;
	snap.dev_share = 100;
	snap.dev_dirty = 60;
	snap.dev_writeback = 40;
	assert_int_equal(spared(WB_WAIT, snap), WB_KICK);
	assert_int_equal(spared(WB_NOTHING, snap), WB_NOTHING);
	snap.dev_dirty++;
	assert_int_equal(spared(WB_WAIT, snap), WB_PACE);
	assert_int_equal(spared(WB_PACE, snap), WB_PACE);
	assert_int_equal(spared(WB_KICK, snap), WB_KICK);
}

/* However a policy is written, who is held has a writer. */
static void what_is_due_is_what_would_be_said(void **state)
{
	struct wb_policy policy = { .name = "test", .decide = say };
	struct wb_snapshot snap = caller();

	(void)state;
	for (said.verdict = WB_NOTHING; said.verdict <= WB_WAIT; said.verdict++)
		assert_int_equal(wb_anything_due(&policy, &snap), said.verdict != WB_NOTHING);

	policy.over_background = say_due;
	any_due = true;
	assert_true(wb_anything_due(&policy, &snap));
	any_due = false;
	assert_false(wb_anything_due(&policy, &snap));
}

static void room_is_to_the_nearest_sync(void **state)
{
	struct wb_snapshot snap = caller();

	(void)state;
	assert_int_equal(wb_room(&snap), SYNC);
	snap.domain[0].dirty = 600;
	snap.domain[0].writeback = 300;
	assert_int_equal(wb_room(&snap), 100);
	snap.domain[0].writeback = 500;
	assert_int_equal(wb_room(&snap), -100);

	snap.domain[1] = (struct dirty_domain){ .lim.sync = 50, .dirty = 250 };
	snap.nr_domains = 2;
	assert_int_equal(wb_room(&snap), -200);
	snap.domain[1].dirty = 20;
	assert_int_equal(wb_room(&snap), -100);
	snap.own_only = true;
	assert_int_equal(wb_room(&snap), 30);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_left_open_is_filled_in),
	cmocka_unit_test(what_is_said_stays),
	cmocka_unit_test(a_thread_of_the_pool_is_never_held),
	cmocka_unit_test(a_loop_device_is_paced_at_most_and_above_its_share),
	cmocka_unit_test(what_is_due_is_what_would_be_said),
	cmocka_unit_test(room_is_to_the_nearest_sync),
};

UNIT_MAIN(tests)
