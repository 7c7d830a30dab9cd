/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_MATH64_H
#define _SHIM_LINUX_MATH64_H

#include <linux/kernel.h>

static inline u64 div64_u64(u64 n, u64 d)
{
	BUG_ON(!d);
	return n / d;
}

static inline u64 div_u64(u64 n, u32 d)
{
	return div64_u64(n, d);
}

#define DIV64_U64_ROUND_UP(n, d)	({ u64 shim_d = (d); div64_u64((n) + shim_d - 1, shim_d); })

/* An x86 kernel faults if the result has more than 64 bits, so that is a bug here. */
static inline u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 d)
{
	unsigned __int128 q;

	BUG_ON(!d);
	q = (unsigned __int128)a * b / d;
	BUG_ON(q > U64_MAX);
	return q;
}

#endif
