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

static void shares_decide(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	long share = snap->domain[0].lim.sync * min(READ_ONCE(percent), 100U) / 100;
	long own = share - (long)(snap->dev_dirty + snap->dev_writeback);
	long all = wb_room(snap);

	if (all < 0)
		dec->verdict = WB_WAIT;
	else if (own < 0)
		dec->verdict = WB_PACE;
	else if (own < share / 2)
		dec->verdict = WB_KICK;

	if (dec->verdict < WB_PACE)
		dec->allowance = wb_allowance_free(min(own, all));
}

static struct wb_policy shares = {
	.name = "shares",
	.decide = shares_decide,
};
module_wb_policy(shares);

MODULE_DESCRIPTION("Writeback policy: each device its share");
MODULE_LICENSE("GPL");
