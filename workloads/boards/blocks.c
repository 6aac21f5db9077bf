/* SPDX-License-Identifier: BSD-3-Clause */
/* libc's memcpy and memset of blocks that no cache holds, as tinymembench's "standard
 * memcpy" and "standard memset", whose blocks have 32 MiB. Bytes are counted once. */
#include <string.h>

#include "bench.h"
#include "pieces.h"

#define BYTES 262144
#define VALUE 0x5a

static unsigned char *from, *to;
static size_t bytes;

static int setup_copy(struct run *run)
{
    uint32_t sum;
    bytes = run->working_set;
    from = (unsigned char *)words_make(bytes, &sum);
    to = page_buffer(bytes);
    return 0;
}

static int setup_fill(struct run *run)
{
    bytes = run->working_set;
    to = page_buffer(bytes);
    return 0;
}

static int body_copy(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
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
    return memcmp(to, from, bytes) ? bench_fail(run, "wrong-copy") : 0;
}

/* Each byte is the next one. */
static int check_fill(struct run *run)
{
    return to[0] != VALUE || memcmp(to, to + 1, bytes - 1) ? bench_fail(run, "wrong-data") : 0;
}

BENCHMARK(memcpy, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1,
          .batches = 2, .setup = setup_copy, .body = body_copy, .check = check_copy);
BENCHMARK(memset, .metric = "MB/s", .bytes = BYTES, .uncached = BYTES, .count = 1,
          .batches = 2, .setup = setup_fill, .body = body_fill, .check = check_fill);
