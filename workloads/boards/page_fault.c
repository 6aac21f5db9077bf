/* SPDX-License-Identifier: BSD-3-Clause */
/* Meet a page of a mapped file for the first time, as lmbench 3's lat_pagefault does:
 * the pages of a file in the page cache, in a random order, and after each pass a new
 * mapping. What the mappings take without the pages is a benchmark of its own, and the
 * analysis subtracts it. The file has 1 MiB, lat_pagefault's least; published runs take
 * half of the memory. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

#define PAGE 4096
#define PAGES 256

static uint16_t order[PAGES];
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
    for (unsigned i = 0; i < PAGES; i++) {
        unsigned other = random_below(i + 1);
        order[i] = order[other];
        order[other] = (uint16_t)i;
    }
}

static int map(void)
{
    void *start = mmap(NULL, PAGES * PAGE, PROT_READ, MAP_SHARED, fd, 0);
    mapped = start;
    met = 0;
    return start == MAP_FAILED || msync(start, PAGES * PAGE, MS_INVALIDATE);
}

/* The first byte of a page says which of 256 it is. */
static int setup(struct run *run)
{
    if (chdir(run->scratch) || (fd = open("pages", O_CREAT | O_TRUNC | O_RDWR, 0600)) < 0 ||
        ftruncate(fd, PAGES * PAGE))
        return bench_fail(run, "open");
    for (unsigned i = 0; i < PAGES; i++) {
        char number = (char)i;
        if (pwrite(fd, &number, 1, i * PAGE) != 1)
            return bench_fail(run, "make-file");
    }
    shuffle();
    return map() ? bench_fail(run, "mmap") : 0;
}

static int map_anew(struct run *run)
{
    return munmap((void *)mapped, PAGES * PAGE) || map() ? bench_fail(run, "mmap") : 0;
}

/* arg: whether the pages are met */
static int body(struct run *run, uint64_t count)
{
    int meets = (int)run->bench->arg;
    for (uint64_t i = 0; i < count; i++) {
        unsigned page = order[met];
        if (meets && mapped[page * PAGE] != (char)page)
            return bench_fail(run, "wrong-page");
        if (++met == PAGES && map_anew(run))
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
BENCHMARK(page_fault, .metric = "us", .count = PAGES, .batches = 3, .arg = 1, .setup = setup,
          .before = before, .body = body, .teardown = teardown);
BENCHMARK(page_fault_overhead, .metric = "us", .count = PAGES, .batches = 3, .arg = 0,
          .setup = setup, .before = before, .body = body, .teardown = teardown);
