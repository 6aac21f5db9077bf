/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes on one CPU pass a token through two pipes; one count is a round
 * trip, that is two switches. context1: an integer that both of them check. pt:
 * Raveling's own test of context switching, whose source is lost; reconstructed as
 * one byte, passed back unseen. */
#include <unistd.h>

#include "bench.h"
#include "peer.h"
#include "pingpong.h"

/* An integer out of its turn ends the partner, and so fails the other side's read. */
static void answer_integers(int from, int to, size_t bytes)
{
    uint32_t token;
    for (uint32_t expected = 0; read(from, &token, bytes) == (ssize_t)bytes; expected++)
        if (token != expected || write(to, &token, bytes) != (ssize_t)bytes)
            return;
}

static int setup_pt(struct run *run)
{
    return pingpong_pipes(run, pingpong_echo);
}

static int setup_context1(struct run *run)
{
    return pingpong_pipes(run, answer_integers);
}

BENCHMARK(pt, .metric = "us", .count = 40, .batches = 3, .flags = BENCH_MODES, .arg = 1,
          .setup = setup_pt, .body = pingpong, .teardown = peer_stop);
BENCHMARK(context1, .metric = "us", .count = 40, .batches = 3, .flags = BENCH_MODES, .arg = 4,
          .setup = setup_context1, .body = pingpong, .teardown = peer_stop);
