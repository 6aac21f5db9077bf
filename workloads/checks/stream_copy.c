/* SPDX-License-Identifier: BSD-3-Clause */
/* Copy bandwidth by plain 64-bit loads and stores; bytes are counted once. */
#include <string.h>

#include "bench.h"

#define BYTES 262144

static uint64_t *from, *to;
static size_t bytes;

static int setup(struct run *run)
{
    bytes = run->working_set;
    from = page_buffer(bytes);
    to = page_buffer(bytes);
    fill_pattern(from, bytes);
    return 0;
}

static void copy_once(void)
{
    const uint64_t *a = from;
    uint64_t *b = to;
    for (const uint64_t *end = a + bytes / 8; a != end; a += 8, b += 8)
        copy_line(a, b);
}

static int body(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++)
        copy_once();
    return 0;
}

static int check(struct run *run)
{
    return memcmp(to, from, bytes) ? bench_fail(run, "wrong-copy") : 0;
}

BENCHMARK(stream_copy, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1,
          .setup = setup, .body = body, .check = check);
