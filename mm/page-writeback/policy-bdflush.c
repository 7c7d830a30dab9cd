// SPDX-License-Identifier: GPL-2.0
/*
 * The policy of 2.4: what its numbers mean. Pure decisions.
 *
 *	2.4.19					2.4.8
 *	dirty > nfract		kick		pace
 *	dirty > nfract_sync	pace		wait
 *	bdflush stops at	nfract_stop	nfract
 *
 * As there, nfract_sync counts only above nfract, and pages on their way to a device don't count
 * as dirty. But its request queue held 16 MB at most and today's hold hundreds, so past the middle
 * between the highest threshold and all memory that may be dirty, callers wait for those as well.
 *
 * Where 2.4 had the caller write 32 buffers, its device's thread writes them and the caller is held
 * for that long: no file system code under a writer's locks.
 *
 * ndirty is taken and shown, but bounds nothing: it is the least that a wakeup wrote, and the
 * kernel's walker never writes less than 4 MB of a file that has them.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/bdflush.h>
#include <linux/page-writeback.h>

#define BATCH	32UL	/* buffers that a caller had to write for each that it dirtied */
#define SECOND	100UL	/* centiseconds */

/* 2.4.19's bounds. */
const unsigned long bdflush_min[BDFLUSH_FIELDS] = {
	0, 1, 0, 0, 0, 1 * SECOND, 0, 0, 0
};

const unsigned long bdflush_max[BDFLUSH_FIELDS] = {
	100, 50000, 20000, 20000, 10000 * SECOND, 10000 * SECOND, 100, 100, 0
};

static const char * const rules_names[] = {
	[BDFLUSH_2_4_8] = "2.4.8",
	[BDFLUSH_2_4_19] = "2.4.19",
};

/**
 * bdflush_rules_name - the kernel whose rules they are
 * @rules: whose
 */
const char *bdflush_rules_name(enum bdflush_kernel rules)
{
	return rules_names[rules];
}

/**
 * bdflush_parse_rules - the reverse
 * @text: a kernel's version, and nothing or a newline
 * @rules: result
 *
 * Returns 0, or -EINVAL for one whose rules are not known.
 */
int bdflush_parse_rules(const char *text, enum bdflush_kernel *rules)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rules_names); i++) {
		size_t len = strlen(rules_names[i]);

		if (!strncmp(text, rules_names[i], len) &&
		    (!text[len] || (text[len] == '\n' && !text[len + 1]))) {
			*rules = i;
			return 0;
		}
	}
	return -EINVAL;
}

/**
 * bdflush_settings - the numbers as thresholds
 * @number: BDFLUSH_FIELDS numbers
 * @rules: whose rules
 * @set: result, all in percent
 */
void bdflush_settings(const unsigned long *number, enum bdflush_kernel rules,
		      struct wb_settings *set)
{
	unsigned long soft = number[BDFLUSH_NFRACT];
	unsigned long hard = max(soft, number[BDFLUSH_NFRACT_SYNC]);
	bool callers_write = rules == BDFLUSH_2_4_8;

	*set = (struct wb_settings){
		.background = { .value = soft },
		.async = { .value = callers_write ? soft : hard },
		.sync = { .value = callers_write ? hard : (hard + 100) / 2 },
		/* a stop level above the start would only be where the first burst ends */
		.stop = { .value = callers_write ? soft : min(soft, number[BDFLUSH_NFRACT_STOP]) },
	};
}

/* So many dirty and on their way are more than any queue of 2.4 explains. */
static unsigned long most(const struct wb_limits *lim)
{
	return lim->sync + (lim->dirtyable - lim->sync) / 2;
}

static enum wb_verdict judge(const struct dirty_domain *dom)
{
	if (dom->dirty > dom->lim.sync || dom->dirty + dom->writeback > most(&dom->lim))
		return WB_WAIT;
	if (dom->dirty > dom->lim.async)
		return WB_PACE;
	if (dom->dirty > dom->lim.background)
		return WB_KICK;
	return WB_NOTHING;
}

/* Pages to a threshold above, or 0. */
static unsigned long below(unsigned long threshold, unsigned long pages)
{
	return threshold - min(threshold, pages);
}

/*
 * 2.4 looked at every buffer; here a caller is asked before it can have gone far past a
 * threshold.
 */
static unsigned long allowance(const struct dirty_domain *dom, unsigned long if_held)
{
	unsigned long held = dom->dirty + dom->writeback;
	unsigned long pages = wb_allowance_free(min(below(dom->lim.async, dom->dirty),
						    below(most(&dom->lim), held)));

	pages = max(pages, if_held);
	if (dom->dirty <= dom->lim.background)
		pages = min(pages, wb_allowance_soft(dom->lim.background - dom->dirty));
	return pages;
}

/* What a caller who is held may dirty next: no more than it would have had written. */
static unsigned long held_allowance(const struct wb_snapshot *snap, unsigned int waiters)
{
	return min(wb_allowance_paced(snap->dev_bandwidth, waiters), BATCH);
}

/* What the caller would have written before it is below the threshold, or has done its part. */
static unsigned long hold(const struct wb_snapshot *snap)
{
	unsigned long pages = snap->pages_dirtied * BATCH, over = 0;
	unsigned int i;

	for (i = snap->own_only; i < snap->nr_domains; i++) {
		const struct dirty_domain *dom = &snap->domain[i];

		over = max(over, dom->dirty - min(dom->dirty, dom->lim.async));
	}
	return clamp(over + BATCH, snap->pages_dirtied, max(pages, BATCH));
}

/**
 * bdflush_decide - a caller in the write path
 * @snap: what is known
 * @dec: result
 */
void bdflush_decide(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	unsigned long if_held = held_allowance(snap, snap->dev_waiters + 1);
	unsigned long pages = WB_ALLOWANCE_MAX;
	enum wb_verdict verdict;
	unsigned int i;

	/* a device that is throttled by its part alone still shares the machine's memory */
	verdict = judge(&snap->domain[0]);
	if (snap->own_only)
		verdict = min_t(enum wb_verdict, verdict, WB_KICK);
	else
		pages = allowance(&snap->domain[0], if_held);
	for (i = 1; i < snap->nr_domains; i++) {
		verdict = max(verdict, judge(&snap->domain[i]));
		pages = min(pages, allowance(&snap->domain[i], if_held));
	}
	verdict = wb_spare(snap, verdict);

	dec->verdict = verdict;
	dec->hold_pages = verdict < WB_PACE ? 0 : hold(snap);
	dec->allowance = verdict < WB_PACE ? pages : held_allowance(snap, snap->dev_waiters);
	dec->exceeded = snap->dev_waiters > WB_CROWD;
}

/**
 * bdflush_over_background - is there anything to be written now?
 * @snap: what is known of a device
 *
 * Whoever is held must have a writer, however little of what fills memory is dirty.
 */
bool bdflush_over_background(const struct wb_snapshot *snap)
{
	unsigned int i;

	for (i = 0; i < snap->nr_domains; i++)
		if (judge(&snap->domain[i]) != WB_NOTHING)
			return true;
	return false;
}

/**
 * bdflush_goes_on - has a writer not yet come down to where it stops?
 * @snap: what is known of its device
 */
bool bdflush_goes_on(const struct wb_snapshot *snap)
{
	unsigned int i;

	for (i = 0; i < snap->nr_domains; i++)
		if (snap->domain[i].dirty > snap->domain[i].lim.stop)
			return true;
	return false;
}
