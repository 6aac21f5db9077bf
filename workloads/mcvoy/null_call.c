/* SPDX-License-Identifier: BSD-3-Clause */
/* A system call that does something: write one byte to /dev/null. */
#include <fcntl.h>
#include <unistd.h>

#include "bench.h"

static int null;

static int setup(struct run *run)
{
    null = open("/dev/null", O_WRONLY);
    return null < 0 ? bench_fail(run, "no-dev-null") : 0;
}

static int body(struct run *run, uint64_t count)
{
    char byte = 0;
    for (uint64_t i = 0; i < count; i++)
        if (write(null, &byte, 1) != 1)
            return bench_fail(run, "short-write");
    return 0;
}

BENCHMARK(null_call, .metric = "us", .count = 200, .batches = 3, .setup = setup, .body = body);
