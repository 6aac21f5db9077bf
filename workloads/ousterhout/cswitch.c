/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes on one CPU echo a byte through two pipes. One count is a round
 * trip: two switches, and one read and one write in each process. */
#include "bench.h"
#include "peer.h"
#include "pingpong.h"

static int setup(struct run *run)
{
    return pingpong_pipes(run, pingpong_echo);
}

BENCHMARK(cswitch, .metric = "ms", .count = 40, .arg = 1, .setup = setup, .body = pingpong,
          .teardown = peer_stop);
