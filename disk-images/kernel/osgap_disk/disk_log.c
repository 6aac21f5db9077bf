// SPDX-License-Identifier: GPL-2.0
/*
 * What requests there were, one by one. They are told when the counters are
 * read, which is never while time is measured; then the log is empty again.
 */
#include <linux/printk.h>
#include <linux/vmalloc.h>

#include "disk.h"

#define LOG_MAX 8192

static struct disk_request *entries;
static u64 nr_added;	/* since they were told; those over LOG_MAX are lost */

int disk_log_init(void)
{
	entries = vzalloc(array_size(LOG_MAX, sizeof(*entries)));
	return entries ? 0 : -ENOMEM;
}

void disk_log_exit(void)
{
	vfree(entries);
}

/* The caller holds the disk's lock. */
void disk_log_add(const struct disk_request *request)
{
	if (nr_added < LOG_MAX)
		entries[nr_added] = *request;
	nr_added++;
}

/* The caller knows that the disk is idle. The kernel's level is "quiet". */
void disk_log_tell(void)
{
	u64 i;

	for (i = 0; i < nr_added && i < LOG_MAX; i++)
		pr_err("@osgap request issue_ns=%llu done_ns=%llu sector=%llu sectors=%llu write=%d\n",
		       entries[i].issue_ns, entries[i].done_ns, entries[i].sector,
		       entries[i].nr_sectors, entries[i].write);
	pr_err("@osgap requests told=%llu of=%llu\n", i, nr_added);
	nr_added = 0;
}
