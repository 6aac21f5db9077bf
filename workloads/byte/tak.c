/* SPDX-License-Identifier: BSD-3-Clause */
/* Takeuchi's function of 18, 12 and 6, as Gabriel gives it: 63,609 calls. */
#include "bench.h"

#define ANSWER 7

static volatile int start_x = 18, start_y = 12, start_z = 6;

static int tak(int x, int y, int z)
{
    if (y >= x)
        return z;
    return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y));
}

static int body(struct run *run, uint64_t count)
{
    int differs = 0;
    for (uint64_t i = 0; i < count; i++)
        differs |= tak(start_x, start_y, start_z) != ANSWER;
    return differs ? bench_fail(run, "wrong-answer") : 0;
}

BENCHMARK(tak, .metric = "ms", .count = 1, .batches = 2, .flags = BENCH_NO_WARM_UP | BENCH_MODES,
          .body = body);
