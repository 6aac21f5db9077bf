/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptor scan: read ends of pipes, zero timeout, nothing is ever drained. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/select.h>
#include <unistd.h>

#include "bench.h"

#define FULL 4096                            /* the smallest pipe there is */

static fd_set watched;
static int highest, expected;

static int setup_pipe(int full)
{
    static char bytes[FULL];
    int ends[2];
    if (pipe(ends))
        return -1;
    FD_SET(ends[0], &watched);
    highest = ends[1];
    expected += full;
    if (!full)
        return 0;
    return fcntl(ends[1], F_SETPIPE_SZ, FULL) != FULL || write_all(ends[1], bytes, FULL);
}

static int setup(struct run *run)
{
    long pipes = run->bench->arg < 0 ? -run->bench->arg : run->bench->arg;
    for (long i = 0; i < pipes; i++)
        if (setup_pipe(run->bench->arg < 0))
            return bench_fail(run, "pipe");
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        fd_set set = watched;
        struct timeval zero = {0, 0};
        if (select(highest + 1, &set, NULL, NULL, &zero) != expected)
            return bench_fail(run, "wrong-ready");
    }
    return 0;
}

/* arg: how many pipes; negative when they are full */
BENCHMARK(select_1, .metric = "us", .count = 40, .arg = 1, .setup = setup, .body = body);
BENCHMARK(select_10_empty, .metric = "us", .count = 40, .arg = 10, .setup = setup, .body = body);
BENCHMARK(select_10_full, .metric = "us", .count = 40, .arg = -10, .setup = setup, .body = body);
