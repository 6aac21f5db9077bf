/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory, twice the largest cache or more, read (and summed) or written
 * integer by integer, unrolled. */
#include "bench.h"
#include "pieces.h"

#define BYTES 524288
#define VALUE 0x9e3779b9u

static uint64_t *block;
static size_t bytes;
static uint32_t expected;

static int setup(struct run *run)
{
    bytes = run->working_set;
    block = words_make(bytes, &expected);
    return 0;
}

static int body_read(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (sum_ints(block, bytes) != expected)
            return bench_fail(run, "wrong-sum");
        barrier();
    }
    return 0;
}

/* Volatile, so that the compiler stores no wider and calls no memset. */
static int body_write(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
        volatile uint32_t *p = (uint32_t *)block, *end = p + bytes / sizeof *p;
        for (; p != end; p += 16) {
            p[0] = VALUE, p[1] = VALUE, p[2] = VALUE, p[3] = VALUE;
            p[4] = VALUE, p[5] = VALUE, p[6] = VALUE, p[7] = VALUE;
            p[8] = VALUE, p[9] = VALUE, p[10] = VALUE, p[11] = VALUE;
            p[12] = VALUE, p[13] = VALUE, p[14] = VALUE, p[15] = VALUE;
        }
    }
    return 0;
}

static int check_written(struct run *run)
{
    uint64_t pair = (uint64_t)VALUE << 32 | VALUE, differs = 0;
    barrier();
    for (size_t i = 0; i < bytes / sizeof pair; i++)
        differs |= block[i] ^ pair;
    return differs ? bench_fail(run, "wrong-data") : 0;
}

BENCHMARK(memory_read, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1,
          .batches = 2, .flags = BENCH_NO_WARM_UP, .setup = setup, .body = body_read);
BENCHMARK(memory_write, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1,
          .batches = 2, .flags = BENCH_NO_WARM_UP, .setup = setup, .body = body_write,
          .check = check_written);
