/* SPDX-License-Identifier: BSD-3-Clause */
/* A byte to a server of our own and back, over one TCP connection of loopback. */
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"
#include "peer.h"

static int server, client;

static void echo_bytes(long which)
{
    char token;
    (void)which;
    close(client);
    int connection = accept(server, NULL, NULL);
    while (read(connection, &token, 1) == 1 && write(connection, &token, 1) == 1)
        ;
}

static int setup(struct run *run)
{
    if (pin_to_one_cpu() || (server = loopback_server(SOCK_STREAM)) < 0 ||
        (client = loopback_client(SOCK_STREAM, server)) < 0)
        return bench_fail(run, "socket");
    int failed = peer_start(echo_bytes, 0, NULL);
    /* It is the server's now: should that die, the connection ends. */
    close(server);
    return failed ? bench_fail(run, "fork") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        char token = (char)i, answer = (char)~i;
        if (write(client, &token, 1) != 1 || read(client, &answer, 1) != 1)
            return bench_fail(run, "socket");
        if (answer != token)
            return bench_fail(run, "wrong-token");
    }
    return 0;
}

static void teardown(struct run *run)
{
    (void)run;
    peer_stop();
}

BENCHMARK(tcp_latency, .metric = "us", .count = 6, .batches = 3, .setup = setup,
          .body = body, .teardown = teardown);
