// SPDX-License-Identifier: GPL-2.0
/*
 * What a thread does at a disk: write until the device is no longer over the background
 * threshold, or write what is old.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/jiffies.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>
#include <linux/pdflush-trace.h>

#define IDLE_ROUNDS	5	/* give up after half a second without a page written */

static u64 written_by(struct bdi_writeback *wb)
{
	struct wb_device_counts counts;

	host_device_counts(wb, &counts);
	return counts.written + counts.writeback;
}

/* Write one device until it is not over background, or nothing more gets written. */
static void write_background(struct wb_device *dev)
{
	unsigned int idle = 0;
	u64 before, after;

	if (!host_device_alive(dev->wb) || !wb_over_background(dev->wb))
		return;
	pdflush_trace(writeout_start, dev->wb, "background");
	after = written_by(dev->wb);
	while (wb_writer_goes_on(dev->wb) && host_device_has_dirty(dev->wb)) {
		before = after;
		host_write_device(dev->wb);
		after = written_by(dev->wb);
		idle = after == before ? idle + 1 : 0;
		if (idle > IDLE_ROUNDS)
			break;		/* the next kick, or the next tick, tries again */
		if (idle)		/* its inodes are locked by somebody, or all on their way */
			schedule_timeout_idle(HZ / 10);
	}
	pdflush_trace(writeout_end, dev->wb, "background");
}

/**
 * background_writeout - write a disk until it is not over the background threshold
 * @disk: claimed by the calling thread
 *
 * Blocks in the disk's queue.
 */
void background_writeout(struct wb_device *disk)
{
	unsigned int pass = disk->pass + 1;
	struct wb_device *dev;

	while ((dev = wb_device_next_of(disk, pass))) {
		write_background(dev);
		wb_device_put(dev);
	}
}

/**
 * wb_write_old - write a disk's data that is older than dirty_expire_centisecs
 * @disk: claimed by the calling thread
 *
 * Blocks in the disk's queue.
 */
void wb_write_old(struct wb_device *disk)
{
	unsigned int pass = disk->pass + 1;
	struct wb_device *dev;

	while ((dev = wb_device_next_of(disk, pass))) {
		if (host_device_alive(dev->wb) && host_old_data_due(dev->wb)) {
			pdflush_trace(writeout_start, dev->wb, "kupdate");
			host_write_device(dev->wb);
			pdflush_trace(writeout_end, dev->wb, "kupdate");
		}
		wb_device_put(dev);
	}
}
