/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency as ramlat measures it: one load that waits for the last, or one of each of
 * eight chases at once. The chain is a binary count from the highest bit down: half of
 * the block on, a quarter of it, three quarters, an eighth. So every line is met
 * before a second word of any, and no load instruction sees a step twice in a row.
 * ramlat links words; the first word of each line, linked here, is the first eighth of
 * its cycle. */
#include <sys/mman.h>
#include <sys/prctl.h>

#include "bench.h"

#define PAGE 4096u
#define LINE 64u
#define CHASES 8
#define APART 512                            /* bytes between the starts of ramlat's eight */

static char *block;
static void **places[CHASES];
static uint64_t followed;                    /* loads of each chase */

static size_t after(size_t at, size_t bytes, size_t step)
{
    size_t bit = bytes / 2;
    for (; bit >= step && (at & bit); bit /= 2)
        at ^= bit;
    return bit >= step ? at | bit : 0;
}

/* Page by page in the order of the chase: a cache then holds the lines that come last,
 * as it does after a pass. */
static void link_lines(size_t bytes)
{
    size_t page = 0, next;
    do {
        next = after(page, bytes, PAGE);
        for (size_t at = 0; at < PAGE; at += LINE)
            *(char **)(block + page + at) = block + next + (next ? at : after(at, PAGE, LINE));
        page = next;
    } while (page);
}

/* Pages of 4 KiB also where the kernel would make larger ones. */
static int setup(struct run *run)
{
    size_t bytes = (size_t)run->bench->arg;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    block = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (block == MAP_FAILED)
        return bench_fail(run, "memory");
    link_lines(bytes);
    for (unsigned i = 0; i < CHASES; i++)
        places[i] = (void **)(block + i * APART);
    return 0;
}

/* As ramlat unrolls them. */
#define SIXTEEN(step) step step step step step step step step \
                      step step step step step step step step

static int body_1(struct run *run, uint64_t count)
{
    void **p = places[0];
    (void)run;
    followed += count;
    for (; count >= 16; count -= 16) {
        SIXTEEN(p = *p;)
    }
    while (count--)
        p = *p;
    places[0] = p;
    return 0;
}

#define EIGHT a = *a, b = *b, c = *c, d = *d, e = *e, f = *f, g = *g, h = *h;

static int body_8(struct run *run, uint64_t count)
{
    void **a = places[0], **b = places[1], **c = places[2], **d = places[3];
    void **e = places[4], **f = places[5], **g = places[6], **h = places[7];
    (void)run;
    followed += count;
    for (; count >= 16; count -= 16) {
        SIXTEEN(EIGHT)
    }
    while (count--) {
        EIGHT
    }
    places[0] = a, places[1] = b, places[2] = c, places[3] = d;
    places[4] = e, places[5] = f, places[6] = g, places[7] = h;
    return 0;
}

/* The bits of a number below `limit`, a power of two, in reverse. */
static size_t reversed(size_t number, size_t limit)
{
    size_t result = 0;
    for (; limit > 1; limit /= 2, number /= 2)
        result = 2 * result + number % 2;
    return result;
}

static int check_place(struct run *run, unsigned chase)
{
    size_t lines = (size_t)run->bench->arg / LINE, start = chase * APART / LINE;
    size_t line = reversed((reversed(start, lines) + followed) % lines, lines);
    return places[chase] == (void **)(block + line * LINE) ? 0 : bench_fail(run, "wrong-place");
}

static int check_1(struct run *run)
{
    return check_place(run, 0);
}

static int check_8(struct run *run)
{
    for (unsigned i = 0; i < CHASES; i++)
        if (check_place(run, i))
            return -1;
    return 0;
}

#define ONE(name, loads, bytes)                                             \
    BENCHMARK(name, .metric = "ns", .count = loads, .batches = 3, .arg = bytes, \
              .setup = setup, .body = body_1, .check = check_1)
#define AT_ONCE(name, loads, bytes)                                         \
    BENCHMARK(name, .metric = "ns", .count = loads, .batches = 3, .arg = bytes, \
              .setup = setup, .body = body_8, .check = check_8)

ONE(chase_16k, 20000, 16384);
ONE(chase_128k, 5000, 131072);
ONE(chase_512k, 5000, 524288);
ONE(chase_1m, 5000, 1048576);
ONE(chase_4m, 5000, 4194304);
ONE(chase_16m, 5000, 16777216);
AT_ONCE(chase8_128k, 1000, 131072);
AT_ONCE(chase8_16m, 1000, 16777216);
