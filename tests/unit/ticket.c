// SPDX-License-Identifier: GPL-2.0
/*
 * Turns at a device: ticket.c.
 */
#include "unit.h"
#include <linux/atomic.h>
#include <linux/page-writeback.h>

static void a_turn_begins_where_the_last_one_ends(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_next(1050, 1000, 500, 12), 1062);
	assert_int_equal(wb_ticket_next(1062, 1000, 500, 12), 1074);
}

static void a_turn_begins_now_if_nobody_waits(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_next(0, 1000, 500, 12), 1012);
	assert_int_equal(wb_ticket_next(999, 1000, 500, 12), 1012);
	assert_int_equal(wb_ticket_next(1000, 1000, 500, 12), 1012);
	assert_int_equal(wb_ticket_next(1001, 1000, 500, 12), 1013);
}

static void a_turn_ends_by_the_end_of_the_backlog(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_next(1488, 1000, 500, 12), 1500);
	assert_int_equal(wb_ticket_next(1489, 1000, 500, 12), 1500);
	assert_int_equal(wb_ticket_next(1500, 1000, 500, 12), 1500);
	assert_int_equal(wb_ticket_next(9999, 1000, 500, 12), 1500);
}

/* The device will complete 8 pages and no more: whoever waits for 12 waits in vain. */
static void a_turn_longer_than_the_backlog_is_cut(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_next(0, 1000, 8, 12), 1008);
	assert_int_equal(wb_ticket_next(1004, 1000, 8, 12), 1008);
	assert_int_equal(wb_ticket_next(0, 1000, 0, 12), 1000);
	assert_int_equal(wb_ticket_next(5000, 1000, 0, 12), 1000);
}

static void chance_finds_no_turn_out_of_bounds(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 200000; i++) {
		u64 last = any_number(63), written = any_number(62);
		u64 backlog = any_number(40), share = any_number(30);
		u64 ticket = wb_ticket_next(last, written, backlog, share);

		assert_true(ticket >= written);
		assert_true(ticket <= written + backlog);
		if (last >= written && last + share <= written + backlog)
			assert_true(ticket == last + share);
	}
}

static void n_callers_leave_one_after_the_other(void **state)
{
	struct wb_device dev = { };
	u64 written = 100000, last = written;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		u64 ticket = wb_ticket_draw(&dev, written, 1 << 20, 12);

		assert_int_equal(ticket, last + 12);
		last = ticket;
	}
}

static void turns_end_to_end_while_the_device_writes(void **state)
{
	struct wb_device dev = { };
	u64 written = 0, last = 0;
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		u64 share = 1 + pick(300);
		u64 ticket = wb_ticket_draw(&dev, written, 10000, share);

		assert_true(ticket >= last || last > written + 10000);
		assert_true(ticket <= max(last, written) + share);
		assert_true(ticket <= written + 10000);
		last = ticket;
		written += pick(400);
	}
}

static void a_returned_turn_is_the_next_callers(void **state)
{
	struct wb_device dev = { };

	(void)state;
	assert_int_equal(wb_ticket_draw(&dev, 1000, 500, 12), 1012);
	assert_int_equal(wb_ticket_draw(&dev, 1000, 500, 30), 1042);
	wb_ticket_return(&dev, 30);
	assert_int_equal(wb_ticket_draw(&dev, 1000, 500, 20), 1032);
}

static void turns_returned_late_do_not_count(void **state)
{
	struct wb_device dev = { };

	(void)state;
	wb_ticket_draw(&dev, 1000, 500, 12);
	wb_ticket_return(&dev, 12);
	assert_int_equal(wb_ticket_draw(&dev, 2000, 500, 12), 2012);
}

/* Turns that were cut at the end of the backlog give back more than they took. */
static void returns_at_a_new_device_do_not_wrap(void **state)
{
	struct wb_device dev = { };

	(void)state;
	assert_int_equal(wb_ticket_draw(&dev, 0, 100, 80), 80);
	assert_int_equal(wb_ticket_draw(&dev, 0, 100, 80), 100);
	wb_ticket_return(&dev, 80);
	wb_ticket_return(&dev, 80);
	assert_int_equal(wb_ticket_draw(&dev, 0, 100, 10), 10);
	assert_int_equal(wb_ticket_draw(&dev, 0, 100, 10), 20);
}

static void waits_as_long_as_the_device_takes(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_wait_ms(1512, 1000, 5120), 100);
	assert_int_equal(wb_ticket_wait_ms(1001, 1000, 1), 1000);
	assert_int_equal(wb_ticket_wait_ms(6120, 1000, 5120), 1000);
}

static void waits_for_nothing_when_the_turn_is_over(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_wait_ms(1000, 1000, 5120), 0);
	assert_int_equal(wb_ticket_wait_ms(999, 1000, 5120), 0);
	assert_int_equal(wb_ticket_wait_ms(0, ULONG_MAX, 1), 0);
}

/* A wait of 0 ms before the end would be a caller that spins, one rounded down wakes up twice. */
static void never_wakes_up_before_the_end(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_wait_ms(1001, 1000, 5120), 1);
	assert_int_equal(wb_ticket_wait_ms(1001, 1000, 1 << 20), 1);
	assert_int_equal(wb_ticket_wait_ms(1006, 1000, 5120), 2);
}

static void long_waits_do_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(wb_ticket_wait_ms(U64_MAX, 0, 1), U32_MAX);
	assert_int_equal(wb_ticket_wait_ms(1ULL << 40, 0, 1), U32_MAX);
	assert_in_range(wb_ticket_wait_ms(1ULL << 32, 0, 1 << 20), 4095 * 1000, 4097 * 1000);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_turn_begins_where_the_last_one_ends),
	cmocka_unit_test(a_turn_begins_now_if_nobody_waits),
	cmocka_unit_test(a_turn_ends_by_the_end_of_the_backlog),
	cmocka_unit_test(a_turn_longer_than_the_backlog_is_cut),
	cmocka_unit_test(chance_finds_no_turn_out_of_bounds),
	cmocka_unit_test(n_callers_leave_one_after_the_other),
	cmocka_unit_test(turns_end_to_end_while_the_device_writes),
	cmocka_unit_test(a_returned_turn_is_the_next_callers),
	cmocka_unit_test(turns_returned_late_do_not_count),
	cmocka_unit_test(returns_at_a_new_device_do_not_wrap),
	cmocka_unit_test(waits_as_long_as_the_device_takes),
	cmocka_unit_test(waits_for_nothing_when_the_turn_is_over),
	cmocka_unit_test(never_wakes_up_before_the_end),
	cmocka_unit_test(long_waits_do_not_overflow),
};

UNIT_MAIN(tests)
