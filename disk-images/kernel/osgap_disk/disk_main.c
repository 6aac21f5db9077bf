// SPDX-License-Identifier: GPL-2.0
/*
 * osgap_disk: a blk-mq driver for a disk whose medium is memory and whose
 * timing is a mechanism's (disk_model.c). Requests complete by hrtimer at the
 * simulated time that the model gives, so every simulator has the same disk.
 *
 * Parameters are given at load time or, while the disk is idle, through
 * /sys/module/osgap_disk/parameters.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/highmem.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/version.h>
#include <linux/vmalloc.h>

#include "disk.h"

/* Defaults: no mechanism at all, for making the file system at boot. */
static struct disk_params params = {
	.rotation_ns = 1000, .sectors_per_track = 1000, .heads = 1,
	.cylinders = 1, .seek_track_ns = 0, .seek_full_ns = 0,
	.overhead_ns = 0, .cache_sectors = 0,
};

static unsigned long size_kib = 8192;
module_param(size_kib, ulong, 0444);
MODULE_PARM_DESC(size_kib, "capacity in KiB");

struct disk {
	struct blk_mq_tag_set tag_set;
	struct gendisk *gendisk;
	struct disk_model model;
	spinlock_t lock;	/* model, and the order of completions */
	void *medium;
	int major;
};

static struct disk disk;

static int param_set_ns(const char *val, const struct kernel_param *kp)
{
	unsigned long value;
	int ret = kstrtoul(val, 10, &value);

	if (ret)
		return ret;
	/* Ten minutes: keeps every product in disk_model.c below 2^64. */
	if (value > 600000000000UL)
		return -ERANGE;
	*(unsigned long *)kp->arg = value;
	return 0;
}

static int param_set_count(const char *val, const struct kernel_param *kp)
{
	unsigned long value;
	int ret = kstrtoul(val, 10, &value);

	if (ret)
		return ret;
	if (!value || value > 10000000)
		return -ERANGE;
	*(unsigned long *)kp->arg = value;
	return 0;
}

static int param_set_rotation(const char *val, const struct kernel_param *kp)
{
	unsigned long before = params.rotation_ns;
	int ret = param_set_ns(val, kp);

	if (!ret && !params.rotation_ns) {
		params.rotation_ns = before;
		return -ERANGE;
	}
	return ret;
}

static const struct kernel_param_ops ops_ns = {
	.set = param_set_ns, .get = param_get_ulong };
static const struct kernel_param_ops ops_count = {
	.set = param_set_count, .get = param_get_ulong };
static const struct kernel_param_ops ops_rotation = {
	.set = param_set_rotation, .get = param_get_ulong };

#define DISK_PARAM(name, ops, text)				\
	module_param_cb(name, &ops, &params.name, 0644);	\
	MODULE_PARM_DESC(name, text)

DISK_PARAM(rotation_ns, ops_rotation, "time of one turn");
DISK_PARAM(sectors_per_track, ops_count, "512-byte sectors in a track");
DISK_PARAM(heads, ops_count, "tracks in a cylinder");
DISK_PARAM(cylinders, ops_count, "cylinders");
DISK_PARAM(seek_track_ns, ops_ns, "seek to the next cylinder");
DISK_PARAM(seek_full_ns, ops_ns, "seek across all cylinders");
DISK_PARAM(overhead_ns, ops_ns, "controller time of each request");
DISK_PARAM(cache_sectors, ops_ns, "write cache in sectors, 0 for none");

static int stats_get(char *buffer, const struct kernel_param *kp)
{
	const struct disk_stats *s = &disk.model.stats;

	disk_log_tell();
	return sysfs_emit(buffer,
			  "reads=%llu writes=%llu sectors=%llu seek_ns=%llu rotation_ns=%llu transfer_ns=%llu overhead_ns=%llu queue_ns=%llu\n",
			  s->reads, s->writes, s->sectors, s->seek_ns,
			  s->rotation_ns, s->transfer_ns, s->overhead_ns,
			  s->queue_ns);
}

static const struct kernel_param_ops ops_stats = { .get = stats_get };
module_param_cb(stats, &ops_stats, NULL, 0444);

struct disk_cmd {
	struct hrtimer timer;
	struct request *rq;
};

static enum hrtimer_restart disk_done(struct hrtimer *timer)
{
	struct disk_cmd *cmd = container_of(timer, struct disk_cmd, timer);

	blk_mq_end_request(cmd->rq, BLK_STS_OK);
	return HRTIMER_NORESTART;
}

static void copy_data(struct request *rq)
{
	u8 *at = (u8 *)disk.medium + ((u64)blk_rq_pos(rq) << DISK_SECTOR_SHIFT);
	bool write = op_is_write(req_op(rq));
	struct req_iterator iter;
	struct bio_vec bv;

	rq_for_each_segment(bv, rq, iter) {
		void *page = kmap_local_page(bv.bv_page);

		if (write)
			memcpy(at, page + bv.bv_offset, bv.bv_len);
		else
			memcpy(page + bv.bv_offset, at, bv.bv_len);
		kunmap_local(page);
		at += bv.bv_len;
	}
}

