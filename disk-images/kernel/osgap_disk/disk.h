/* SPDX-License-Identifier: GPL-2.0 */
/* A disk with a mechanism's timing: what the model and the block driver share. */
#ifndef OSGAP_DISK_H
#define OSGAP_DISK_H

#include <linux/types.h>

#define DISK_SECTOR_SHIFT 9

/* All times in ns of the guest's (simulated) clock. */
struct disk_params {
	unsigned long rotation_ns;	/* one turn */
	unsigned long sectors_per_track;
	unsigned long heads;		/* tracks in a cylinder */
	unsigned long cylinders;
	unsigned long seek_track_ns;	/* to the next cylinder */
	unsigned long seek_full_ns;	/* across all cylinders */
	unsigned long overhead_ns;	/* controller, each request */
	unsigned long cache_sectors;	/* write cache; 0: none */
};

/* Cumulative; exported through the read-only parameter "stats". */
struct disk_stats {
	u64 reads, writes, sectors;
	u64 seek_ns, rotation_ns, transfer_ns, overhead_ns, queue_ns;
};

struct disk_model {
	u64 cylinder;		/* where the arm is */
	u64 busy_until_ns;	/* the mechanism works until then */
	u64 cache_free_ns;	/* the write cache has drained by then */
	struct disk_stats stats;
};

/*
 * When a request that arrives at now_ns completes. Advances the mechanism:
 * requests are served in the order of the calls.
 */
u64 disk_model_complete_ns(struct disk_model *m, const struct disk_params *p,
			   u64 now_ns, u64 sector, u64 nr_sectors, bool write);

/* One request, for a driver that is built to tell each. */
struct disk_request {
	u64 issue_ns, done_ns, sector, nr_sectors;
	bool write;
};

#ifdef OSGAP_DISK_LOG
int disk_log_init(void);
void disk_log_exit(void);
void disk_log_add(const struct disk_request *request);
void disk_log_tell(void);
#else
static inline int disk_log_init(void) { return 0; }
static inline void disk_log_exit(void) { }
static inline void disk_log_add(const struct disk_request *request) { }
static inline void disk_log_tell(void) { }
#endif

#endif
