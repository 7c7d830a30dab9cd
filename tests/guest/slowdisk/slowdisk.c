// SPDX-License-Identifier: GPL-2.0
/*
 * slowdisk: block devices as slow as you like, on the guest's own clock.
 *
 * The bytes of a disk are the shared memory of an ivshmem-plain PCI device, so they cost the guest
 * no memory, need no I/O on the host's clock and are a file of the host. The time is a single
 * server's: one request after the other, in the order of dispatch, each taking its bytes / rate,
 * plus seek_ms if it does not start where the one before it ended. An hrtimer ends it. With neither
 * a rate nor a seek a request is done at once.
 *
 * The data is copied when a request is dispatched, in the context that dispatches it; the request
 * completes later: what has completed is always in the image. A flush waits for all that was
 * dispatched before it.
 *
 * Disks are numbered as the PCI bus finds them; see the module parameters. While the guest runs,
 * /sys/block/NAME/slow/ has
 *	rate		MB/s (2^20 bytes), decimals allowed, 0: no limit
 *	seek_ms		ms for a seek
 *	stalled		1: requests are taken in but not completed, until it is 0 again
 *	unplug		(write) 1: pull the disk out; what is in flight and what comes after fails
 *	busy_ms		for how long the server has been busy
 *	written_sectors	written so far (512 bytes each)
 * rate and seek_ms hold for requests whose service has not begun.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/blk-mq.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/kstrtox.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/version.h>

#define SLOWDISK_MAX		30
#define SLOWDISK_MEM_BAR	2
#define SLOWDISK_MAX_SECTORS	2560
#define SLOWDISK_MAX_RATE	((u64)1 << 30)		/* KiB/s */
#define SLOWDISK_MAX_SEEK	60000			/* ms */

static char *name[SLOWDISK_MAX];
module_param_array(name, charp, NULL, 0444);
MODULE_PARM_DESC(name, "Disk names (slow0, slow1, ...)");

static char *rate[SLOWDISK_MAX];
module_param_array(rate, charp, NULL, 0444);
MODULE_PARM_DESC(rate, "Transfer rates in MB/s, 0: no limit (0)");

static unsigned int seek_ms[SLOWDISK_MAX];
module_param_array(seek_ms, uint, NULL, 0444);
MODULE_PARM_DESC(seek_ms, "Time a seek takes, in ms (0)");

static unsigned int depth[SLOWDISK_MAX];
module_param_array(depth, uint, NULL, 0444);
MODULE_PARM_DESC(depth, "Requests that the disk takes in at once (32)");

static unsigned long sectors[SLOWDISK_MAX];
module_param_array(sectors, ulong, NULL, 0444);
MODULE_PARM_DESC(sectors, "Capacities in 512 byte sectors (all of the memory)");

struct slowdisk {
	struct gendisk		*disk;
	struct blk_mq_tag_set	tags;
	void			*mem;
	struct work_struct	unplug_work;

	spinlock_t		lock;		/* for all that follows */
	struct list_head	queue;		/* dispatched; the first is served while serving */
	struct hrtimer		timer;		/* ends the service of the first */
	bool			serving;
	bool			stalled;
	bool			gone;
	bool			deleted;	/* by unplug or by remove, not by both */
	u64			stalled_at;	/* ns */
	u64			started;	/* the service of the first, ns */
	u64			ends;
	u64			rate_kb;	/* KiB/s, 0: no limit */
	unsigned int		seek_ms;
	sector_t		head;		/* where the last transfer ended */
	u64			busy_ns;
	u64			written;
};

struct slowdisk_cmd {
	struct list_head	node;
	blk_status_t		status;
};

static unsigned int nr_disks;

static struct request *first_request(struct slowdisk *sd)
{
	struct slowdisk_cmd *cmd;

	cmd = list_first_entry_or_null(&sd->queue, struct slowdisk_cmd, node);
	return cmd ? blk_mq_rq_from_pdu(cmd) : NULL;
}

static bool moves_data(struct request *rq)
{
	return req_op(rq) == REQ_OP_READ || req_op(rq) == REQ_OP_WRITE;
}

