/* SPDX-License-Identifier: BSD-3-Clause */
/* A byte to a server of our own and back, over one TCP connection of loopback. */
#include <sys/socket.h>

#include "bench.h"
#include "peer.h"
#include "pingpong.h"

static int setup(struct run *run)
{
    return pingpong_loopback(run, SOCK_STREAM, pingpong_echo);
}

BENCHMARK(tcp_latency, .metric = "us", .count = 6, .batches = 3, .arg = 1, .setup = setup,
          .body = pingpong, .teardown = peer_stop);
