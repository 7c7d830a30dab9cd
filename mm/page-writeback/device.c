// SPDX-License-Identifier: GPL-2.0
/*
 * The devices that have dirty data: found by the kernel's record of them, claimed by one thread
 * at a time, dropped when they have been clean for a while or are gone.
 *
 * The list and the hash are read under RCU and changed under device_lock, which nests inside the
 * kernel's inode and device list locks: a device is first noted while those are held.
 */
#include <linux/kernel.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/hashtable.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/pdflush.h>
#include <linux/page-writeback.h>

#define HASH_BITS_DEVICES	8	/* a thousand disks make chains of four */

static DEFINE_SPINLOCK(device_lock);
static DEFINE_HASHTABLE(device_hash, HASH_BITS_DEVICES);
static unsigned int nr_disks;		/* device_lock; read without */
LIST_HEAD(wb_device_list);
LIST_HEAD(wb_disk_list);

/**
 * wb_device_lookup - the device of a kernel's record, if known
 * @wb: the record
 *
 * Under rcu_read_lock(), and to be used only there.
 */
struct wb_device *wb_device_lookup(struct bdi_writeback *wb)
{
	struct wb_device *dev;

	hash_for_each_possible_rcu(device_hash, dev, hash, (unsigned long)wb)
		if (dev->wb == wb)
			return dev;
	return NULL;
}

/**
 * wb_device_get - the device of a kernel's record, to keep
 * @wb: the record, which the caller has a hold on
 *
 * Any context. Notes it if it is not known. NULL if it is being removed or memory is short; else
 * give it back with wb_device_put().
 */
struct wb_device *wb_device_get(struct bdi_writeback *wb)
{
	struct wb_device *dev;

	rcu_read_lock();
	dev = wb_device_lookup(wb);
	if (dev && !refcount_inc_not_zero(&dev->ref))
		dev = NULL;
	rcu_read_unlock();
	return dev ?: wb_device_note(wb);
}

/*
 * The record is let go only now: readers of the lists use it without a hold of their own, and the
 * kernel frees a bdi's at once.
 */
static void free_device(struct rcu_head *rcu)
{
	struct wb_device *dev = container_of(rcu, struct wb_device, rcu);

	host_device_unpin(dev->wb);
	if (dev->disk != dev)
		wb_device_put(dev->disk);
	kfree(dev);
}

/**
 * wb_device_put - give a device back
 * @dev: the device
 *
 * Any context.
 */
void wb_device_put(struct wb_device *dev)
{
	if (refcount_dec_and_test(&dev->ref))
		call_rcu(&dev->rcu, free_device);
}

static struct wb_device *make_device(struct bdi_writeback *wb, struct wb_device *disk,
				     const char *name)
{
	struct wb_device *dev;

	dev = kzalloc(sizeof(*dev), GFP_ATOMIC | __GFP_NOWARN);
	if (!dev)
		return NULL;
	if (!host_device_pin(wb)) {
		kfree(dev);
		return NULL;
	}
	dev->wb = wb;
	dev->disk = disk ?: dev;
	INIT_LIST_HEAD(&dev->members);
	if (name)
		strscpy(dev->name, name, sizeof(dev->name));
	else
		host_device_name(wb, dev->name, sizeof(dev->name));
	refcount_set(&dev->ref, 2);	/* the list's and the caller's */
	return dev;
}

/**
 * wb_device_retired - was a device forgotten?
 * @dev: the device; the caller has a hold on it
 */
bool wb_device_retired(const struct wb_device *dev)
{
	return hlist_unhashed_lockless(&dev->hash);
}

