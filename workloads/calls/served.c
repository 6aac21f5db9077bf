/* SPDX-License-Identifier: BSD-3-Clause */
/* The server of reflected calls must have seen each call of a known mix, whether
 * it answered it or not; of direct calls it must have seen none. */
#include <sys/syscall.h>
#include <unistd.h>

#include "runner.h"

#define MIX 6
#define PROGRAM_CALLS 30

static int ends[2];
static uint64_t before, made;

static int setup(struct run *run)
{
    return pipe(ends) ? bench_fail(run, "pipe") : 0;
}

static int body(struct run *run, uint64_t count)
{
    char byte = 'x';
    before = reflect_served();
    made = count * MIX;
    for (uint64_t i = 0; i < count; i++) {
        long failed = syscall(SYS_getpid) != getpid();
        failed |= syscall(SYS_getppid) <= 0 || syscall(SYS_sched_yield);
        failed |= write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1;
        if (failed)
            return bench_fail(run, "wrong-result");
    }
    uint64_t seen = reflect_served() - before;
    return seen != (reflect_active() ? made : 0) ? bench_fail(run, "wrong-number") : 0;
}

/* A program that the process becomes is reflected too: its start alone makes more
 * calls than the fork, the exec and the waiting do. */
static int body_exec(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        before = reflect_served();
        uint64_t all = reflect_served_all();
        if (run_process((char *[]){"/bin/sh", "-c", "echo $(echo)", NULL}))
            return bench_fail(run, "shell");
        uint64_t others = reflect_served_all() - all - (reflect_served() - before);
        if (reflect_active() ? others < PROGRAM_CALLS : others != 0)
            return bench_fail(run, "wrong-number");
    }
    return 0;
}

BENCHMARK(served_exec, .metric = "ms", .count = 1, .batches = 2, .body = body_exec);
BENCHMARK(served, .metric = "us", .count = 20, .batches = 2, .setup = setup, .body = body);
