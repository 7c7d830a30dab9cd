// SPDX-License-Identifier: GPL-2.0
/*
 * How far many writers together run past the sync threshold: verdicts and allowances against a
 * model of the kernel's own count-down. The device writes nothing at all, so all are held in
 * the end, and what is dirty then is the worst there can be.
 */
#include "unit.h"
#include <linux/page-writeback.h>

#define MAX_WRITERS	1000
#define FRESH		32	/* allowance of a new task */
#define CALLED_IN	8	/* allowance while the device is marked as exceeded */

struct crowd {
	struct wb_snapshot snap;
	unsigned int writers;
	unsigned int held;
	unsigned long ratelimit;	/* pages on this CPU after which anybody is asked */
	unsigned long on_cpu;
	bool exceeded;
	struct {
		unsigned long dirtied;
		unsigned long allowance;
		bool held;
	} writer[MAX_WRITERS];
};

static void ask(struct crowd *c, unsigned int i)
{
	struct wb_decision dec;

	c->snap.pages_dirtied = c->writer[i].dirtied;
	c->snap.dev_dirty = c->snap.domain[0].dirty;
	c->snap.dev_waiters = c->held;
	wb_policy_ratios.decide(&c->snap, &dec);
	c->writer[i].dirtied = 0;
	c->writer[i].allowance = dec.allowance;
	if (dec.verdict >= WB_PACE) {
		c->exceeded |= dec.exceeded;
		c->writer[i].held = true;
		c->held++;
	}
}

/* One page, and what the kernel does after it. */
static void dirty_page(struct crowd *c, unsigned int i)
{
	unsigned long limit = c->writer[i].allowance;

	c->snap.domain[0].dirty++;
	c->writer[i].dirtied++;
	c->on_cpu++;
	if (c->exceeded)
		limit = min(limit, (unsigned long)CALLED_IN);
	if (c->writer[i].dirtied >= limit) {
		c->on_cpu = 0;
	} else if (c->on_cpu >= c->ratelimit) {
		c->on_cpu = 0;
		limit = 0;
	}
	if (c->writer[i].dirtied >= limit)
		ask(c, i);
}

/* Everybody writes until held, each for up to @slice pages at a time, in any order. */
static unsigned long most_dirty(unsigned int writers, unsigned long dirtyable, unsigned long slice,
				unsigned int background, unsigned int async, unsigned int sync)
{
	static struct crowd c;
	struct wb_settings set = { { background, false }, { async, false }, { sync, false },
				   { background, false } };
	struct dirty_domain *machine = &c.snap.domain[0];
	unsigned int i;

	memset(&c, 0, sizeof(c));
	wb_limits_of(&set, dirtyable, &machine->lim);
	c.snap.nr_domains = 1;
	c.snap.dev_bandwidth = 5120;
	c.writers = writers;
	c.ratelimit = max(machine->lim.async / 32, 16UL);
	for (i = 0; i < writers; i++)
		c.writer[i].allowance = FRESH;
	while (c.held < writers) {
		unsigned long n = 1 + pick(slice);

		i = pick(writers);
		while (n-- && !c.writer[i].held)
			dirty_page(&c, i);
	}
	return machine->dirty;
}

/*
 * Over the sync threshold by at most 3 % of dirtyable memory. On small machines a large crowd may
 * run further than that, as the kernel lets each of them dirty 8 pages before it asks.
 */
static void check_crowd(unsigned int writers, unsigned long dirtyable, unsigned int background,
			unsigned int async, unsigned int sync)
{
	unsigned long by_count = dirtyable * async / 100 + writers * CALLED_IN;
	unsigned long bound = max(dirtyable * sync / 100, by_count) + dirtyable * 3 / 100;
	unsigned long slice, most;

	for (slice = 1; slice <= 1024; slice *= 4) {
		most = most_dirty(writers, dirtyable, slice, background, async, sync);
		if (most > bound)
			fail_msg("%u writers, %lu pages, %u/%u/%u, slices of %lu: %lu, bound %lu",
				 writers, dirtyable, background, async, sync, slice, most, bound);
	}
}

/* From 300 MB on a thousand writers are few, if there is some room between async and sync. */
static void a_thousand_writers_stay_within_3_percent(void **state)
{
	unsigned long slice, dirtyable;

	(void)state;
	for (dirtyable = 75000; dirtyable < 1 << 20; dirtyable *= 3)
		for (slice = 1; slice <= 4096; slice *= 8)
			assert_in_range(most_dirty(1000, dirtyable, slice, 10, 40, 50), 0,
					dirtyable * 53 / 100);
}

static void check_sizes(unsigned int writers)
{
	/* what a guest of 160 MB, of 256 MB, and a machine of 4 GB can hold */
	static const unsigned long sizes[] = { 32000, 55000, 1 << 20 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		check_crowd(writers, sizes[i], 10, 40, 50);
		check_crowd(writers, sizes[i], 40, 50, 60);
		check_crowd(writers, sizes[i], 10, 60, 70);
		check_crowd(writers, sizes[i], 10, 50, 50);
	}
}

static void one_writer(void **state)
{
	(void)state;
	check_sizes(1);
}

static void eight_writers(void **state)
{
	(void)state;
	check_sizes(8);
}

static void sixty_four_writers(void **state)
{
	(void)state;
	check_sizes(64);
}

static void a_thousand_writers(void **state)
{
	(void)state;
	check_sizes(1000);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(one_writer),
	cmocka_unit_test(eight_writers),
	cmocka_unit_test(sixty_four_writers),
	cmocka_unit_test(a_thousand_writers),
	cmocka_unit_test(a_thousand_writers_stay_within_3_percent),
};

UNIT_MAIN(tests)
