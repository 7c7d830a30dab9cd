// SPDX-License-Identifier: GPL-2.0
/*
 * The three thresholds as asked for, read by every caller in the write path.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/seqlock.h>
#include <linux/page-writeback.h>

static DEFINE_MUTEX(settings_mutex);	/* writers, who may sleep */
static DEFINE_SEQLOCK(settings_seq);	/* so that a reader never sees half a setting */
static struct wb_settings settings = {
	.background = { .value = WB_DEFAULT_BACKGROUND },
	.async = { .value = WB_DEFAULT_ASYNC },
	.sync = { .value = WB_DEFAULT_SYNC },
	.stop = { .value = WB_DEFAULT_BACKGROUND },
};
static struct wb_settings draft;

/**
 * wb_get_settings - a consistent copy of the settings
 * @set: result; a writer that has begun stops where it begins
 *
 * Any context. What the files say; see wb_settings_in_force().
 */
void wb_get_settings(struct wb_settings *set)
{
	unsigned int seq;

	do {
		seq = read_seqbegin(&settings_seq);
		*set = settings;
	} while (read_seqretry(&settings_seq, seq));
}

/**
 * wb_settings_lock - begin a change of the settings
 *
 * Returns a draft to be changed. May sleep.
 */
struct wb_settings *wb_settings_lock(void)
{
	mutex_lock(&settings_mutex);
	draft = settings;
	return &draft;
}

/**
 * wb_settings_unlock - put the draft in force, for the next check of every caller
 */
void wb_settings_unlock(void)
{
	unsigned long flags;

	draft.stop = draft.background;
	write_seqlock_irqsave(&settings_seq, flags);
	settings = draft;
	write_sequnlock_irqrestore(&settings_seq, flags);
	mutex_unlock(&settings_mutex);
}
