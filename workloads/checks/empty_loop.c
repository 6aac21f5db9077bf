/* SPDX-License-Identifier: BSD-3-Clause */
/* What the counting loop of every body costs, for the host to subtract. */
#include "bench.h"

static int body(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++)
        barrier();
    return 0;
}

BENCHMARK(empty_loop, .metric = "ns", .count = 20000, .body = body);
