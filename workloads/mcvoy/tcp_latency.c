/* SPDX-License-Identifier: BSD-3-Clause */
/* A byte to a server of our own and back, over one TCP connection of loopback. */
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"
#include "peer.h"
#include "pingpong.h"

static int server, client;

static void echo_bytes(long bytes)
{
    close(client);
    int connection = accept(server, NULL, NULL);
    pingpong_echo(connection, connection, (size_t)bytes);
}

static int setup(struct run *run)
{
    if (pin_to_one_cpu() || (server = loopback_server(SOCK_STREAM)) < 0 ||
        (client = loopback_client(SOCK_STREAM, server)) < 0)
        return bench_fail(run, "socket");
    pingpong_over(client);
    int failed = peer_start(echo_bytes, run->bench->arg, NULL);
    /* It is the server's now: should that die, the connection ends. */
    close(server);
    return failed ? bench_fail(run, "fork") : 0;
}

BENCHMARK(tcp_latency, .metric = "us", .count = 6, .batches = 3, .arg = 1, .setup = setup,
          .body = pingpong, .teardown = peer_stop);
