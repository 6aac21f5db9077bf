/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that becomes itself again and again, the count of times left in its
 * arguments: disk-images/programs/execl.c, a small static one, as the runner with
 * all its benchmarks would be. One count is one exec; a batch adds one vfork. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

static const char *program;

static int setup(struct run *run)
{
    const char *given = getenv("OSGAP_EXECL");
    program = given ? given : "/lib/byte/execl";
    return access(program, X_OK) ? bench_fail(run, "no-execl-program") : 0;
}

/* The last program's exit status tells how many there were. */
static int body(struct run *run, uint64_t count)
{
    char left[24];
    snprintf(left, sizeof left, "%llu", (unsigned long long)(count - 1));
    int status = run_process((char *[]){(char *)program, left, "1", NULL});
    return status == (int)(count & 127) ? 0 : bench_fail(run, "wrong-count");
}

BENCHMARK(execl, .metric = "ms", .count = 4, .batches = 2, .flags = BENCH_MODES, .setup = setup,
          .body = body);
