/* SPDX-License-Identifier: BSD-3-Clause */
/* libc's memcpy and memset of blocks that no cache holds, as tinymembench's "standard
 * memcpy" and "standard memset", whose blocks have 32 MiB. The working set is the filled
 * block, or both of the copy, which one count copies twice. Bytes are counted once. */
#include <string.h>
#include <sys/mman.h>

#include "bench.h"

#define BYTES 262144
#define LINE 64
#define VALUE 0x5a

static unsigned char *from, *to;
static size_t bytes;                         /* of a block */

/* Present pages of zeros; less work than page_buffer's. */
static unsigned char *make_block(void)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

/* What the line at `place` ends with: no other line does. */
static uint64_t mark_of(size_t place)
{
    return (place + LINE) * 0x9e3779b97f4a7c15u;
}

static int setup_copy(struct run *run)
{
    bytes = run->working_set / 2;
    if (!(from = make_block()) || !(to = make_block()))
        return bench_fail(run, "memory");
    for (size_t at = 0; at < bytes; at += LINE)
        *(uint64_t *)(from + at + LINE - sizeof(uint64_t)) = mark_of(at);
    return 0;
}

static int setup_fill(struct run *run)
{
    bytes = run->working_set;
    return (to = make_block()) ? 0 : bench_fail(run, "memory");
}

static int body_copy(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < 2 * count; i++) {
        memcpy(to, from, bytes);
        barrier();
    }
    return 0;
}

static int body_fill(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
        memset(to, VALUE, bytes);
        barrier();
    }
    return 0;
}

static int check_copy(struct run *run)
{
    for (size_t at = 0; at < bytes; at += LINE)
        if (*(uint64_t *)(to + at + LINE - sizeof(uint64_t)) != mark_of(at))
            return bench_fail(run, "wrong-copy");
    return 0;
}

static int check_fill(struct run *run)
{
    for (size_t at = 0; at < bytes; at += LINE)
        if (to[at] != VALUE || to[at + LINE - 1] != VALUE)
            return bench_fail(run, "wrong-data");
    return 0;
}

BENCHMARK(memcpy, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1, .batches = 2,
          .flags = BENCH_NO_WARM_UP, .setup = setup_copy, .body = body_copy, .check = check_copy);
BENCHMARK(memset, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1, .batches = 2,
          .flags = BENCH_NO_WARM_UP, .setup = setup_fill, .body = body_fill, .check = check_fill);
