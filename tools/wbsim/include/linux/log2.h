/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_LOG2_H
#define _SHIM_LINUX_LOG2_H

#include <linux/kernel.h>

/* Number of the highest bit set. Of 0 it is undefined in the kernel, and a bug here. */
static inline int ilog2(unsigned long long n)
{
	BUG_ON(!n);
	return 63 - __builtin_clzll(n);
}

#endif