static void copy_data(struct slowdisk *sd, struct request *rq)
{
	void *mem = sd->mem + (blk_rq_pos(rq) << SECTOR_SHIFT);
	struct req_iterator iter;
	struct bio_vec bv;

	rq_for_each_segment(bv, rq, iter) {
		void *buf = bvec_kmap_local(&bv);

		if (op_is_write(req_op(rq)))
			memcpy(mem, buf, bv.bv_len);
		else
			memcpy(buf, mem, bv.bv_len);
		kunmap_local(buf);
		mem += bv.bv_len;
	}
}

/* How long the server takes for this request, if it comes next. */
static u64 service_ns(struct slowdisk *sd, struct request *rq)
{
	u64 ns = 0;

	if (!moves_data(rq))
		return 0;
	if (blk_rq_pos(rq) != sd->head)
		ns += (u64)sd->seek_ms * NSEC_PER_MSEC;
	if (sd->rate_kb)
		ns += div64_u64((u64)blk_rq_bytes(rq) * NSEC_PER_SEC, sd->rate_kb << 10);
	return ns;
}

static void account(struct slowdisk *sd, struct request *rq)
{
	if (!moves_data(rq))
		return;
	sd->head = blk_rq_pos(rq) + blk_rq_sectors(rq);
	if (op_is_write(req_op(rq)))
		sd->written += blk_rq_sectors(rq);
}

static void begin_service(struct slowdisk *sd, u64 now)
{
	struct request *rq = first_request(sd);

	sd->serving = rq != NULL;
	if (rq) {
		sd->started = max(now, sd->ends);
		sd->ends = sd->started + service_ns(sd, rq);
	}
}

static void end_service(struct slowdisk *sd)
{
	struct request *rq = first_request(sd);
	struct slowdisk_cmd *cmd = blk_mq_rq_to_pdu(rq);

	list_del_init(&cmd->node);
	account(sd, rq);
	sd->busy_ns += sd->ends - sd->started;
	sd->serving = false;
	blk_mq_complete_request(rq);
}

/* End what is due and begin what follows, back to back. True: set the timer, to sd->ends. */
static bool serve(struct slowdisk *sd, u64 now)
{
	while (!sd->stalled) {
		if (!sd->serving)
			begin_service(sd, now);
		if (!sd->serving || sd->ends > now)
			return sd->serving;
		do {
			end_service(sd);
			begin_service(sd, sd->ends);
		} while (sd->serving && sd->ends <= now);
	}
	return false;
}

static enum hrtimer_restart timer_fired(struct hrtimer *timer)
{
	struct slowdisk *sd = container_of(timer, struct slowdisk, timer);
	enum hrtimer_restart again = HRTIMER_NORESTART;
	unsigned long flags;

	spin_lock_irqsave(&sd->lock, flags);
	if (serve(sd, ktime_get_ns())) {
		hrtimer_set_expires(timer, ns_to_ktime(sd->ends));
		again = HRTIMER_RESTART;
	}
	spin_unlock_irqrestore(&sd->lock, flags);
	return again;
}

static void serve_and_arm(struct slowdisk *sd, u64 now)
{
	if (serve(sd, now))
		hrtimer_start(&sd->timer, ns_to_ktime(sd->ends), HRTIMER_MODE_ABS_HARD);
}

static blk_status_t slowdisk_queue_rq(struct blk_mq_hw_ctx *hctx,
				      const struct blk_mq_queue_data *bd)
{
	struct slowdisk *sd = hctx->queue->queuedata;
	struct request *rq = bd->rq;
	struct slowdisk_cmd *cmd = blk_mq_rq_to_pdu(rq);
	u64 now = ktime_get_ns();	/* the copy is the transfer: it takes no time of its own */
	unsigned long flags;

	if (!moves_data(rq) && req_op(rq) != REQ_OP_FLUSH)
		return BLK_STS_NOTSUPP;
	if (READ_ONCE(sd->gone))
		return BLK_STS_IOERR;

	blk_mq_start_request(rq);
	cmd->status = BLK_STS_OK;
	if (moves_data(rq))
		copy_data(sd, rq);

	spin_lock_irqsave(&sd->lock, flags);
	if (sd->gone) {
		spin_unlock_irqrestore(&sd->lock, flags);
		return BLK_STS_IOERR;
	}
	if (list_empty(&sd->queue) && !sd->stalled && !service_ns(sd, rq)) {
		account(sd, rq);
		spin_unlock_irqrestore(&sd->lock, flags);
		blk_mq_end_request(rq, BLK_STS_OK);
		return BLK_STS_OK;
	}
	list_add_tail(&cmd->node, &sd->queue);
	if (!sd->serving)
		serve_and_arm(sd, now);
	spin_unlock_irqrestore(&sd->lock, flags);
	return BLK_STS_OK;
}

