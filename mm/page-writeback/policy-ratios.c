// SPDX-License-Identifier: GPL-2.0
/*
 * The policy of 2.5: three thresholds. Pure decisions.
 *
 *	dirty > background			kick
 *	dirty + writeback > async		pace
 *	dirty + writeback > sync		wait
 *
 * Each domain (the machine, the caller's cgroup, a device with a limit of its own) is asked and
 * the most severe answer counts.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/page-writeback.h>

/* Real-time tasks get a quarter more, as in 2.6: they are few and must not be late. */
static unsigned long raised(unsigned long limit, bool realtime)
{
	return realtime ? limit + limit / 4 : limit;
}

/*
 * Has it what should be written now? Asked for whoever wakes a writer and for the writer, so they
 * agree. Above async, callers are held until their devices have written, however little is dirty.
 */
static bool over_background(const struct dirty_domain *dom)
{
	return dom->dirty > dom->lim.background || dom->dirty + dom->writeback > dom->lim.async;
}

static enum wb_verdict judge(const struct dirty_domain *dom, bool realtime, bool laptop)
{
	unsigned long held = dom->dirty + dom->writeback;

	if (held > raised(dom->lim.sync, realtime))
		return WB_WAIT;
	if (held > raised(dom->lim.async, realtime))
		return WB_PACE;
	/* laptop mode: the disk rests until somebody has to be paced */
	if (laptop ? held > dom->lim.async : over_background(dom))
		return WB_KICK;
	return WB_NOTHING;
}

/*
 * What a caller may dirty in a domain that is below async; at least what it would if it were held,
 * as one that goes up to async by single pages is then held for a single page.
 */
static unsigned long allowance(const struct dirty_domain *dom, bool realtime,
			       unsigned long if_held)
{
	unsigned long held = dom->dirty + dom->writeback;
	unsigned long async = raised(dom->lim.async, realtime);
	unsigned long pages = wb_allowance_free(async - min(async, held));

	pages = max(pages, min(if_held, wb_allowance_held_max(&dom->lim)));
	if (dom->dirty <= dom->lim.background)
		pages = min(pages, wb_allowance_soft(dom->lim.background - dom->dirty));
	return pages;
}

/*
 * A crowd, or past the middle between async and sync and the device has part in that: everybody
 * comes in after a few pages.
 */
static bool crowded(const struct wb_snapshot *snap)
{
	unsigned int i;

	if (snap->dev_waiters > WB_CROWD)
		return true;
	for (i = snap->own_only; i < snap->nr_domains; i++) {
		const struct dirty_domain *dom = &snap->domain[i];

		if (dom->dirty + dom->writeback > dom->lim.async / 2 + dom->lim.sync / 2 &&
		    snap->dev_dirty + snap->dev_writeback > dom->lim.async / 8)
			return true;
	}
	return false;
}

static void ratios_decide(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	unsigned long if_held = wb_allowance_paced(snap->dev_bandwidth, snap->dev_waiters + 1);
	unsigned long pages = WB_ALLOWANCE_MAX;
	enum wb_verdict verdict;
	unsigned int i;

	/* the machine's background threshold always counts: a strict device shares its memory */
	verdict = judge(&snap->domain[0], snap->realtime, snap->laptop);
	if (snap->own_only)
		verdict = min_t(enum wb_verdict, verdict, WB_KICK);
	else
		pages = allowance(&snap->domain[0], snap->realtime, if_held);
	for (i = 1; i < snap->nr_domains; i++) {
		verdict = max(verdict, judge(&snap->domain[i], snap->realtime, snap->laptop));
		pages = min(pages, allowance(&snap->domain[i], snap->realtime, if_held));
	}
	verdict = wb_spare(snap, verdict);

	dec->verdict = verdict;
	if (verdict < WB_PACE) {
		dec->hold_pages = 0;
		dec->allowance = pages;
		dec->exceeded = snap->dev_waiters > WB_CROWD;
	} else {
		dec->hold_pages = wb_hold_pages(snap->pages_dirtied);
		dec->allowance = min(wb_allowance_paced(snap->dev_bandwidth, snap->dev_waiters),
				     wb_allowance_held_max(&snap->domain[0].lim));
		dec->exceeded = crowded(snap);
	}
}

static bool ratios_over_background(const struct wb_snapshot *snap)
{
	unsigned int i;

	for (i = 0; i < snap->nr_domains; i++)
		if (over_background(&snap->domain[i]))
			return true;
	return false;
}

struct wb_policy wb_policy_ratios = {
	.name = "ratios",
	.owner = THIS_MODULE,
	.decide = ratios_decide,
	.over_background = ratios_over_background,
};
