/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_COMPLETION_H
#define _SHIM_LINUX_COMPLETION_H

#include <linux/list.h>

struct completion {
	unsigned int done;
	struct list_head waiters;
};

#define COMPLETION_INITIALIZER(name)	{ .waiters = LIST_HEAD_INIT((name).waiters) }

void init_completion(struct completion *x);
void complete(struct completion *x);
void wait_for_completion(struct completion *x);
unsigned long wait_for_completion_timeout(struct completion *x, unsigned long timeout);

#endif
