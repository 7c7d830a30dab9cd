/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chance from a seed: a permuted congruential generator of 64 bits of state and 32 of output.
 */
#ifndef _SIM_RNG_H
#define _SIM_RNG_H

#include <linux/types.h>

struct rng {
	u64 state;
	u64 stream;
};

/**
 * rng_next - 32 bits of chance
 * @rng: the generator
 */
static inline u32 rng_next(struct rng *rng)
{
	u64 old = rng->state;
	u32 mixed = ((old >> 18) ^ old) >> 27;
	u32 turn = old >> 59;

	rng->state = old * 6364136223846793005ULL + rng->stream;
	return mixed >> turn | mixed << (-turn & 31);
}

/**
 * rng_seed - start a generator
 * @rng: the generator
 * @seed: where it begins
 * @stream: which of many independent ones
 */
static inline void rng_seed(struct rng *rng, u64 seed, u64 stream)
{
	rng->state = 0;
	rng->stream = stream << 1 | 1;
	rng_next(rng);
	rng->state += seed;
	rng_next(rng);
}

/**
 * rng_below - a number from 0 to @n - 1
 * @rng: the generator
 * @n: not 0
 */
static inline u32 rng_below(struct rng *rng, u32 n)
{
	return (u64)rng_next(rng) * n >> 32;
}

#endif
