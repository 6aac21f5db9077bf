/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory copy by libc, the same source and destination again and again.
 * Cached: both fit and are warm. Uncached: more than the caches hold. */
#include <string.h>

#include "bench.h"

#define BYTES 131072

static char *from, *to;
static size_t total;

static int setup(struct run *run)
{
    total = run->working_set ? run->working_set : run->bench->bytes;
    from = page_buffer(total);
    to = page_buffer(total);
    fill_pattern(from, total);
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    (void)run;
    size_t bytes = total;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(to, from, bytes);
        barrier();
    }
    return 0;
}

static int check(struct run *run)
{
    return memcmp(to, from, total) ? bench_fail(run, "wrong-copy") : 0;
}

BENCHMARK(bcopy_cached, .metric = "MB/s", .bytes = 4096, .count = 40, .setup = setup,
          .body = body, .check = check);
BENCHMARK(bcopy_uncached, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1,
          .setup = setup, .body = body, .check = check);
