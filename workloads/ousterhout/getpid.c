/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel entry and exit: the raw call, since a libc may cache the answer. */
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

static int body(struct run *run, uint64_t count)
{
    long self = getpid(), differs = 0;
    for (uint64_t i = 0; i < count; i++)
        differs |= syscall(SYS_getpid) ^ self;
    return differs ? bench_fail(run, "wrong-pid") : 0;
}

BENCHMARK(getpid, .metric = "us", .count = 400, .body = body);
