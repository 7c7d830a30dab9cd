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

#define IDLE_ROUNDS	5	/* give up after so many calls that changed nothing */
#define SOON_US		2000ULL	/* a call that wrote blocks in the queue for longer */

/* Pages that the device has yet to be sent; inodes that are dirty without any can wait. */
static unsigned long dirty_pages(struct wb_device *dev)
{
	struct wb_device_counts counts;

	host_device_counts_exact(dev->wb, &counts);
	return counts.dirty;
}

/* Nobody is to begin anything any more. */
static bool must_end(void)
{
	return pdflush_should_stop() || wb_engine_state() != WB_RUNNING;
}

/*
 * Write one device until it is not over background, nothing more gets written, or its turn among
 * the disk's other devices is over. True if it is to have another turn.
 */
static bool write_background(struct wb_device *dev)
{
	unsigned long left, before;
	unsigned int idle = 0;
	u64 began;

	left = host_device_alive(dev->wb) && wb_still_over(dev->wb, dev) ? dirty_pages(dev) : 0;
	WRITE_ONCE(dev->draining, left);
	if (!left)
		return false;
	pdflush_trace(writeout_start, dev->wb, "background");
	WRITE_ONCE(dev->disk->turn_us, host_now_us());
	while (wb_writer_goes_on(dev->wb) && left) {
		before = left;
		began = host_now_us();
		host_write_device(dev->wb);
		left = dirty_pages(dev);
		if (host_now_us() - began > SOON_US) {
			idle = 0;
			continue;
		}
		/*
		 * Back soon: held callers have dirtied some more, or its inodes are locked by
		 * somebody, or its file system is. So not at once again, and less and less.
		 */
		idle = left < before ? 0 : idle + 1;
		if (idle > IDLE_ROUNDS)
			break;		/* the next kick, or the next tick, tries again */
		if (left && wb_writer_goes_on(dev->wb))
			schedule_timeout_idle(1UL << idle);
	}
	pdflush_trace(writeout_end, dev->wb, "background");
	if (idle || !left || must_end() || !wb_still_over(dev->wb, dev))
		WRITE_ONCE(dev->draining, false);
	return dev->draining;
}

/**
 * background_writeout - write a disk until it is not over the background threshold
 * @disk: claimed by the calling thread
 *
 * Blocks in the disk's queue. Devices that share the disk take turns. Comes back in between when
 * something else is wanted of the disk; the caller then calls again.
 */
void background_writeout(struct wb_device *disk)
{
	struct wb_device *dev;
	unsigned int pass;
	bool more;

	do {
		pass = disk->pass + 1;
		more = false;
		while ((dev = wb_device_next_of(disk, pass))) {
			more |= write_background(dev);
			wb_device_put(dev);
		}
	} while (more && !atomic_read(&disk->wanted));
	if (more)
		wb_device_want(disk, WB_WANT_BACKGROUND);
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
