// SPDX-License-Identifier: GPL-2.0
/*
 * The pairs of files that spell a threshold: wb_setting_write() and _read() in limits.c.
 */
#include "unit.h"
#include <linux/page-writeback.h>

/*
 * The files as under /proc/sys/vm, each ratio before its bytes. dirty_ratio and dirty_bytes are
 * other names for the pair of async.
 */
enum {
	BACKGROUND_RATIO, BACKGROUND_BYTES,
	ASYNC_RATIO, ASYNC_BYTES,
	RATIO, BYTES,
	SYNC_RATIO, SYNC_BYTES,
	NR_FILES
};

static struct wb_setting *setting_of(struct wb_settings *set, int file)
{
	switch (file) {
	case BACKGROUND_RATIO:
	case BACKGROUND_BYTES:
		return &set->background;
	case SYNC_RATIO:
	case SYNC_BYTES:
		return &set->sync;
	default:
		return &set->async;
	}
}

static bool in_bytes(int file)
{
	return file % 2;
}

static void write_file(struct wb_settings *set, int file, unsigned long value)
{
	wb_setting_write(setting_of(set, file), in_bytes(file), value);
}

static unsigned long read_file(struct wb_settings *set, int file)
{
	return wb_setting_read(setting_of(set, file), in_bytes(file));
}

static void last_written_wins_and_the_other_reads_0(void **state)
{
	struct wb_settings set = { };
	int file;

	(void)state;
	for (file = 0; file < NR_FILES; file++) {
		write_file(&set, file ^ 1, 7);
		write_file(&set, file, 30 + file);
		assert_int_equal(read_file(&set, file), 30 + file);
		assert_int_equal(read_file(&set, file ^ 1), 0);
		write_file(&set, file, 9);
		assert_int_equal(read_file(&set, file), 9);
	}
}

static void aliases_show_and_set_the_async_pair(void **state)
{
	struct wb_settings set = { };

	(void)state;
	write_file(&set, RATIO, 33);
	assert_int_equal(read_file(&set, ASYNC_RATIO), 33);
	write_file(&set, ASYNC_BYTES, 1 << 20);
	assert_int_equal(read_file(&set, BYTES), 1 << 20);
	assert_int_equal(read_file(&set, RATIO), 0);
}

static void pairs_do_not_touch_each_other(void **state)
{
	struct wb_settings set = { { 10, false }, { 40, false }, { 50, false }, { 10, false } };

	(void)state;
	write_file(&set, ASYNC_BYTES, 1 << 20);
	assert_int_equal(read_file(&set, BACKGROUND_RATIO), 10);
	assert_int_equal(read_file(&set, SYNC_RATIO), 50);
}

static void a_0_where_the_value_stands_is_a_value(void **state)
{
	struct wb_settings set = { };

	(void)state;
	write_file(&set, SYNC_RATIO, 50);
	write_file(&set, SYNC_RATIO, 0);
	assert_int_equal(read_file(&set, SYNC_RATIO), 0);
	assert_int_equal(read_file(&set, SYNC_BYTES), 0);
	write_file(&set, SYNC_BYTES, 4096);
	write_file(&set, SYNC_BYTES, 0);
	assert_int_equal(read_file(&set, SYNC_RATIO), 0);
	assert_int_equal(read_file(&set, SYNC_BYTES), 0);
}

static void a_0_in_the_other_file_changes_nothing(void **state)
{
	struct wb_settings set = { };

	(void)state;
	write_file(&set, SYNC_RATIO, 50);
	write_file(&set, SYNC_BYTES, 0);
	assert_int_equal(read_file(&set, SYNC_RATIO), 50);
	write_file(&set, SYNC_BYTES, 4096);
	write_file(&set, SYNC_RATIO, 0);
	assert_int_equal(read_file(&set, SYNC_BYTES), 4096);
}

/* One of four ways to set a pair; every one of them reads differently or not at all. */
static void set_pair(struct wb_setting *pair, unsigned int way)
{
	static const struct wb_setting ways[] = {
		{ 35, false }, { 0, false }, { 5 << 20, true }, { 0, true },
	};

	*pair = ways[way % 4];
}

static struct wb_settings settings_for(unsigned int way)
{
	struct wb_settings set;

	set_pair(&set.background, way);
	set_pair(&set.async, way + way / 4);
	set_pair(&set.sync, way + way / 16);
	return set;
}

static void check_restored(const struct wb_settings *start, const unsigned long *saved,
			   const int *order)
{
	struct wb_settings set = *start;
	int i;

	for (i = 0; i < NR_FILES; i++)
		write_file(&set, order[i], saved[order[i]]);
	for (i = 0; i < NR_FILES; i++)
		if (read_file(&set, i) != saved[i])
			fail_msg("file %d: %lu restored as %lu", i, saved[i], read_file(&set, i));
}

/* All orders of the files from @k on, by swapping. */
static void check_orders(const struct wb_settings *start, const unsigned long *saved, int *order,
			 int k)
{
	int i, tmp;

	if (k == NR_FILES) {
		check_restored(start, saved, order);
		return;
	}
	for (i = k; i < NR_FILES; i++) {
		tmp = order[k], order[k] = order[i], order[i] = tmp;
		check_orders(start, saved, order, k + 1);
		tmp = order[k], order[k] = order[i], order[i] = tmp;
	}
}

static void a_saved_set_is_restored_in_any_order(void **state)
{
	int order[NR_FILES] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	unsigned int from, to;

	(void)state;
	for (from = 0; from < 4; from++) {
		for (to = 0; to < 64; to += 3) {
			struct wb_settings start = settings_for(from * 21), end = settings_for(to);
			unsigned long saved[NR_FILES];
			int i;

			for (i = 0; i < NR_FILES; i++)
				saved[i] = read_file(&end, i);
			check_orders(&start, saved, order, 0);
		}
	}
}

/* Stock kernels know the pair of async by the short name only. */
static void a_set_saved_without_aliases_is_restored(void **state)
{
	static const int orders[][2] = {
		{ RATIO, BYTES }, { BYTES, RATIO },
		{ ASYNC_RATIO, ASYNC_BYTES }, { ASYNC_BYTES, ASYNC_RATIO },
	};
	unsigned int from, to, i;

	(void)state;
	for (from = 0; from < 4; from++) {
		for (to = 0; to < 4; to++) {
			for (i = 0; i < ARRAY_SIZE(orders); i++) {
				struct wb_settings set, end;

				set_pair(&set.async, from);
				set_pair(&end.async, to);
				write_file(&set, orders[i][0], read_file(&end, orders[i][0]));
				write_file(&set, orders[i][1], read_file(&end, orders[i][1]));
				assert_int_equal(read_file(&set, RATIO), read_file(&end, RATIO));
				assert_int_equal(read_file(&set, BYTES), read_file(&end, BYTES));
			}
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(last_written_wins_and_the_other_reads_0),
	cmocka_unit_test(aliases_show_and_set_the_async_pair),
	cmocka_unit_test(pairs_do_not_touch_each_other),
	cmocka_unit_test(a_0_where_the_value_stands_is_a_value),
	cmocka_unit_test(a_0_in_the_other_file_changes_nothing),
	cmocka_unit_test(a_saved_set_is_restored_in_any_order),
	cmocka_unit_test(a_set_saved_without_aliases_is_restored),
};

UNIT_MAIN(tests)