static u64 completion_ns(struct request *rq, u64 now)
{
	unsigned long flags;
	u64 at;

	spin_lock_irqsave(&disk.lock, flags);
	at = disk_model_complete_ns(&disk.model, &params, now, blk_rq_pos(rq),
				    blk_rq_sectors(rq), op_is_write(req_op(rq)));
	disk_log_add(&(struct disk_request){
		.issue_ns = now, .done_ns = at, .sector = blk_rq_pos(rq),
		.nr_sectors = blk_rq_sectors(rq),
		.write = op_is_write(req_op(rq)) });
	spin_unlock_irqrestore(&disk.lock, flags);
	return at;
}

static blk_status_t disk_queue_rq(struct blk_mq_hw_ctx *hctx,
				  const struct blk_mq_queue_data *bd)
{
	struct disk_cmd *cmd = blk_mq_rq_to_pdu(bd->rq);
	u64 now = ktime_get_ns();
	u64 at;

	if (req_op(bd->rq) != REQ_OP_READ && req_op(bd->rq) != REQ_OP_WRITE)
		return BLK_STS_NOTSUPP;
	blk_mq_start_request(bd->rq);
	copy_data(bd->rq);
	cmd->rq = bd->rq;
	at = completion_ns(bd->rq, now);
	hrtimer_start(&cmd->timer, ns_to_ktime(at), HRTIMER_MODE_ABS_HARD);
	return BLK_STS_OK;
}

static int disk_init_request(struct blk_mq_tag_set *set, struct request *rq,
			     unsigned int hctx_idx, unsigned int numa_node)
{
	struct disk_cmd *cmd = blk_mq_rq_to_pdu(rq);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(&cmd->timer, disk_done, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_HARD);
#else
	hrtimer_init(&cmd->timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
	cmd->timer.function = disk_done;
#endif
	return 0;
}

static const struct blk_mq_ops disk_mq_ops = {
	.queue_rq = disk_queue_rq,
	.init_request = disk_init_request,
};

static const struct block_device_operations disk_fops = {
	.owner = THIS_MODULE,
};

static struct gendisk *alloc_gendisk(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	struct queue_limits limits = { .logical_block_size = 512 };

	return blk_mq_alloc_disk(&disk.tag_set, &limits, NULL);
#else
	return blk_mq_alloc_disk(&disk.tag_set, NULL);
#endif
}

static int add_gendisk(void)
{
	struct gendisk *g = alloc_gendisk();
	int ret;

	if (IS_ERR(g))
		return PTR_ERR(g);
	disk.gendisk = g;
	g->major = disk.major;
	g->first_minor = 0;
	g->minors = 1;
	g->flags |= GENHD_FL_NO_PART;
	g->fops = &disk_fops;
	strscpy(g->disk_name, "osgap0", DISK_NAME_LEN);
	set_capacity(g, size_kib << (10 - DISK_SECTOR_SHIFT));
	ret = add_disk(g);
	if (ret)
		put_disk(g);
	return ret;
}

static int init_tag_set(void)
{
	disk.tag_set.ops = &disk_mq_ops;
	disk.tag_set.nr_hw_queues = 1;
	disk.tag_set.queue_depth = 16;
	disk.tag_set.numa_node = NUMA_NO_NODE;
	disk.tag_set.cmd_size = sizeof(struct disk_cmd);
#ifdef BLK_MQ_F_SHOULD_MERGE
	disk.tag_set.flags = BLK_MQ_F_SHOULD_MERGE;
#endif
	return blk_mq_alloc_tag_set(&disk.tag_set);
}

static int __init osgap_disk_init(void)
{
	int ret = -ENOMEM;

	spin_lock_init(&disk.lock);
	disk.medium = vzalloc(size_kib << 10);
	if (!disk.medium)
		return ret;
	disk.major = register_blkdev(0, "osgap");
	if (disk.major < 0) {
		ret = disk.major;
		goto free_medium;
	}
	ret = init_tag_set();
	if (ret)
		goto unregister;
	ret = disk_log_init();
	if (ret)
		goto free_tags;
	ret = add_gendisk();
	if (ret)
		goto free_log;
	return 0;

free_log:
	disk_log_exit();
free_tags:
	blk_mq_free_tag_set(&disk.tag_set);
unregister:
	unregister_blkdev(disk.major, "osgap");
free_medium:
	vfree(disk.medium);
	return ret;
}

static void __exit osgap_disk_exit(void)
{
	del_gendisk(disk.gendisk);
	put_disk(disk.gendisk);
	disk_log_exit();
	blk_mq_free_tag_set(&disk.tag_set);
	unregister_blkdev(disk.major, "osgap");
	vfree(disk.medium);
}

module_init(osgap_disk_init);
module_exit(osgap_disk_exit);
MODULE_DESCRIPTION("A disk with a mechanism's timing, its medium in memory");
MODULE_LICENSE("GPL");
