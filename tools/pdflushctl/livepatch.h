/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LIVEPATCH_H
#define LIVEPATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Where the livepatch is on its way between stock engine and ours. */
enum patch_state {
	PATCH_NONE,		/* not there */
	PATCH_ON,		/* all tasks are with us */
	PATCH_GOING_ON,		/* tasks come over to us */
	PATCH_GOING_OFF,	/* tasks go back */
	PATCH_OFF,		/* disabled, but there */
};

enum patch_wait { WAIT_DONE, WAIT_TIMED_OUT, WAIT_INTERRUPTED };

enum patch_state livepatch_state(void);
int livepatch_enable(bool on);
void livepatch_catch_signals(void);
bool livepatch_interrupted(void);
enum patch_wait livepatch_wait(enum patch_state wanted, double seconds);
void livepatch_blockers(char *buf, size_t size);
size_t livepatch_others(char *buf, size_t size);
bool module_loaded(const char *name);

#endif
