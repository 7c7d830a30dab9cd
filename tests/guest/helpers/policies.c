// SPDX-License-Identifier: GPL-2.0
/*
 * policies: two writeback policies of somebody else's. "free" lets every caller go and nothing be
 * written; "strict" holds everybody for what he dirtied. Registering a name twice must fail, too.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/page-writeback.h>

static void free_decide(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	dec->verdict = WB_NOTHING;
	dec->hold_pages = 0;
	dec->allowance = 256;
	dec->exceeded = false;
}

static bool free_over_background(const struct wb_snapshot *snap)
{
	return false;
}

static struct wb_policy free_policy = {
	.name = "free",
	.owner = THIS_MODULE,
	.decide = free_decide,
	.over_background = free_over_background,
};

static void strict_decide(const struct wb_snapshot *snap, struct wb_decision *dec)
{
	dec->verdict = snap->writer ? WB_KICK : WB_PACE;
	dec->hold_pages = snap->pages_dirtied;
	dec->allowance = 32;
	dec->exceeded = false;
}

static bool strict_over_background(const struct wb_snapshot *snap)
{
	return snap->domain[0].dirty > 0;
}

static struct wb_policy strict_policy = {
	.name = "strict",
	.owner = THIS_MODULE,
	.decide = strict_decide,
	.over_background = strict_over_background,
};

static struct wb_policy twin_policy = {
	.name = "free",
	.owner = THIS_MODULE,
	.decide = free_decide,
	.over_background = free_over_background,
};

static struct wb_policy nameless_policy = {
	.name = "two words",
	.owner = THIS_MODULE,
	.decide = free_decide,
	.over_background = free_over_background,
};

static int __init policies_init(void)
{
	int err = wb_register_policy(&free_policy);

	if (err)
		return err;
	err = wb_register_policy(&strict_policy);
	if (err)
		goto no_strict;
	if (wb_register_policy(&twin_policy) != -EEXIST ||
	    wb_register_policy(&nameless_policy) != -EINVAL) {
		pr_err("policies: a bad policy was taken\n");
		err = -EINVAL;
		goto bad_taken;
	}
	return 0;

bad_taken:
	wb_unregister_policy(&strict_policy);
no_strict:
	wb_unregister_policy(&free_policy);
	return err;
}

static void __exit policies_exit(void)
{
	wb_unregister_policy(&strict_policy);
	wb_unregister_policy(&free_policy);
}

module_init(policies_init);
module_exit(policies_exit);
MODULE_DESCRIPTION("Writeback policies for tests of the engine");
MODULE_LICENSE("GPL");