static void slowdisk_complete(struct request *rq)
{
	struct slowdisk_cmd *cmd = blk_mq_rq_to_pdu(rq);

	blk_mq_end_request(rq, cmd->status);
}

static const struct blk_mq_ops slowdisk_mq_ops = {
	.queue_rq	= slowdisk_queue_rq,
	.complete	= slowdisk_complete,
};

static void fail_all(struct slowdisk *sd)
{
	struct slowdisk_cmd *cmd, *next;
	LIST_HEAD(lost);

	spin_lock_irq(&sd->lock);
	sd->gone = true;
	sd->stalled = true;
	sd->serving = false;
	list_splice_init(&sd->queue, &lost);
	spin_unlock_irq(&sd->lock);
	hrtimer_cancel(&sd->timer);

	list_for_each_entry_safe(cmd, next, &lost, node) {
		list_del_init(&cmd->node);
		cmd->status = BLK_STS_IOERR;
		blk_mq_complete_request(blk_mq_rq_from_pdu(cmd));
	}
}

static bool may_delete(struct slowdisk *sd)
{
	bool first;

	spin_lock_irq(&sd->lock);
	first = !sd->deleted;
	sd->deleted = true;
	spin_unlock_irq(&sd->lock);
	return first;
}

/* Not in the write to "unplug" itself: deleting the disk waits for the users of its sysfs files. */
static void unplug(struct work_struct *work)
{
	struct slowdisk *sd = container_of(work, struct slowdisk, unplug_work);

	if (!may_delete(sd))
		return;
	pr_info("%s: pulled out\n", sd->disk->disk_name);
	fail_all(sd);
	blk_mark_disk_dead(sd->disk);
	del_gendisk(sd->disk);
}

/* "20", "2.5", "0.125": MB/s, as KiB/s */
static int parse_rate(const char *text, u64 *kb)
{
	u64 whole = 0, thousandths = 0;
	unsigned int unit = 1000;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++) {
		whole = whole * 10 + (*p - '0');
		if (whole > SLOWDISK_MAX_RATE >> 10)
			return -ERANGE;
	}
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++) {
			unit /= 10;
			thousandths += (*p - '0') * unit;
		}
	if (p == text || (*p && *p != '\n'))
		return -EINVAL;
	*kb = (whole << 10) + div_u64(thousandths << 10, 1000);
	if (!*kb && (whole || thousandths))
		*kb = 1;
	return 0;
}

static struct slowdisk *to_slowdisk(struct device *dev)
{
	return dev_to_disk(dev)->private_data;
}

static ssize_t rate_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u64 kb = READ_ONCE(to_slowdisk(dev)->rate_kb);
	unsigned int fraction = ((kb & 1023) * 1000 + 512) >> 10;

	if (!fraction)
		return sysfs_emit(buf, "%llu\n", kb >> 10);
	return sysfs_emit(buf, "%llu.%03u\n", kb >> 10, fraction);
}

static ssize_t rate_store(struct device *dev, struct device_attribute *attr, const char *buf,
			  size_t count)
{
	u64 kb;
	int err = parse_rate(buf, &kb);

	if (err)
		return err;
	WRITE_ONCE(to_slowdisk(dev)->rate_kb, kb);
	return count;
}
static struct device_attribute dev_attr_rate = __ATTR_RW(rate);

static ssize_t seek_ms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", READ_ONCE(to_slowdisk(dev)->seek_ms));
}

static ssize_t seek_ms_store(struct device *dev, struct device_attribute *attr, const char *buf,
			     size_t count)
{
	unsigned int ms;
	int err = kstrtouint(buf, 10, &ms);

	if (err)
		return err;
	if (ms > SLOWDISK_MAX_SEEK)
		return -ERANGE;
	WRITE_ONCE(to_slowdisk(dev)->seek_ms, ms);
	return count;
}
static struct device_attribute dev_attr_seek_ms = __ATTR_RW(seek_ms);

