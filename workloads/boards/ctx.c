/* SPDX-License-Identifier: BSD-3-Clause */
/* Context switch of processes with data, as lmbench 3's lat_ctx -s does it: a token
 * goes round a ring of processes on one CPU, by pipes, and each sums an array of its
 * own before it passes the token on. One count is one hop. The hops of one process
 * through 96 pipes in turn, which sums one array, are the overhead, a benchmark of its
 * own (96 is the largest ring of lmbench's runs, which take all pipes for it):
 * ctx_N_SIZE less ctx_overhead_SIZE is the switch, and the analysis subtracts. */
#include <unistd.h>

#include "bench.h"
#include "peer.h"

#define MOST 96
#define BROKEN UINT32_MAX                    /* no token: a process of the ring is gone */
#define RING(members, kib) ((members) << 8 | (kib))
#define STEP 16                              /* words that are summed without a branch */

static int pipes[MOST][2];
static unsigned members;
static size_t words;
static uint64_t *array;

static int put(unsigned to, uint32_t token)
{
    return write(pipes[to][1], &token, sizeof token) != sizeof token;
}

static int get(unsigned self, uint32_t *token)
{
    return read(pipes[self][0], token, sizeof *token) != sizeof *token;
}

/* In pages of this process. A word of each step is 1, so that the sum shows that all
 * were read. */
static void make_array(void)
{
    array = page_buffer(words * sizeof *array);
    for (size_t i = 0; i < words; i += STEP)
        array[i] = 1;
}

/* 0, or -1 for a wrong sum. lat_ctx sums words of eight bytes too. */
static int sum_array(void)
{
    const uint64_t *end = array + words;
    uint64_t sum = 0;
    for (const uint64_t *p = array; p != end; p += STEP) {
        sum += p[0], sum += p[1], sum += p[2], sum += p[3];
        sum += p[4], sum += p[5], sum += p[6], sum += p[7];
        sum += p[8], sum += p[9], sum += p[10], sum += p[11];
        sum += p[12], sum += p[13], sum += p[14], sum += p[15];
    }
    return sum == words / STEP ? 0 : -1;
}

/* The token says how many hops are left; the last one goes home, so that any
 * number of hops can be asked for. */
static void pass_on(long which)
{
    unsigned self = (unsigned)which, next = (self + 1) % members;
    uint32_t token;
    make_array();
    while (!get(self, &token))
        if (sum_array() || put(token > 1 ? next : 0, token - 1))
            return;
}

static void break_ring(void)
{
    uint32_t broken = BROKEN;
    if (write(pipes[0][1], &broken, sizeof broken) < 0)
        _exit(1);
}

static int ring(struct run *run, uint64_t count)
{
    uint32_t left = (uint32_t)count, token;
    while (left) {
        /* One hop alone has no way but from here to here. */
        if (put(left > 1 ? 1 : 0, left - 1) || get(0, &token))
            return bench_fail(run, "pipe");
        if (token == BROKEN)
            return bench_fail(run, "ring-broke");
        left = left > members ? left - members : 0;
        if (token != left)
            return bench_fail(run, "wrong-token");
        if (sum_array())
            return bench_fail(run, "wrong-sum");
    }
    return 0;
}

static int alone(struct run *run, uint64_t count)
{
    static unsigned at;
    for (uint32_t left = (uint32_t)count; left; left--) {
        uint32_t token = ~left;
        if (put(at, left) || get(at, &token))
            return bench_fail(run, "pipe");
        if (token != left)
            return bench_fail(run, "wrong-token");
        if (sum_array())
            return bench_fail(run, "wrong-sum");
        at = at + 1 == members ? 0 : at + 1;
    }
    return 0;
}

static int setup_pipes(struct run *run)
{
    members = (unsigned)run->bench->arg >> 8;
    words = ((size_t)run->bench->arg & 0xff) * 1024 / sizeof *array;
    for (unsigned i = 0; i < members; i++)
        if (pipe(pipes[i]))
            return bench_fail(run, "pipe");
    return pin_to_one_cpu() ? bench_fail(run, "pin") : 0;
}

static int setup_alone(struct run *run)
{
    if (setup_pipes(run))
        return -1;
    make_array();
    return 0;
}

/* Once round, so that all have their arrays before anything is timed. */
static int setup_ring(struct run *run)
{
    if (setup_pipes(run))
        return -1;
    for (unsigned i = 1; i < members; i++)
        if (peer_start(pass_on, (long)i, break_ring))
            return bench_fail(run, "fork");
    make_array();
    return ring(run, members);
}

#define CTX(ring_of, kib, hops, times)                                      \
    BENCHMARK(ctx_##ring_of##_##kib##k, .metric = "us", .count = hops, .batches = times, \
              .arg = RING(ring_of, kib), .setup = setup_ring, .body = ring, \
              .teardown = peer_stop)
#define OVERHEAD(kib)                                                       \
    BENCHMARK(ctx_overhead_##kib##k, .metric = "us", .count = 8, .batches = 3, \
              .arg = RING(MOST, kib), .setup = setup_alone, .body = alone)

CTX(2, 16, 8, 3);
CTX(2, 64, 8, 3);
CTX(8, 16, 8, 3);
CTX(8, 64, 8, 3);
CTX(16, 16, 16, 2);
CTX(16, 64, 16, 2);
OVERHEAD(16);
OVERHEAD(64);
