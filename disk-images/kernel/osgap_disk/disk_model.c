// SPDX-License-Identifier: GPL-2.0
/*
 * The mechanism: seek by distance, rotation from simulated time, transfer at
 * the track's rate. Sector 0 of every track passes the head when the guest's
 * clock is a multiple of the rotation time, so the position needs no state.
 */
#include <linux/kernel.h>
#include <linux/math64.h>

#include "disk.h"

/* Linear in the square root of the distance, from seek_track to seek_full. */
static u64 seek_ns(const struct disk_params *p, u64 from, u64 to)
{
	u64 distance = from > to ? from - to : to - from;
	u64 span, root, root_full;

	if (!distance)
		return 0;
	/* Roots in 1/1024, of distance - 1 so that one cylinder costs seek_track. */
	root = int_sqrt64((distance - 1) << 20);
	root_full = int_sqrt64((u64)(p->cylinders - 1) << 20);
	span = p->seek_full_ns > p->seek_track_ns ?
		p->seek_full_ns - p->seek_track_ns : 0;
	return p->seek_track_ns +
		(root_full ? div64_u64(span * root, root_full) : 0);
}

/* Time until the start of a sector is under the head, if it is now at_ns. */
static u64 rotation_wait_ns(const struct disk_params *p, u64 at_ns, u64 sector)
{
	u64 start, now;

	start = div64_u64(sector % p->sectors_per_track * p->rotation_ns,
			  p->sectors_per_track);
	div64_u64_rem(at_ns, p->rotation_ns, &now);
	return start >= now ? start - now : start + p->rotation_ns - now;
}

/* The mechanism's work for one request that it begins at start_ns. */
static u64 serve_ns(struct disk_model *m, const struct disk_params *p,
		    u64 start_ns, u64 sector, u64 nr_sectors)
{
	u64 cylinder = div64_u64(sector, p->sectors_per_track * p->heads);
	u64 seek = seek_ns(p, m->cylinder, cylinder);
	u64 wait = rotation_wait_ns(p, start_ns + p->overhead_ns + seek, sector);
	u64 transfer = div64_u64(nr_sectors * p->rotation_ns, p->sectors_per_track);

	m->cylinder = cylinder;
	m->stats.overhead_ns += p->overhead_ns;
	m->stats.seek_ns += seek;
	m->stats.rotation_ns += wait;
	m->stats.transfer_ns += transfer;
	return start_ns + p->overhead_ns + seek + wait + transfer;
}

u64 disk_model_complete_ns(struct disk_model *m, const struct disk_params *p,
			   u64 now_ns, u64 sector, u64 nr_sectors, bool write)
{
	u64 start = max(now_ns, m->busy_until_ns);

	m->stats.sectors += nr_sectors;
	if (write)
		m->stats.writes++;
	else
		m->stats.reads++;
	if (write && nr_sectors <= p->cache_sectors) {
		/*
		 * Accepted when the cache is free; the medium follows later.
		 * As on disks of 1990, no flush is ever asked for.
		 */
		u64 accepted = max(now_ns, m->cache_free_ns) + p->overhead_ns;

		m->busy_until_ns = serve_ns(m, p, max(start, accepted), sector,
					    nr_sectors);
		m->cache_free_ns = m->busy_until_ns;
		m->stats.queue_ns += accepted - p->overhead_ns - now_ns;
		return accepted;
	}
	m->stats.queue_ns += start - now_ns;
	m->busy_until_ns = serve_ns(m, p, start, sector, nr_sectors);
	return m->busy_until_ns;
}
