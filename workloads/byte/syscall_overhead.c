/* SPDX-License-Identifier: BSD-3-Clause */
/* Five system calls that do next to nothing: dup, close, getpid, getuid, umask.
 * One count is all five. */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#define MASK 022

static long copied, process, user;

/* What each call must answer, from calls that are not timed. */
static int setup(struct run *run)
{
    copied = dup(STDIN_FILENO);
    process = getpid();
    user = getuid();
    umask(MASK);
    return copied < 0 || close((int)copied) ? bench_fail(run, "dup") : 0;
}

static int body(struct run *run, uint64_t count)
{
    long differs = 0;
    for (uint64_t i = 0; i < count; i++) {
        long fd = dup(STDIN_FILENO);
        differs |= fd ^ copied;
        differs |= close((int)fd);
        differs |= syscall(SYS_getpid) ^ process;
        differs |= syscall(SYS_getuid) ^ user;
        differs |= umask(MASK) ^ MASK;
    }
    return differs ? bench_fail(run, "wrong-answer") : 0;
}

BENCHMARK(syscall_overhead, .metric = "us", .count = 100, .batches = 3, .flags = BENCH_MODES,
          .setup = setup, .body = body);
