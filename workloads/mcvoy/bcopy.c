/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory copy by libc and by hand: unrolled loads and stores of eight aligned
 * bytes. Source and destination together are twice the largest cache that is
 * simulated. Bytes are counted once. */
#include <string.h>

#include "bench.h"
#include "pieces.h"

#define BYTES 262144

static uint64_t *from, *to;

static int setup(struct run *run)
{
    uint32_t sum;
    (void)run;
    from = words_make(BYTES, &sum);
    to = page_buffer(BYTES);
    return 0;
}

static int body_libc(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(to, from, BYTES);
        barrier();
    }
    return 0;
}

/* The barrier keeps the compiler from making a call of memcpy out of this. */
static int body_hand(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *a = from;
        uint64_t *b = to;
        for (const uint64_t *end = a + BYTES / sizeof *a; a != end; a += 8, b += 8) {
            uint64_t w0 = a[0], w1 = a[1], w2 = a[2], w3 = a[3];
            uint64_t w4 = a[4], w5 = a[5], w6 = a[6], w7 = a[7];
            b[0] = w0, b[1] = w1, b[2] = w2, b[3] = w3;
            b[4] = w4, b[5] = w5, b[6] = w6, b[7] = w7;
            barrier();
        }
    }
    return 0;
}

static int check(struct run *run)
{
    return memcmp(to, from, BYTES) ? bench_fail(run, "wrong-copy") : 0;
}

BENCHMARK(bcopy_libc, .metric = "MB/s", .bytes = BYTES, .count = 1, .batches = 2,
          .flags = BENCH_NO_WARM_UP, .setup = setup, .body = body_libc, .check = check);
BENCHMARK(bcopy_hand, .metric = "MB/s", .bytes = BYTES, .count = 1, .batches = 2,
          .flags = BENCH_NO_WARM_UP, .setup = setup, .body = body_hand, .check = check);
