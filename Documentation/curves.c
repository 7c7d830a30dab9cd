// SPDX-License-Identifier: GPL-2.0
/*
 * curves: what the engine's own arithmetic and policies answer, as tables for gnuplot. The pictures
 * of Documentation/decisions.rst are drawn from them, so they can't differ from the code.
 */
#include <stdio.h>
#include <string.h>
#include <linux/kernel.h>
#include <linux/bdflush.h>
#include <linux/page-writeback.h>

#define DIRTYABLE	(256UL * 256)	/* pages: 256 MB */
#define BANDWIDTH	(20UL * 256)	/* pages a second: 20 MB/s */
#define STEPS		1000UL

/* Distance to a threshold, allowance near one that holds, near background; pages. */
static void allowances(void)
{
	unsigned long distance;

	for (distance = 1; distance < DIRTYABLE * 2; distance += distance / 16 + 1)
		printf("%lu %lu %lu\n", distance, wb_allowance_free(distance),
		       wb_allowance_soft(distance));
}

/* Percent dirty, verdict, allowance; the caller has dirtied 32 pages and is the only one. */
static void decisions(void (*decide)(const struct wb_snapshot *, struct wb_decision *),
		      const struct wb_settings *set)
{
	struct wb_snapshot snap = { .nr_domains = 1, .dev_bandwidth = BANDWIDTH,
				    .pages_dirtied = 32 };
	struct wb_decision dec;
	unsigned long step;

	wb_limits_of(set, DIRTYABLE, &snap.domain[0].lim);
	for (step = 0; step <= STEPS; step++) {
		snap.domain[0].dirty = DIRTYABLE * step / STEPS;
		snap.dev_dirty = snap.domain[0].dirty;
		decide(&snap, &dec);
		printf("%g %d %lu\n", step * 100.0 / STEPS, dec.verdict, dec.allowance);
	}
}

/* Six callers who come at the same moment: number, where the turn begins and ends; pages. */
static void tickets(void)
{
	static const unsigned long dirtied[] = { 32, 8, 64, 16, 32, 48 };
	u64 last = 0, next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(dirtied); i++) {
		next = wb_ticket_next(last, 0, 1000, wb_hold_pages(dirtied[i]));
		printf("%u %llu %llu %lu\n", i + 1, (unsigned long long)last,
		       (unsigned long long)next, dirtied[i]);
		last = next;
	}
}

int main(int argc, char **argv)
{
	static const struct wb_settings ratios = {
		.background = { .value = WB_DEFAULT_BACKGROUND },
		.async = { .value = WB_DEFAULT_ASYNC },
		.sync = { .value = WB_DEFAULT_SYNC },
		.stop = { .value = WB_DEFAULT_BACKGROUND },
	};
	static const unsigned long numbers[] = BDFLUSH_DEFAULTS;
	const char *what = argc == 2 ? argv[1] : "";
	struct wb_settings set;

	bdflush_settings(numbers, !strcmp(what, "2.4.8") ? BDFLUSH_2_4_8 : BDFLUSH_2_4_19, &set);
	if (!strcmp(what, "allowances"))
		allowances();
	else if (!strcmp(what, "tickets"))
		tickets();
	else if (!strcmp(what, "ratios"))
		decisions(wb_policy_ratios.decide, &ratios);
	else if (!strcmp(what, "2.4.8") || !strcmp(what, "2.4.19"))
		decisions(bdflush_decide, &set);
	else
		fprintf(stderr, "curves: allowances, tickets, ratios, 2.4.8 or 2.4.19\n");
	return !what[0];
}
