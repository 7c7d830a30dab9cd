/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What every unit test includes: cmocka, TAP on standard output, repeatable chance.
 */
#ifndef _TESTS_UNIT_H
#define _TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <linux/kernel.h>

#define UNIT_MAIN(tests)						\
int main(void)								\
{									\
	const char *seed = getenv("UNIT_SEED");				\
									\
	srand48(seed ? atol(seed) : 20020811);				\
	cmocka_set_message_output(CM_OUTPUT_TAP);			\
	return cmocka_run_group_tests(tests, NULL, NULL);		\
}

/* Any number of up to @bits bits, small ones as likely as large ones. */
static inline unsigned long any_number(unsigned int bits)
{
	unsigned long n = (u64)(u32)mrand48() << 32 | (u32)mrand48();

	return n >> (64 - 1 - lrand48() % bits);
}

/* From 0 to @n - 1 */
static inline unsigned long pick(unsigned long n)
{
	return lrand48() % n;
}

#endif
