/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_BITOPS_H
#define _SHIM_LINUX_BITOPS_H

#include <linux/compiler.h>
#include <linux/types.h>

static inline bool test_bit(int nr, const unsigned long *word)
{
	sim_point();
	return __atomic_load_n(word, __ATOMIC_RELAXED) & (1UL << nr);
}

static inline bool test_and_set_bit(int nr, unsigned long *word)
{
	sim_point();
	return __atomic_fetch_or(word, 1UL << nr, __ATOMIC_SEQ_CST) & (1UL << nr);
}

static inline bool test_and_clear_bit(int nr, unsigned long *word)
{
	sim_point();
	return __atomic_fetch_and(word, ~(1UL << nr), __ATOMIC_SEQ_CST) & (1UL << nr);
}

static inline void set_bit(int nr, unsigned long *word)
{
	test_and_set_bit(nr, word);
}

static inline void clear_bit(int nr, unsigned long *word)
{
	test_and_clear_bit(nr, word);
}

static inline void clear_bit_unlock(int nr, unsigned long *word)
{
	test_and_clear_bit(nr, word);
}

#endif
