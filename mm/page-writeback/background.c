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
#define SOON_US		2000ULL

/*
 * Write one device until it is not over background, nothing more gets written, or its turn among
 * the disk's other devices is over. True if it is to have another turn.
 */
static bool write_background(struct wb_device *dev)
{
	unsigned int idle = 0;
	u64 before;

	if (!host_device_alive(dev->wb) || !wb_over_background(dev->wb))
		return false;
	pdflush_trace(writeout_start, dev->wb, "background");
	WRITE_ONCE(dev->disk->turn_us, host_now_us());
	while (wb_writer_goes_on(dev->wb) && host_device_has_dirty(dev->wb)) {
		before = host_now_us();
		host_write_device(dev->wb);
		/*
		 * Back with work left: soon after, if its inodes are locked by somebody or its file
		 * system is. Written pages don't tell, as others may be writing too.
		 */
		idle = host_now_us() - before < SOON_US ? idle + 1 : 0;
		if (idle > IDLE_ROUNDS)
			break;		/* the next kick, or the next tick, tries again */
		if (idle && wb_writer_goes_on(dev->wb))
			schedule_timeout_idle(HZ / 10);
		cond_resched();
	}
	pdflush_trace(writeout_end, dev->wb, "background");
	return !idle && !pdflush_should_stop() && host_device_has_dirty(dev->wb) &&
	       wb_over_background(dev->wb);
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
