/* SPDX-License-Identifier: BSD-3-Clause */
/* The link's round trip and rate, by datagrams to a partner and back. The larger
 * less the smaller round trip is transfer alone: what the processor does is in both. */
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"
#include "peer.h"

#define MOST 1472                            /* bytes that fill a frame of 1,500 */

static char message[MOST];
static int server, client;

static void answer(long bytes)
{
    struct sockaddr_in asker;
    socklen_t length;
    static char buffer[MOST];
    close(client);
    do
        length = sizeof asker;
    while (recvfrom(server, buffer, sizeof buffer, 0, (struct sockaddr *)&asker, &length) == bytes &&
           sendto(server, buffer, (size_t)bytes, 0, (struct sockaddr *)&asker, length) == bytes);
}

/* Ends the partner's wait for a datagram. */
static void wake(void)
{
    shutdown(client, SHUT_RDWR);
}

static int setup(struct run *run)
{
    if (pin_to_one_cpu() || (server = loopback_server(SOCK_DGRAM)) < 0 ||
        (client = loopback_client(SOCK_DGRAM, server)) < 0)
        return bench_fail(run, "socket");
    return peer_start(answer, run->bench->arg, wake) ? bench_fail(run, "fork") : 0;
}

static int round_trips(struct run *run, uint64_t count)
{
    const ssize_t bytes = run->bench->arg;
    for (uint64_t i = 0; i < count; i++) {
        memset(message, (char)i, (size_t)bytes);
        if (send(client, message, (size_t)bytes, 0) != bytes ||
            recv(client, message, sizeof message, 0) != bytes)
            return bench_fail(run, "lost-datagram");
        if (message[bytes - 1] != (char)i)
            return bench_fail(run, "wrong-datagram");
    }
    return 0;
}

#define ROUND_TRIP(bytes)                                                   \
    BENCHMARK(link_##bytes, .metric = "us", .count = 4, .batches = 3, .arg = bytes, \
              .setup = setup, .body = round_trips, .teardown = peer_stop)

ROUND_TRIP(64);
ROUND_TRIP(1472);
