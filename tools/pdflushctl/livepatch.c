// SPDX-License-Identifier: GPL-2.0
/*
 * The livepatch transition: where it is, who holds it up, waiting for its end.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "ctl.h"
#include "livepatch.h"
#include "tasks.h"

#define DIR_LIVEPATCH	"/sys/kernel/livepatch"
#define OURS		DIR_LIVEPATCH "/pdflush"
#define LOOK_NS		50000000	/* between two looks at the transition */
#define PATIENCE	1.0		/* seconds until somebody is told who holds it up */
#define MAX_NAMED	4		/* tasks told by name */

static volatile sig_atomic_t interrupted;

static void on_signal(int signal)
{
	(void)signal;
	interrupted = 1;
}

/**
 * livepatch_catch_signals - have SIGINT and SIGTERM end a wait, and not us
 */
void livepatch_catch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

/**
 * livepatch_interrupted - has one come? Forgets it.
 */
bool livepatch_interrupted(void)
{
	bool was = interrupted;

	interrupted = 0;
	return was;
}

/**
 * livepatch_state - where our livepatch is
 */
enum patch_state livepatch_state(void)
{
	unsigned long long enabled, transition;

	if (!read_number(OURS "/enabled", &enabled))
		return PATCH_NONE;
	read_number(OURS "/transition", &transition);
	if (transition)
		return enabled ? PATCH_GOING_ON : PATCH_GOING_OFF;
	return enabled ? PATCH_ON : PATCH_OFF;
}

/**
 * livepatch_enable - switch it
 * @on: or off; in a transition: turn round
 *
 * Returns 0 or -errno.
 */
int livepatch_enable(bool on)
{
	return write_text(OURS "/enabled", on ? "1\n" : "0\n");
}

struct blockers {
	int wanted;		/* the side they shall be on */
	unsigned int nr;
	char *buf;
	size_t size;
};

static void name_blocker(struct blockers *found, struct task *task)
{
	size_t used = strlen(found->buf);
	char where[64];

	if (!task_where(task, where, sizeof(where)))
		snprintf(where, sizeof(where), "%s", geteuid() ? "?" : "no sleep");
	snprintf(found->buf + used, found->size - used, "%s%s (%d) in %s", used ? ", " : "",
		 task->name, task->tid, where);
}

static bool note_blocker(struct task *task, void *data)
{
	struct blockers *found = data;
	int side = task_patch_state(task);

	if (side >= 0 && side != found->wanted && ++found->nr <= MAX_NAMED)
		name_blocker(found, task);
	return true;
}

/**
 * livepatch_blockers - who has not gone over yet, and what they are at
 * @buf: for names, process IDs and functions; "" if there are none or we may not see them
 * @size: of @buf
 */
void livepatch_blockers(char *buf, size_t size)
{
	struct blockers found = {
		.wanted = livepatch_state() == PATCH_GOING_ON, .buf = buf, .size = size,
	};
	size_t used;

	*buf = '\0';
	tasks_each(note_blocker, &found);
	used = strlen(buf);
	if (found.nr > MAX_NAMED)
		snprintf(buf + used, size - used, " and %u more", found.nr - MAX_NAMED);
}

/* Tell it when it has changed. */
static void tell_blockers(double waited)
{
	static char told[512];
	char now[512];

	livepatch_blockers(now, sizeof(now));
	if (!*now || !strcmp(now, told))
		return;
	snprintf(told, sizeof(told), "%s", now);
	fprintf(stderr, "pdflushctl %s: %.0f s, waiting for %s\n", ctl_verb, waited, now);
}

/**
 * livepatch_wait - wait for the end of a transition
 * @wanted: PATCH_ON or PATCH_NONE
 * @seconds: at most; 0: one look
 *
 * Says on stderr who holds it up. Ends early for a signal, see livepatch_catch_signals().
 */
enum patch_wait livepatch_wait(enum patch_state wanted, double seconds)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	double start = now_seconds(), told = start, now;

	while (livepatch_state() != wanted) {
		now = now_seconds();
		if (livepatch_interrupted())
			return WAIT_INTERRUPTED;
		if (now - start >= seconds)
			return WAIT_TIMED_OUT;
		if (now - told >= PATIENCE) {
			tell_blockers(now - start);
			told = now;
		}
		nanosleep(&pause, NULL);
	}
	return WAIT_DONE;
}

static bool is_other(const char *name)
{
	return strcmp(name, "pdflush");
}

/**
 * livepatch_others - livepatches that are not ours
 * @buf: for their names
 * @size: of @buf
 *
 * Returns how many there are.
 */
size_t livepatch_others(char *buf, size_t size)
{
	return folder_names(DIR_LIVEPATCH, is_other, buf, size);
}

/**
 * module_loaded - is a module of this name in the kernel?
 * @name: with underscores
 */
bool module_loaded(const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return path_exists(path);
}
