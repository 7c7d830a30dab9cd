// SPDX-License-Identifier: GPL-2.0
/*
 * Policies by name, and the one in force. A decision is made under rcu_read_lock(); a policy that
 * was switched off is let go only when no decision of its can be under way.
 */
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/page-writeback.h>

static DEFINE_MUTEX(policy_mutex);	/* the list, and who is current */
static LIST_HEAD(policies);
static struct wb_policy __rcu *current_policy = (struct wb_policy __force __rcu *)&wb_policy_ratios;

static bool good_name(const char *name)
{
	size_t len = name ? strlen(name) : 0;
	size_t i;

	if (!len || len >= WB_POLICY_NAME_MAX)
		return false;
	for (i = 0; i < len; i++) {
		char c = name[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && c != '-' && c != '_')
			return false;
	}
	return true;
}

/* Under policy_mutex. */
static struct wb_policy *find_policy(const char *name)
{
	struct wb_policy *policy;

	list_for_each_entry(policy, &policies, list)
		if (!strcmp(policy->name, name))
			return policy;
	return NULL;
}

/**
 * wb_register_policy - offer a policy
 * @policy: stays the caller's; must live until unregistered
 *
 * May sleep. Returns 0, -EINVAL for a policy that is incomplete, -EEXIST for a name in use.
 */
int wb_register_policy(struct wb_policy *policy)
{
	int err = 0;

	if (!good_name(policy->name) || !policy->decide)
		return -EINVAL;
	mutex_lock(&policy_mutex);
	if (find_policy(policy->name))
		err = -EEXIST;
	else
		list_add_tail(&policy->list, &policies);
	mutex_unlock(&policy_mutex);
	return err;
}
EXPORT_SYMBOL_GPL(wb_register_policy);

/**
 * wb_unregister_policy - take a policy back
 * @policy: registered, and not in use: the current policy's module is held, so its exit function
 *	can't be running
 *
 * May sleep. No decision of its is under way on return.
 */
void wb_unregister_policy(struct wb_policy *policy)
{
	mutex_lock(&policy_mutex);
	list_del(&policy->list);
	mutex_unlock(&policy_mutex);
	synchronize_rcu();
}
EXPORT_SYMBOL_GPL(wb_unregister_policy);

/* pdflush itself holds no reference on itself, or it could never be unloaded. */
static bool hold_policy(const struct wb_policy *policy)
{
	return policy->owner == THIS_MODULE || try_module_get(policy->owner);
}

static void release_policy(const struct wb_policy *policy)
{
	if (policy->owner != THIS_MODULE)
		module_put(policy->owner);
}

/**
 * wb_select_policy - switch the policy in force
 * @name: a registered one's
 *
 * May sleep. Returns 0; -EINVAL if there is none of that name or its module is going; or the error
 * that kept the policy from starting. On an error the old one stays in force.
 */
int wb_select_policy(const char *name)
{
	struct wb_policy *policy, *old;
	int err = 0;

	mutex_lock(&policy_mutex);
	old = rcu_dereference_protected(current_policy, lockdep_is_held(&policy_mutex));
	policy = find_policy(name);
	if (policy == old)
		goto out;
	if (!policy || !hold_policy(policy)) {
		err = -EINVAL;
		goto out;
	}
	err = policy->start ? policy->start() : 0;
	if (err) {
		release_policy(policy);
		goto out;
	}
	rcu_assign_pointer(current_policy, policy);
	synchronize_rcu();
	if (old->stop)
		old->stop();
	release_policy(old);
out:
	mutex_unlock(&policy_mutex);
	return err;
}

/**
 * wb_policy_current - the policy in force
 *
 * Under rcu_read_lock(), and to be used only there.
 */
struct wb_policy *wb_policy_current(void)
{
	return rcu_dereference(current_policy);
}

/**
 * wb_policy_name - the name of the policy in force
 * @buf: result, with a newline
 * @size: room there
 *
 * May sleep. Returns the text's length.
 */
int wb_policy_name(char *buf, size_t size)
{
	int len;

	mutex_lock(&policy_mutex);
	len = scnprintf(buf, size, "%s\n",
			rcu_dereference_protected(current_policy,
						  lockdep_is_held(&policy_mutex))->name);
	mutex_unlock(&policy_mutex);
	return len;
}

/**
 * wb_policy_names - the names of all policies
 * @buf: result, separated by spaces, with a newline
 * @size: room there
 *
 * May sleep. Returns the text's length.
 */
int wb_policy_names(char *buf, size_t size)
{
	struct wb_policy *policy;
	int len = 0;

	mutex_lock(&policy_mutex);
	list_for_each_entry(policy, &policies, list)
		len += scnprintf(buf + len, size - len, "%s%s", len ? " " : "", policy->name);
	len += scnprintf(buf + len, size - len, "\n");
	mutex_unlock(&policy_mutex);
	return len;
}
