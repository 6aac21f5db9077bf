/* SPDX-License-Identifier: BSD-3-Clause */
/* Map 8 MB of a file and unmap them; no page is ever touched. The file is
 * sparse and in memory: it matters to the mapping's bookkeeping only. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

#define BYTES (8 << 20)
#define MARK 0x5a

static int fd;
static char *mapped;

static int setup(struct run *run)
{
    char mark = MARK;
    if (chdir(run->scratch) || (fd = open("map", O_CREAT | O_TRUNC | O_RDWR, 0600)) < 0)
        return bench_fail(run, "open");
    return pwrite(fd, &mark, 1, BYTES - 1) != 1 ? bench_fail(run, "make-file") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        mapped = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
        if (mapped == MAP_FAILED)
            return bench_fail(run, "mmap");
        if (munmap(mapped, BYTES))
            return bench_fail(run, "munmap");
    }
    return 0;
}

/* The last one is gone as a whole, since one more finds room in its place; that
 * one shows the file. */
static int check(struct run *run)
{
    int flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
    if (mmap(mapped, BYTES, PROT_READ, flags, fd, 0) != mapped)
        return bench_fail(run, "still-mapped");
    return mapped[BYTES - 1] != MARK ? bench_fail(run, "wrong-map") : 0;
}

static void teardown(struct run *run)
{
    (void)run;
    unlink("map");
}

BENCHMARK(mmap_latency, .metric = "us", .count = 10, .batches = 3, .setup = setup,
          .body = body, .check = check, .teardown = teardown);
