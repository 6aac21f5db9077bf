/* SPDX-License-Identifier: BSD-3-Clause */
/* Copy bandwidth of N processes at once, each pinned to a CPU of its own: what
 * the harts share must not grow with their number. Bytes are counted once. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* Twice this is more than a last cache holds: every pass goes to memory. */
#define BYTES 524288
#define MOST 8

static int go[MOST][2], done[2];

static void copy_once(const uint64_t *a, uint64_t *b)
{
    for (const uint64_t *end = a + BYTES / 8; a != end; a += 8, b += 8)
        copy_line(a, b);
}

/* Makes the passes that it is told, or compares when told none; says 'y' when
 * that went well on its own CPU. */
static void copier(int cpu)
{
    uint64_t passes, *from = page_buffer(BYTES), *to = page_buffer(BYTES);
    fill_pattern(from, BYTES);
    while (read(go[cpu][0], &passes, sizeof passes) == sizeof passes) {
        for (uint64_t i = 0; i < passes; i++)
            copy_once(from, to);
        int right = sched_getcpu() == cpu && (passes || !memcmp(to, from, BYTES));
        if (write(done[1], right ? "y" : "n", 1) != 1)
            break;
    }
    _exit(0);
}

static int start(int cpu)
{
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cpu, &own);
    if (pipe(go[cpu]))
        return -1;
    pid_t pid = fork();
    if (pid == 0 && (sched_setaffinity(0, sizeof own, &own) || close(go[cpu][1])))
        _exit(1);
    if (pid == 0)
        copier(cpu);
    return pid < 0 || close(go[cpu][0]) ? -1 : 0;
}

static int setup(struct run *run)
{
    if (sysconf(_SC_NPROCESSORS_ONLN) < run->bench->arg)
        return bench_fail(run, "too-few-cpus");
    if (pipe(done))
        return bench_fail(run, "pipe");
    for (int cpu = 0; cpu < run->bench->arg; cpu++)
        if (start(cpu))
            return bench_fail(run, "fork");
    return close(done[1]);
}

static int body(struct run *run, uint64_t count)
{
    for (long cpu = 0; cpu < run->bench->arg; cpu++)
        if (write(go[cpu][1], &count, sizeof count) != sizeof count)
            return bench_fail(run, "write");
    for (long left = run->bench->arg; left; left--) {
        char answer;
        if (read(done[0], &answer, 1) != 1 || answer != 'y')
            return bench_fail(run, "wrong-copy-or-cpu");
    }
    return 0;
}

static int check(struct run *run)
{
    return body(run, 0);
}

static void teardown(struct run *run)
{
    for (long cpu = 0; cpu < run->bench->arg; cpu++)
        close(go[cpu][1]);
    while (wait(NULL) > 0)
        ;
}

#define SHARE(n)                                                            \
    BENCHMARK(stream_share_##n, .metric = "MB/s", .bytes = n * BYTES,       \
              .count = 2, .batches = 3, .arg = n, .setup = setup, .body = body,  \
              .check = check, .teardown = teardown)

SHARE(1);
SHARE(2);
SHARE(4);
SHARE(8);