static void begin_stall(struct slowdisk *sd, u64 now)
{
	serve(sd, now);
	sd->stalled = true;
	sd->stalled_at = now;
}

/* The request in service goes on where it was. */
static void end_stall(struct slowdisk *sd, u64 now)
{
	u64 pause = now - sd->stalled_at;

	sd->stalled = false;
	if (sd->serving) {
		sd->started += pause;
		sd->ends += pause;
	}
	serve_and_arm(sd, now);
}

static ssize_t stalled_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(to_slowdisk(dev)->stalled));
}

static ssize_t stalled_store(struct device *dev, struct device_attribute *attr, const char *buf,
			     size_t count)
{
	struct slowdisk *sd = to_slowdisk(dev);
	bool stall;
	int err = kstrtobool(buf, &stall);

	if (err)
		return err;
	spin_lock_irq(&sd->lock);
	if (!sd->gone && sd->stalled != stall) {
		if (stall)
			begin_stall(sd, ktime_get_ns());
		else
			end_stall(sd, ktime_get_ns());
	}
	spin_unlock_irq(&sd->lock);
	return count;
}
static DEVICE_ATTR_RW(stalled);

static ssize_t unplug_store(struct device *dev, struct device_attribute *attr, const char *buf,
			    size_t count)
{
	bool out;
	int err = kstrtobool(buf, &out);

	if (err)
		return err;
	if (out)
		schedule_work(&to_slowdisk(dev)->unplug_work);
	return count;
}
static DEVICE_ATTR_WO(unplug);

static ssize_t busy_ms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct slowdisk *sd = to_slowdisk(dev);
	u64 busy;

	spin_lock_irq(&sd->lock);
	busy = sd->busy_ns;
	if (sd->serving)
		busy += min(sd->stalled ? sd->stalled_at : ktime_get_ns(), sd->ends) -
			sd->started;
	spin_unlock_irq(&sd->lock);
	return sysfs_emit(buf, "%llu\n", div_u64(busy, NSEC_PER_MSEC));
}
static DEVICE_ATTR_RO(busy_ms);

static ssize_t written_sectors_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(to_slowdisk(dev)->written));
}
static DEVICE_ATTR_RO(written_sectors);

static struct attribute *slow_attrs[] = {
	&dev_attr_rate.attr,
	&dev_attr_seek_ms.attr,
	&dev_attr_stalled.attr,
	&dev_attr_unplug.attr,
	&dev_attr_busy_ms.attr,
	&dev_attr_written_sectors.attr,
	NULL
};

static const struct attribute_group slow_group = {
	.name	= "slow",
	.attrs	= slow_attrs,
};

static const struct attribute_group *slow_groups[] = { &slow_group, NULL };

static void slowdisk_free(struct gendisk *disk)
{
	kfree(disk->private_data);
}

static const struct block_device_operations slowdisk_ops = {
	.owner		= THIS_MODULE,
	.free_disk	= slowdisk_free,
};

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
static struct gendisk *alloc_slow_disk(struct slowdisk *sd)
{
	struct queue_limits limits = {
		.max_hw_sectors		= SLOWDISK_MAX_SECTORS,
		.max_segments		= USHRT_MAX,
		.max_segment_size	= UINT_MAX,
		.features		= BLK_FEAT_WRITE_CACHE | BLK_FEAT_FUA,
	};

	if (sd->seek_ms)
		limits.features |= BLK_FEAT_ROTATIONAL;
	return blk_mq_alloc_disk(&sd->tags, &limits, sd);
}
#else
static struct gendisk *alloc_slow_disk(struct slowdisk *sd)
{
	struct gendisk *disk = blk_mq_alloc_disk(&sd->tags, sd);
	struct request_queue *q;

	if (IS_ERR(disk))
		return disk;
	q = disk->queue;
	blk_queue_max_hw_sectors(q, SLOWDISK_MAX_SECTORS);
	blk_queue_max_segments(q, USHRT_MAX);
	blk_queue_max_segment_size(q, UINT_MAX);
	blk_queue_write_cache(q, true, true);
	blk_queue_flag_clear(QUEUE_FLAG_ADD_RANDOM, q);
	if (!sd->seek_ms)
		blk_queue_flag_set(QUEUE_FLAG_NONROT, q);
	return disk;
}
#endif