/* Under device_lock. */
static void list_device(struct wb_device *dev)
{
	/* whoever can find it may want it, so where idle threads look comes first */
	list_add_tail_rcu(&dev->member, &dev->disk->members);
	if (dev->disk == dev) {
		list_add_tail_rcu(&dev->disk_node, &wb_disk_list);
		WRITE_ONCE(nr_disks, nr_disks + 1);
	} else {
		dev->disk->siblings++;
	}
	list_add_tail_rcu(&dev->list, &wb_device_list);
	hash_add_rcu(device_hash, &dev->hash, (unsigned long)dev->wb);
}

/* Under device_lock. The list's reference is the caller's to put. */
static void unlist_device(struct wb_device *dev)
{
	hash_del_rcu(&dev->hash);
	list_del_rcu(&dev->list);
	list_del_rcu(&dev->member);
	if (dev->disk == dev) {
		list_del_rcu(&dev->disk_node);
		WRITE_ONCE(nr_disks, nr_disks - 1);
	} else {
		dev->disk->siblings--;
	}
}

/* As wb_device_note(); @name: what it is called, if nobody is dirtying it who keeps it there. */
static struct wb_device *note_device(struct bdi_writeback *wb, const char *name)
{
	struct bdi_writeback *root = host_device_disk(wb);
	struct wb_device *disk = NULL, *dev, *twin;
	bool orphan;

again:
	if (!host_device_alive(wb))
		return NULL;
	if (root != wb) {
		disk = wb_device_get(root);
		if (!disk)
			return NULL;
	}
	dev = make_device(wb, disk, name);	/* takes over our hold on the disk */
	if (!dev) {
		if (disk)
			wb_device_put(disk);
		return NULL;
	}

	spin_lock(&device_lock);
	twin = wb_device_lookup(wb);
	orphan = !twin && disk && wb_device_retired(disk);
	if (twin)
		refcount_inc(&twin->ref);	/* listed, so not 0 */
	else if (!orphan)
		list_device(dev);
	spin_unlock(&device_lock);

	if (twin || orphan) {
		refcount_set(&dev->ref, 1);
		wb_device_put(dev);
		if (orphan)	/* its disk was forgotten just now: note that one anew */
			goto again;
		return twin;
	}
	wb_kupdate_arm();
	return dev;
}

/**
 * wb_device_note - make sure that a device is known
 * @wb: the kernel's record, of the device that the caller is dirtying or writing
 *
 * Any context with interrupts on, under the kernel's inode and device list locks too. Returns as
 * wb_device_get().
 */
struct wb_device *wb_device_note(struct bdi_writeback *wb)
{
	return note_device(wb, NULL);
}

/**
 * wb_devices - number of disks that have, or lately had, dirty data
 */
unsigned int wb_devices(void)
{
	return READ_ONCE(nr_disks);
}

/**
 * wb_held - number of callers that are held now
 *
 * Any context. One who is held without a record, for want of memory, is not counted.
 */
unsigned int wb_held(void)
{
	struct wb_device *dev;
	unsigned int held = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(dev, &wb_device_list, list)
		held += atomic_read(&dev->waiters);
	rcu_read_unlock();
	return held;
}

/* Claim a disk for one job. True if the claim is the caller's. */
static bool claim(struct wb_device *disk)
{
	return !test_and_set_bit(0, &disk->claimed);
}

static void disclaim(struct wb_device *disk)
{
	clear_bit_unlock(0, &disk->claimed);
	smp_mb__after_atomic();		/* before another look at what is wanted */
}

/**
 * wb_device_want - have a thread write a device
 * @dev: the device; the caller has a hold on it
 * @why: a WB_WANT_ bit
 *
 * Any context, never sleeps. The disk gets one thread; with none idle, the next to become idle.
 */
void wb_device_want(struct wb_device *dev, int why)
{
	struct wb_device *disk = dev->disk;

	if (!(atomic_read(&disk->wanted) & why))
		atomic_or(why, &disk->wanted);
	/*
	 * Full barrier, paired with the one in disclaim(): a worker that gives up its claim sees
	 * the bit, or we see the claim given up.
	 */
	smp_mb();
	while (!test_bit(0, &disk->claimed) && claim(disk)) {
		refcount_inc(&disk->ref);
		if (!pdflush_operation(wb_device_work, (unsigned long)disk))
			return;
		disclaim(disk);
		wb_device_put(disk);	/* @dev keeps it */
		if (!pdflush_has_idle())
			return;
	}
}

