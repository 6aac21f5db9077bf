/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory copy by libc, the same source and destination again and again.
 * Cached: both fit and are warm. Uncached: far above the caches simulated. */
#include <string.h>

#include "bench.h"
#include "sizes.h"

static char *from, *to;

static int setup(struct run *run)
{
    from = page_buffer(run->bench->bytes);
    to = page_buffer(run->bench->bytes);
    fill_pattern(from, run->bench->bytes);
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    size_t bytes = run->bench->bytes;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(to, from, bytes);
        barrier();
    }
    return 0;
}

static int check(struct run *run)
{
    return memcmp(to, from, run->bench->bytes) ? bench_fail(run, "wrong-copy") : 0;
}

BENCHMARK(bcopy_cached, .metric = "MB/s", .bytes = 4096, .count = 40, .setup = setup,
          .body = body, .check = check);
BENCHMARK(bcopy_uncached, .metric = "MB/s", .bytes = UNCACHED_BYTES, .count = 1, .setup = setup,
          .body = body, .check = check);
