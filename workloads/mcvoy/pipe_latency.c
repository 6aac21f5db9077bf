/* SPDX-License-Identifier: BSD-3-Clause */
/* A byte to another process by one pipe and back by another: one round trip. */
#include "bench.h"
#include "peer.h"
#include "pingpong.h"

static int setup(struct run *run)
{
    return pingpong_pipes(run, pingpong_echo);
}

BENCHMARK(pipe_latency, .metric = "us", .count = 12, .batches = 3, .arg = 1, .setup = setup,
          .body = pingpong, .teardown = peer_stop);
