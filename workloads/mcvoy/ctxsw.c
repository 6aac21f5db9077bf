/* SPDX-License-Identifier: BSD-3-Clause */
/* Context switch: a token goes round a ring of processes on one CPU, by pipes.
 * One count is one hop: a write, a switch and a read. The same hops of one
 * process, which only writes and reads, are the overhead, a benchmark of its
 * own: ctxsw_N less ctxsw_overhead_N is the switch, and the analysis subtracts. */
#include <unistd.h>

#include "bench.h"
#include "peer.h"

#define MOST 8
#define BROKEN UINT32_MAX                    /* no token: a process of the ring is gone */

static int pipes[MOST][2];
static unsigned members;

static int put(unsigned to, uint32_t token)
{
    return write(pipes[to][1], &token, sizeof token) != sizeof token;
}

static int get(unsigned self, uint32_t *token)
{
    return read(pipes[self][0], token, sizeof *token) != sizeof *token;
}

/* The token says how many hops are left; the last one goes home, so that any
 * number of hops can be asked for. */
static void pass_on(long which)
{
    unsigned self = (unsigned)which, next = (self + 1) % members;
    uint32_t token;
    while (!get(self, &token))
        if (put(token > 1 ? next : 0, token - 1))
            return;
}

static void break_ring(void)
{
    uint32_t broken = BROKEN;
    if (write(pipes[0][1], &broken, sizeof broken) < 0)
        _exit(1);
}

static int setup_pipes(struct run *run)
{
    members = (unsigned)run->bench->arg;
    for (unsigned i = 0; i < members; i++)
        if (pipe(pipes[i]))
            return bench_fail(run, "pipe");
    return pin_to_one_cpu() ? bench_fail(run, "pin") : 0;
}

static int setup_ring(struct run *run)
{
    if (setup_pipes(run))
        return -1;
    for (unsigned i = 1; i < members; i++)
        if (peer_start(pass_on, (long)i, break_ring))
            return bench_fail(run, "fork");
    return 0;
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
    }
    return 0;
}

static int alone(struct run *run, uint64_t count)
{
    unsigned at = 0;
    for (uint32_t left = (uint32_t)count; left; left--) {
        uint32_t token = ~left;
        if (put(at, left) || get(at, &token))
            return bench_fail(run, "pipe");
        if (token != left)
            return bench_fail(run, "wrong-token");
        at = at + 1 == members ? 0 : at + 1;
    }
    return 0;
}

/* arg: how many processes, or pipes of the one */
BENCHMARK(ctxsw_2, .metric = "us", .count = 24, .batches = 4, .arg = 2, .setup = setup_ring, .body = ring,
          .teardown = peer_stop);
BENCHMARK(ctxsw_8, .metric = "us", .count = 24, .batches = 4, .arg = 8, .setup = setup_ring, .body = ring,
          .teardown = peer_stop);
BENCHMARK(ctxsw_overhead_2, .metric = "us", .count = 24, .batches = 4, .arg = 2, .setup = setup_pipes,
          .body = alone);
BENCHMARK(ctxsw_overhead_8, .metric = "us", .count = 24, .batches = 4, .arg = 8, .setup = setup_pipes,
          .body = alone);
