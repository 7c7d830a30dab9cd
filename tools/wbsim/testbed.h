/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Testbeds: text files that describe a machine and its programs.
 */
#ifndef _SIM_TESTBED_H
#define _SIM_TESTBED_H

#include <linux/types.h>

/**
 * struct testbed - what a file says besides machine, devices and programs
 * @name: of the file, without folder and ending
 * @seconds: the run ends then at the latest
 * @figure: what a sweep shows
 * @runs: it shows the mean of so many, from as many seeds
 */
struct testbed {
	char name[64];
	u64 max_ns;
	const char *figure;
	int runs;
};

extern struct testbed testbed;

void testbed_open(const char *name);
void testbed_build(void);
void testbed_clear(void);
void testbed_close(void);

#endif
