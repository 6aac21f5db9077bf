/* SPDX-License-Identifier: BSD-3-Clause */
/* One process writes 512 bytes into a pipe and reads them out again: no switch. */
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define BYTES 512

static uint64_t out[BYTES / 8], in[BYTES / 8];
static int ends[2];

static int setup(struct run *run)
{
    fill_pattern(out, BYTES);
    return pipe(ends) ? bench_fail(run, "pipe") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        out[0] = i;
        if (write(ends[1], out, BYTES) != BYTES || read(ends[0], in, BYTES) != BYTES)
            return bench_fail(run, "pipe");
        if (in[0] != i)
            return bench_fail(run, "wrong-data");
    }
    return 0;
}

static int check(struct run *run)
{
    return memcmp(in, out, BYTES) ? bench_fail(run, "wrong-data") : 0;
}

BENCHMARK(pipe_throughput, .metric = "us", .count = 60, .batches = 3, .flags = BENCH_MODES,
          .setup = setup, .body = body, .check = check);
