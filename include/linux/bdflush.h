/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy of 2.4: nine numbers, and the threads bdflush and kupdated.
 */
#ifndef _LINUX_BDFLUSH_H
#define _LINUX_BDFLUSH_H

#include <linux/types.h>

struct wb_settings;
struct wb_snapshot;
struct wb_decision;

/**
 * enum bdflush_field - the numbers of /proc/sys/vm/bdflush, in their order there
 * @BDFLUSH_NFRACT: percent dirty above which bdflush writes
 * @BDFLUSH_NDIRTY: buffers that it writes at least when woken; see policy-bdflush.c
 * @BDFLUSH_DUMMY2: nothing
 * @BDFLUSH_DUMMY3: nothing
 * @BDFLUSH_INTERVAL: centiseconds between two passes of kupdated, 0: none
 * @BDFLUSH_AGE_BUFFER: centiseconds until data is old enough for it
 * @BDFLUSH_NFRACT_SYNC: percent dirty above which callers have to see to writing
 * @BDFLUSH_NFRACT_STOP: percent dirty at which bdflush stops
 * @BDFLUSH_DUMMY5: nothing
 * @BDFLUSH_FIELDS: number of them
 */
enum bdflush_field {
	BDFLUSH_NFRACT,
	BDFLUSH_NDIRTY,
	BDFLUSH_DUMMY2,
	BDFLUSH_DUMMY3,
	BDFLUSH_INTERVAL,
	BDFLUSH_AGE_BUFFER,
	BDFLUSH_NFRACT_SYNC,
	BDFLUSH_NFRACT_STOP,
	BDFLUSH_DUMMY5,
	BDFLUSH_FIELDS
};

/**
 * enum bdflush_kernel - whose rules
 * @BDFLUSH_2_4_8: above nfract callers have buffers written themselves, above nfract_sync they
 *	wait; bdflush stops where it begins
 * @BDFLUSH_2_4_19: above nfract bdflush writes, above nfract_sync callers do, too
 */
enum bdflush_kernel {
	BDFLUSH_2_4_8,
	BDFLUSH_2_4_19,
};

/* 2.4.19's; intervals in centiseconds. */
#define BDFLUSH_DEFAULTS	{ 30, 500, 0, 0, 500, 3000, 60, 20, 0 }

/* Pure: policy-bdflush.c */
extern const unsigned long bdflush_min[BDFLUSH_FIELDS];
extern const unsigned long bdflush_max[BDFLUSH_FIELDS];
void bdflush_settings(const unsigned long *number, enum bdflush_kernel rules,
		      struct wb_settings *set);
void bdflush_decide(const struct wb_snapshot *snap, struct wb_decision *dec);
bool bdflush_over_background(const struct wb_snapshot *snap);
bool bdflush_goes_on(const struct wb_snapshot *snap);
int bdflush_parse_rules(const char *text, enum bdflush_kernel *rules);
const char *bdflush_rules_name(enum bdflush_kernel rules);

/* The numbers in force, and the threads: bdflush.c */
void bdflush_get_numbers(unsigned long *number);
int bdflush_set_numbers(const unsigned long *number, unsigned int n);
enum bdflush_kernel bdflush_get_rules(void);
void bdflush_set_rules(enum bdflush_kernel rules);

#endif
