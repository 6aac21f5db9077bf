/* SPDX-License-Identifier: BSD-3-Clause */
/* The tower of Hanoi with 10 disks, recursive; one count moves the whole tower. */
#include "bench.h"

#define DISKS 10
#define PEGS 3

static volatile int start_disks = DISKS;
static int height[PEGS], moves;

static void move(int disks, int from, int to)
{
    int other = PEGS - from - to;
    if (disks == 1) {
        height[from]--;
        height[to]++;
        moves++;
        return;
    }
    move(disks - 1, from, other);
    move(1, from, to);
    move(disks - 1, other, to);
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        height[0] = DISKS;
        height[1] = height[2] = moves = 0;
        move(start_disks, 0, 2);
        if (height[0] || height[1] || height[2] != DISKS || moves != (1 << DISKS) - 1)
            return bench_fail(run, "wrong-tower");
    }
    return 0;
}

BENCHMARK(hanoi, .metric = "us", .count = 5, .batches = 3, .flags = BENCH_NO_WARM_UP | BENCH_MODES,
          .body = body);
