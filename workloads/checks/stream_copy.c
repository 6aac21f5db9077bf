/* SPDX-License-Identifier: BSD-3-Clause */
/* Copy bandwidth by plain 64-bit loads and stores; bytes are counted once. */
#include <string.h>

#include "bench.h"

#define BYTES 262144

static uint64_t *from, *to;

static int setup(struct run *run)
{
    (void)run;
    from = page_buffer(BYTES);
    to = page_buffer(BYTES);
    fill_pattern(from, BYTES);
    return 0;
}

/* The barrier keeps the compiler from making a call of memcpy out of this. */
static void copy_once(void)
{
    const uint64_t *a = from;
    uint64_t *b = to;
    for (const uint64_t *end = a + BYTES / 8; a != end; a += 8, b += 8) {
        uint64_t r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3];
        uint64_t r4 = a[4], r5 = a[5], r6 = a[6], r7 = a[7];
        b[0] = r0, b[1] = r1, b[2] = r2, b[3] = r3;
        b[4] = r4, b[5] = r5, b[6] = r6, b[7] = r7;
        barrier();
    }
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
    return memcmp(to, from, BYTES) ? bench_fail(run, "wrong-copy") : 0;
}

BENCHMARK(stream_copy, .metric = "MB/s", .bytes = BYTES, .count = 1, .setup = setup,
          .body = body, .check = check);
