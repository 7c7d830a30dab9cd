// SPDX-License-Identifier: GPL-2.0
/*
 * A policy is asked, and what it leaves open or must not say is put right. Pure.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/page-writeback.h>

/**
 * wb_decide - what a policy says of a caller in the write path
 * @policy: whose
 * @snap: what is known
 * @dec: result
 *
 * The policy finds verdict nothing, no hold pages, no allowance, and exceeded if a crowd is held;
 * hold pages and allowance that it leaves at 0 become those of wb_hold_pages() and
 * wb_allowance_paced(). Whom wb_spare() spares is not held, whatever it says.
 */
void wb_decide(const struct wb_policy *policy, const struct wb_snapshot *snap,
	       struct wb_decision *dec)
{
	*dec = (struct wb_decision){ .exceeded = snap->dev_waiters > WB_CROWD };
	policy->decide(snap, dec);
	dec->verdict = wb_spare(snap, dec->verdict);
	if (dec->verdict < WB_PACE)
		dec->hold_pages = 0;
	else if (!dec->hold_pages)
		dec->hold_pages = wb_hold_pages(snap->pages_dirtied);
	if (!dec->allowance)
		dec->allowance = wb_allowance_paced(snap->dev_bandwidth, snap->dev_waiters);
}

/**
 * wb_anything_due - has a device anything that should be written now, by a policy?
 * @policy: whose
 * @snap: what is known of the device
 *
 * A policy that has no over_background() is asked what it would say of a caller: so whoever is held
 * has a writer.
 */
bool wb_anything_due(const struct wb_policy *policy, const struct wb_snapshot *snap)
{
	struct wb_decision dec;

	if (policy->over_background)
		return policy->over_background(snap);
	wb_decide(policy, snap, &dec);
	return dec.verdict > WB_NOTHING;
}

/**
 * wb_room - pages that may still become dirty before callers have to wait
 * @snap: what is known
 *
 * To the nearest sync threshold; negative: so far above it.
 */
long wb_room(const struct wb_snapshot *snap)
{
	long room = LONG_MAX;
	unsigned int i;

	for (i = snap->own_only; i < snap->nr_domains; i++) {
		const struct dirty_domain *dom = &snap->domain[i];

		room = min(room, (long)(dom->lim.sync - dom->dirty - dom->writeback));
	}
	return room;
}
EXPORT_SYMBOL_GPL(wb_room);
