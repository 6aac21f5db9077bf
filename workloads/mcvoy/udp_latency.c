/* SPDX-License-Identifier: BSD-3-Clause */
/* A four-byte datagram to a server of our own and back, over loopback. The server
 * answers whoever asked, as lmbench's does. */
#include <netinet/in.h>
#include <sys/socket.h>

#include "bench.h"
#include "peer.h"
#include "pingpong.h"

static void echo_datagrams(int from, int to, size_t bytes)
{
    uint32_t token;
    struct sockaddr_in asker;
    socklen_t length;
    do
        length = sizeof asker;
    while (recvfrom(from, &token, bytes, 0, (struct sockaddr *)&asker, &length) ==
               (ssize_t)bytes &&
           sendto(to, &token, bytes, 0, (struct sockaddr *)&asker, length) == (ssize_t)bytes);
}

static int setup(struct run *run)
{
    return pingpong_loopback(run, SOCK_DGRAM, echo_datagrams);
}

BENCHMARK(udp_latency, .metric = "us", .count = 6, .batches = 3, .arg = 4, .setup = setup,
          .body = pingpong, .teardown = peer_stop);
