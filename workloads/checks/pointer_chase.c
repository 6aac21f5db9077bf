/* SPDX-License-Identifier: BSD-3-Clause */
/* Latency of dependent loads over a random cycle of 64-byte lines. */
#include "bench.h"

#define LINE_BYTES 64

struct line {
    struct line *next;
    char rest[LINE_BYTES - sizeof(struct line *)];
};

static struct line *lines, *place;
static uint32_t total;

/* A fixed generator, so that every machine chases the same cycle. */
static uint32_t random_below(uint32_t limit)
{
    static uint32_t state = 12345;
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * limit) >> 32);
}

/* Swapping each line's link with that of an earlier one gives a single cycle. */
static int setup(struct run *run)
{
    size_t bytes = run->working_set ? run->working_set : (size_t)run->bench->arg;
    total = (uint32_t)(bytes / LINE_BYTES);
    place = lines = page_buffer(bytes);
    for (uint32_t i = 0; i < total; i++)
        lines[i].next = &lines[i];
    for (uint32_t i = total - 1; i > 0; i--) {
        uint32_t j = random_below(i);
        struct line *kept = lines[i].next;
        lines[i].next = lines[j].next;
        lines[j].next = kept;
    }
    /* A batch does not go round an enlarged cycle: this leaves no line of the last ones here. */
    for (uint32_t i = 0; run->working_set > run->bench->uncached && i < total; i++)
        place = place->next;
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    (void)run;
    struct line *p = place;
    for (; count >= 10; count -= 10) {
        p = p->next->next->next->next->next;
        p = p->next->next->next->next->next;
    }
    while (count--)
        p = p->next;
    *(struct line *volatile *)&place = p;
    return 0;
}

static int check(struct run *run)
{
    uint32_t steps = 0;
    struct line *p = place;
    do {
        p = p->next;
        steps++;
    } while (p != place && steps <= total);
    return steps == total ? 0 : bench_fail(run, "not-one-cycle");
}

BENCHMARK(pointer_chase_l1, .metric = "ns", .count = 20000, .arg = 2048, .setup = setup,
          .body = body, .check = check);
BENCHMARK(pointer_chase_memory, .metric = "ns", .count = 2500, .uncached = 131072,
          .setup = setup, .body = body, .check = check);