/* Have every device that has something dirty written, if there is a pool. */
static void want_all(int why)
{
	struct wb_device *dev;

	if (wb_engine_state() != WB_RUNNING)
		return;
	rcu_read_lock();
	list_for_each_entry_rcu(dev, &wb_device_list, list) {
		if (!host_device_has_dirty(dev->wb) || !refcount_inc_not_zero(&dev->ref))
			continue;
		if (why == WB_WANT_KUPDATE)
			host_make_old_data_due(dev->wb);
		wb_device_want(dev, why);
		wb_device_put(dev);
	}
	rcu_read_unlock();
}

/**
 * wb_devices_want - give every device that has something dirty a thread for background writing
 *
 * For policies. Any context, never sleeps.
 */
void wb_devices_want(void)
{
	want_all(WB_WANT_BACKGROUND);
}
EXPORT_SYMBOL_GPL(wb_devices_want);

/**
 * wb_devices_write_old - have what is old written, on all devices, now
 *
 * For policies; host_old_data_interval() must not be 0. Any context, never sleeps.
 */
void wb_devices_write_old(void)
{
	want_all(WB_WANT_KUPDATE);
}
EXPORT_SYMBOL_GPL(wb_devices_write_old);

/**
 * wb_devices_old_due - has a device yet to begin with what wb_devices_write_old() asked for?
 *
 * Any context, never sleeps.
 */
bool wb_devices_old_due(void)
{
	struct wb_device *dev;
	bool due = false;

	rcu_read_lock();
	list_for_each_entry_rcu(dev, &wb_device_list, list) {
		due = host_device_alive(dev->wb) && host_device_has_dirty(dev->wb) &&
		      host_old_data_due(dev->wb);
		if (due)
			break;
	}
	rcu_read_unlock();
	return due;
}

/**
 * wb_device_next_wanted - a job for a thread that is about to become idle
 * @fn: result, the job
 * @arg: result, its argument
 *
 * Under the pool's lock; takes none. True if there is a disk that wants a thread and has none.
 */
bool wb_device_next_wanted(pdflush_fn *fn, unsigned long *arg)
{
	struct wb_device *dev;
	bool found = false;

	rcu_read_lock();
	list_for_each_entry_rcu(dev, &wb_disk_list, disk_node) {
		if (!atomic_read(&dev->wanted) || test_bit(0, &dev->claimed) || !claim(dev))
			continue;
		if (refcount_inc_not_zero(&dev->ref)) {
			*fn = wb_device_work;
			*arg = (unsigned long)dev;
			found = true;
			break;
		}
		disclaim(dev);
	}
	rcu_read_unlock();
	return found;
}

/**
 * wb_device_work - the job of a thread at a disk
 * @arg: the disk, a struct wb_device; claimed, and the job's to put
 */
void wb_device_work(unsigned long arg)
{
	struct wb_device *disk = (struct wb_device *)arg;
	int why;

	for (;;) {
		WRITE_ONCE(disk->worker, current->pid);
		why = atomic_xchg(&disk->wanted, 0);
		if (why & WB_WANT_KUPDATE)
			wb_write_old(disk);
		if (why & WB_WANT_BACKGROUND)
			background_writeout(disk);
		if (atomic_read(&disk->wanted) && !pdflush_should_stop())
			continue;
		WRITE_ONCE(disk->worker, 0);
		disclaim(disk);
		/* wanted again at the last moment: by then the claim may be another thread's */
		if (pdflush_should_stop() || !atomic_read(&disk->wanted) || !claim(disk))
			break;
	}
	wb_device_put(disk);
}

