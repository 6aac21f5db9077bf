/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency of dependent loads: a chain of pointers in steps of 128 bytes, round
 * and round a block that fits the first cache, a second one (128 KiB), or none. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "bench.h"

#define STRIDE 128

static char *block, *place;
static uint64_t links, at;                   /* place is link number `at` */

/* A real machine's prefetcher learns the step of each load instruction: of a hundred
 * in a row it is larger than a page, and none follows. No machine simulated has one. */
#define FIVE p = *(char **)p, p = *(char **)p, p = *(char **)p, p = *(char **)p, p = *(char **)p;
#define TEN FIVE FIVE
#ifdef OSGAP_NATIVE
#define UNROLLED 100
#define LOADS TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#else
#define UNROLLED 10
#define LOADS TEN
#endif

static char *follow(char *p, uint64_t loads)
{
    for (; loads >= UNROLLED; loads -= UNROLLED) {
        LOADS
    }
    while (loads--)
        p = *(char **)p;
    return p;
}

/* The chain, and one pass over it, which leaves the caches warm. */
static int setup(struct run *run)
{
    size_t bytes = run->working_set ? run->working_set : (size_t)run->bench->arg;
    links = bytes / STRIDE;
    block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (block == MAP_FAILED)
        return bench_fail(run, "memory");
    for (uint64_t i = 0; i < links; i++)
        *(char **)(block + i * STRIDE) = block + (i + 1) % links * STRIDE;
    place = follow(block, links);
    return place == block ? 0 : bench_fail(run, "not-one-cycle");
}

static int body(struct run *run, uint64_t count)
{
    place = follow(place, count);
    at = (at + count) % links;
    return place == block + at * STRIDE ? 0 : bench_fail(run, "wrong-place");
}

/* arg: the block's bytes, where a cache holds it */
BENCHMARK(latency_l1, .metric = "ns", .count = 5000, .batches = 3, .arg = 4096,
          .setup = setup, .body = body);
BENCHMARK(latency_l2, .metric = "ns", .count = 5000, .batches = 3, .arg = 131072,
          .setup = setup, .body = body);
BENCHMARK(latency_memory, .metric = "ns", .count = 5000, .batches = 3, .uncached = 1048576,
          .setup = setup, .body = body);
