/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text written to a file under /proc/sys/vm, to a value. Pure.
 */
#ifndef _SYSCTL_PARSE_H
#define _SYSCTL_PARSE_H

#include <linux/types.h>

#define SYSCTL_TEXT_MAX	4095	/* bytes taken in one write; the stock files' limit too */

int parse_number(const char *text, size_t len, unsigned long min, unsigned long max,
		 unsigned long *value);
int parse_numbers(const char *text, size_t len, unsigned long *value, unsigned int most,
		  unsigned int *n);
int parse_word(const char *text, size_t len, char *word, size_t size);

#endif