static int add_disk_to_system(struct slowdisk *sd, struct device *dev, unsigned int n, u64 capacity)
{
	struct gendisk *disk;
	int err;

	sd->tags.ops = &slowdisk_mq_ops;
	sd->tags.nr_hw_queues = 1;
	sd->tags.queue_depth = depth[n] ?: 32;
	sd->tags.numa_node = NUMA_NO_NODE;
	sd->tags.cmd_size = sizeof(struct slowdisk_cmd);
	sd->tags.flags = BLK_MQ_F_SHOULD_MERGE;
	err = blk_mq_alloc_tag_set(&sd->tags);
	if (err)
		return err;

	disk = alloc_slow_disk(sd);
	if (IS_ERR(disk)) {
		err = PTR_ERR(disk);
		goto free_tags;
	}
	sd->disk = disk;
	disk->fops = &slowdisk_ops;
	disk->private_data = sd;
	disk->flags |= GENHD_FL_NO_PART;
	if (name[n])
		snprintf(disk->disk_name, DISK_NAME_LEN, "%s", name[n]);
	else
		snprintf(disk->disk_name, DISK_NAME_LEN, "slow%u", n);
	set_capacity(disk, capacity);

	err = device_add_disk(dev, disk, slow_groups);
	if (err)
		goto put_disk;
	return 0;

put_disk:
	disk->private_data = NULL;
	put_disk(disk);
free_tags:
	blk_mq_free_tag_set(&sd->tags);
	return err;
}

static int slowdisk_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	unsigned int n = nr_disks;
	struct slowdisk *sd;
	u64 capacity;
	int err;

	if (n >= SLOWDISK_MAX)
		return -ENOSPC;
	err = pcim_enable_device(pdev);
	if (err)
		return err;
	capacity = pci_resource_len(pdev, SLOWDISK_MEM_BAR) >> SECTOR_SHIFT;
	if (!capacity)
		return -ENODEV;
	if (sectors[n] > capacity)
		return -EINVAL;
	if (sectors[n])
		capacity = sectors[n];

	sd = kzalloc(sizeof(*sd), GFP_KERNEL);
	if (!sd)
		return -ENOMEM;
	spin_lock_init(&sd->lock);
	INIT_LIST_HEAD(&sd->queue);
	INIT_WORK(&sd->unplug_work, unplug);
	hrtimer_init(&sd->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	sd->timer.function = timer_fired;
	sd->seek_ms = min_t(unsigned int, seek_ms[n], SLOWDISK_MAX_SEEK);
	err = rate[n] ? parse_rate(rate[n], &sd->rate_kb) : 0;
	if (err)
		goto free;

	sd->mem = memremap(pci_resource_start(pdev, SLOWDISK_MEM_BAR), capacity << SECTOR_SHIFT,
			   MEMREMAP_WC);
	if (!sd->mem) {
		err = -ENOMEM;
		goto free;
	}
	err = add_disk_to_system(sd, &pdev->dev, n, capacity);
	if (err)
		goto unmap;
	pci_set_drvdata(pdev, sd);
	nr_disks++;
	return 0;

unmap:
	memunmap(sd->mem);
free:
	kfree(sd);
	return err;
}

static void slowdisk_remove(struct pci_dev *pdev)
{
	struct slowdisk *sd = pci_get_drvdata(pdev);
	void *mem = sd->mem;

	if (may_delete(sd)) {
		fail_all(sd);
		del_gendisk(sd->disk);
	}
	flush_work(&sd->unplug_work);
	blk_mq_free_tag_set(&sd->tags);
	put_disk(sd->disk);
	memunmap(mem);
}

static const struct pci_device_id slowdisk_ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT_QUMRANET, 0x1110) },
	{ }
};
MODULE_DEVICE_TABLE(pci, slowdisk_ids);

static struct pci_driver slowdisk_driver = {
	.name		= "slowdisk",
	.id_table	= slowdisk_ids,
	.probe		= slowdisk_probe,
	.remove		= slowdisk_remove,
};
module_pci_driver(slowdisk_driver);

MODULE_DESCRIPTION("Slow disks on the guest's clock, for tests");
MODULE_LICENSE("GPL");
