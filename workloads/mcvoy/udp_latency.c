/* SPDX-License-Identifier: BSD-3-Clause */
/* A four-byte datagram to a server of our own and back, over loopback. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"
#include "peer.h"

static int server, client;
static uint32_t sequence;

static void echo_datagrams(long which)
{
    uint32_t token;
    struct sockaddr_in from;
    socklen_t bytes;
    (void)which;
    close(client);
    do
        bytes = sizeof from;
    while (recvfrom(server, &token, sizeof token, 0, (struct sockaddr *)&from, &bytes) ==
               sizeof token &&
           sendto(server, &token, sizeof token, 0, (struct sockaddr *)&from, bytes) ==
               sizeof token);
}

static void wake(void)
{
    shutdown(client, SHUT_RDWR);
}

static int setup(struct run *run)
{
    if (pin_to_one_cpu() || (server = loopback_server(SOCK_DGRAM)) < 0 ||
        (client = loopback_client(SOCK_DGRAM, server)) < 0)
        return bench_fail(run, "socket");
    return peer_start(echo_datagrams, 0, wake) ? bench_fail(run, "fork") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t token = sequence++, answer = ~token;
        if (send(client, &token, sizeof token, 0) != sizeof token ||
            recv(client, &answer, sizeof answer, 0) != sizeof answer)
            return bench_fail(run, "socket");
        if (answer != token)
            return bench_fail(run, "wrong-token");
    }
    return 0;
}

BENCHMARK(udp_latency, .metric = "us", .count = 6, .batches = 3, .setup = setup,
          .body = body, .teardown = peer_stop);
