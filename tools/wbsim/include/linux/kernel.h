/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small things that kernel code takes for granted.
 */
#ifndef _SHIM_LINUX_KERNEL_H
#define _SHIM_LINUX_KERNEL_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define U8_MAX		UINT8_MAX
#define U16_MAX		UINT16_MAX
#define U32_MAX		UINT32_MAX
#define U64_MAX		((u64)UINT64_MAX)
#define S64_MAX		((s64)INT64_MAX)

/* The kernel log is not kept; what is wrong ends the program elsewhere. */
#define pr_warn(...)	((void)0)
#define pr_err(...)	fprintf(stderr, __VA_ARGS__)
#define pr_info(...)	((void)0)

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

/* The compiler refuses arguments of two types, here as in the kernel. */
#define SHIM_CHOOSE(a, op, b, va, vb) ({	\
	__auto_type va = (a);			\
	__auto_type vb = (b);			\
	(void)(&va == &vb);			\
	va op vb ? va : vb; })
#define SHIM_PASTE2(a, b)	a##b
#define SHIM_PASTE(a, b)	SHIM_PASTE2(a, b)
#define SHIM_UNIQUE_CHOOSE(a, op, b, n) \
	SHIM_CHOOSE(a, op, b, SHIM_PASTE(shim_a, n), SHIM_PASTE(shim_b, n))

#define min(a, b)		SHIM_UNIQUE_CHOOSE(a, <, b, __COUNTER__)
#define max(a, b)		SHIM_UNIQUE_CHOOSE(a, >, b, __COUNTER__)
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define min3(a, b, c)		min((typeof(a))min(a, b), c)
#define max3(a, b, c)		max((typeof(a))max(a, b), c)
#define clamp(val, lo, hi)	min((typeof(val))max(val, lo), hi)
#define clamp_t(type, v, l, h)	clamp((type)(v), (type)(l), (type)(h))

/* As snprintf(), but returns what is really there. */
int scnprintf(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define BUILD_BUG_ON(cond)	_Static_assert(!(cond), #cond)

/* What is a bug in the kernel ends the program here: nobody would read a warning. */
#ifdef WBSIM
void shim_bug(const char *file, int line, const char *what) __attribute__((noreturn));
#else
static inline void shim_bug(const char *file, int line, const char *what)
{
	fprintf(stderr, "BUG: %s:%d: %s\n", file, line, what);
	abort();
}
#endif
#define BUG_ON(cond) do {						\
	if (unlikely(cond))						\
		shim_bug(__FILE__, __LINE__, #cond);			\
} while (0)
#define WARN_ON(cond)		({ BUG_ON(cond); false; })
#define WARN_ON_ONCE(cond)	WARN_ON(cond)

#endif