/**
 * wb_device_next_of - walk the devices of a disk that have something dirty
 * @disk: the disk, claimed by the caller
 * @pass: a number that the walk marks its visits with, not the last walk's
 *
 * Returns the next device that this walk has not visited, to be put, or NULL.
 */
struct wb_device *wb_device_next_of(struct wb_device *disk, unsigned int pass)
{
	struct wb_device *dev;

	rcu_read_lock();
	list_for_each_entry_rcu(dev, &disk->members, member) {
		if (dev->pass == pass)
			continue;
		dev->pass = pass;
		if (host_device_has_dirty(dev->wb) && refcount_inc_not_zero(&dev->ref)) {
			rcu_read_unlock();
			return dev;
		}
	}
	rcu_read_unlock();
	return NULL;
}

/**
 * wb_device_share - a device's part of a number of pages, by measured speed
 * @dev: the device
 * @whole: the number to be shared among all that have something to write
 *
 * Any context that may read the list.
 */
unsigned long wb_device_share(struct wb_device *dev, unsigned long whole)
{
	struct wb_device_counts counts;
	unsigned long mine = 1, all = 0;
	struct wb_device *other;

	rcu_read_lock();
	list_for_each_entry_rcu(other, &wb_device_list, list) {
		host_device_counts(other->wb, &counts);
		if (other == dev)
			mine = wb_device_bandwidth(other, &counts);
		if (other == dev || counts.dirty + counts.writeback)
			all += wb_device_bandwidth(other, &counts);
	}
	rcu_read_unlock();
	return whole / max(all / mine, 1UL);
}

/**
 * wb_device_retire - forget a device that is gone or has been clean for long
 * @dev: the device; the caller has a hold on it, and is a round of kupdate
 *
 * False if it is in use, or became dirty again at this moment.
 */
bool wb_device_retire(struct wb_device *dev)
{
	bool again = false;

	spin_lock(&device_lock);
	/* the claim is kept for good: nobody starts a job at a device that is not listed */
	if (dev->siblings || atomic_read(&dev->waiters) || wb_device_retired(dev) ||
	    !claim(dev)) {
		spin_unlock(&device_lock);
		return false;
	}
	unlist_device(dev);
	spin_unlock(&device_lock);
	/*
	 * The first dirty inode marks the kernel's record and then looks for ours. It has found
	 * nothing and noted the device anew, or we see its mark here.
	 */
	smp_mb();
	if (host_device_alive(dev->wb) && host_device_has_dirty(dev->wb)) {
		struct wb_device *fresh = note_device(dev->wb, dev->name);

		again = fresh;
		if (fresh)
			wb_device_put(fresh);
		else
			host_wake_stock(dev->wb);	/* no memory: its flusher will tell us */
	}
	wb_device_put(dev);
	return !again;
}

/**
 * wb_devices_each - do something with every device
 * @act: called under rcu_read_lock()
 */
void wb_devices_each(void (*act)(struct bdi_writeback *wb))
{
	struct wb_device *dev;

	rcu_read_lock();
	list_for_each_entry_rcu(dev, &wb_device_list, list)
		act(dev->wb);
	rcu_read_unlock();
}

/**
 * wb_devices_drop - forget all devices
 * @handover: called for each, so that another engine takes it
 *
 * Callers have left. Of the pool there may be threads that a stop did not wait for; a round of
 * theirs is waited for here. May sleep.
 */
void wb_devices_drop(void (*handover)(struct bdi_writeback *wb))
{
	struct wb_device *dev;

	wb_kupdate_pause();
	for (;;) {
		spin_lock(&device_lock);
		dev = list_first_entry_or_null(&wb_device_list, struct wb_device, list);
		if (dev)
			unlist_device(dev);
		spin_unlock(&device_lock);
		if (!dev)
			break;
		handover(dev->wb);
		wb_device_put(dev);
	}
	wb_kupdate_resume();
}
