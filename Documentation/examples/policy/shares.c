// SPDX-License-Identifier: GPL-2.0
/*
 * shares: no device may take more than a part of the memory that may be dirty, so a slow one can't
 * fill it. An example; Documentation/writing-a-policy.rst goes through it.
 */
#include <linux/module.h>
#include <linux/page-writeback.h>

static unsigned int percent = 25;
module_param(percent, uint, 0644);
MODULE_PARM_DESC(percent, "of the sync threshold, for each device");

static unsigned long share(const struct wb_snapshot *snap)
{
	return snap->domain[0].lim.sync * min(READ_ONCE(percent), 100U) / 100;
}

/* Pages that a device, and all of memory, may still take; negative: too many already. */
static long room(const struct wb_snapshot *snap, long *all)
{
	unsigned int i;

	*all = LONG_MAX;
	for (i = 0; i < snap->nr_domains; i++) {
		const struct dirty_domain *dom = &snap->domain[i];
		long left = dom->lim.sync - dom->dirty - dom->writeback;

		*all = min(*all, left);
	}
	return share(snap) - snap->dev_dirty - snap->dev_writeback;
}

static enum wb_verdict judge(const struct wb_snapshot *snap)
{
	long all, own = room(snap, &all);

	if (all < 0)
		return WB_WAIT;
	if (own < 0)
		return WB_PACE;
	return own < (long)share(snap) / 2 ? WB_KICK : WB_NOTHING;
}

static void shares_decide(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	enum wb_verdict verdict = judge(snap);
	long all, own = room(snap, &all);

	if (snap->writer)	/* would wait for itself */
		verdict = min_t(enum wb_verdict, verdict, WB_KICK);
	dec->verdict = wb_spare_local(snap, verdict);
	dec->hold_pages = wb_hold_pages(snap->pages_dirtied);
	dec->allowance = verdict < WB_PACE ?
		wb_allowance_free(clamp(own, 0L, max(all, 0L))) :
		wb_allowance_paced(snap->dev_bandwidth, snap->dev_waiters);
	dec->exceeded = snap->dev_waiters > 4;
}

static bool shares_over_background(const struct wb_snapshot *snap)
{
	return judge(snap) != WB_NOTHING;
}

static struct wb_policy shares = {
	.name = "shares",
	.owner = THIS_MODULE,
	.decide = shares_decide,
	.over_background = shares_over_background,
};

static int __init shares_init(void)
{
	return wb_register_policy(&shares);
}

static void __exit shares_exit(void)
{
	wb_unregister_policy(&shares);
}

module_init(shares_init);
module_exit(shares_exit);
MODULE_DESCRIPTION("Writeback policy: each device its share");
MODULE_LICENSE("GPL");
