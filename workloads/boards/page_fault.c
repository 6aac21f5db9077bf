/* SPDX-License-Identifier: BSD-3-Clause */
/* Meet a page of a mapped file for the first time, as lmbench 3's lat_pagefault does:
 * the pages of a file in the page cache, in a random order, and after each pass a new
 * mapping. What the mappings take without the pages is a benchmark of its own, and the
 * analysis subtracts it. The file has 1 MiB, lat_pagefault's least, or 4 MiB, whose page
 * descriptors are more than a first cache of 32 KiB holds; published runs take 70 % of the
 * memory if the default was taken. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

#define PAGE 4096
#define PAGES 256
#define MANY_PAGES 1024
#define PIECE 8192                           /* of lmdd, which writes the file there */
#define MEETS 1                              /* in arg, beside the number of pages */

static uint16_t order[MANY_PAGES];
static unsigned pages;
static volatile char *mapped;
static unsigned met;                         /* of this mapping */
static int fd;

/* A fixed generator, so that every machine meets them in the same order. */
static unsigned random_below(unsigned limit)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)state * limit) >> 32);
}

static void shuffle(void)
{
    for (unsigned i = 0; i < pages; i++) {
        unsigned other = random_below(i + 1);
        order[i] = order[other];
        order[other] = (uint16_t)i;
    }
}

static int map(void)
{
    void *start = mmap(NULL, pages * PAGE, PROT_READ, MAP_SHARED, fd, 0);
    mapped = start;
    met = 0;
    return start == MAP_FAILED || msync(start, pages * PAGE, MS_INVALIDATE);
}

/* Some kernels keep what is written at once in one piece, and map it at once. The first
 * byte of a page says which of 256 it is. */
static int make_pages(void)
{
    static char piece[PIECE];
    for (unsigned page = 0; page < pages;) {
        for (unsigned at = 0; at < PIECE; at += PAGE)
            piece[at] = (char)page++;
        if (write_all(fd, piece, PIECE))
            return -1;
    }
    return 0;
}

static int setup(struct run *run)
{
    pages = (unsigned)run->bench->arg & ~MEETS;
    if (chdir(run->scratch) || (fd = open("pages", O_CREAT | O_TRUNC | O_RDWR, 0600)) < 0)
        return bench_fail(run, "open");
    if (make_pages())
        return bench_fail(run, "make-file");
    shuffle();
    return map() ? bench_fail(run, "mmap") : 0;
}

static int map_anew(struct run *run)
{
    return munmap((void *)mapped, pages * PAGE) || map() ? bench_fail(run, "mmap") : 0;
}

static int body(struct run *run, uint64_t count)
{
    int meets = run->bench->arg & MEETS;
    for (uint64_t i = 0; i < count; i++) {
        unsigned page = order[met];
        if (meets && mapped[page * PAGE] != (char)page)
            return bench_fail(run, "wrong-page");
        if (++met == pages && map_anew(run))
            return -1;
    }
    return 0;
}

static int before(struct run *run)
{
    return map_anew(run);
}

static void teardown(struct run *run)
{
    scrub(run->scratch);
}

/* One count is a page. */
BENCHMARK(page_fault, .metric = "us", .count = PAGES, .batches = 3, .arg = PAGES | MEETS,
          .setup = setup, .before = before, .body = body, .teardown = teardown);
BENCHMARK(page_fault_overhead, .metric = "us", .count = PAGES, .batches = 3, .arg = PAGES,
          .setup = setup, .before = before, .body = body, .teardown = teardown);
BENCHMARK(page_fault_4m, .metric = "us", .count = MANY_PAGES, .batches = 2,
          .arg = MANY_PAGES | MEETS, .setup = setup, .before = before, .body = body,
          .teardown = teardown);
BENCHMARK(page_fault_overhead_4m, .metric = "us", .count = MANY_PAGES, .batches = 2,
          .arg = MANY_PAGES, .setup = setup, .before = before, .body = body,
          .teardown = teardown);
