/* SPDX-License-Identifier: BSD-3-Clause */
/* TCP of loopback, as lmbench 3 has it: make a connection and close it, to a server that
 * accepts it, finds its end and closes it (lat_connect), or data in one message (bw_tcp
 * -m 10M, for which nobody asks; here 512 KiB, more than the sockets hold). The server's
 * part of a connection counts: the published program makes thousands on one core, and a
 * batch here waits until the server has closed the last one. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "bulk.h"
#include "peer.h"

#define BACKLOG 100
#define SOCKET_BYTES 1048576                 /* asked for; the kernel gives less */
#define BYTES 524288

static int server;
static struct sockaddr_in address;
static _Atomic uint64_t *close_count;        /* of the server; UINT64_MAX: it has died */
static uint64_t open_count;

static int set(int fd, int option, int value)
{
    return setsockopt(fd, SOL_SOCKET, option, &value, sizeof value);
}

static int setup_server(struct run *run)
{
    socklen_t length = sizeof address;
    address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    server = socket(AF_INET, SOCK_STREAM, 0);
    if (pin_to_one_cpu() || server < 0 || set(server, SO_REUSEADDR, 1) ||
        bind(server, (struct sockaddr *)&address, length) || listen(server, BACKLOG) ||
        getsockname(server, (struct sockaddr *)&address, &length))
        return bench_fail(run, "socket");
    return 0;
}

/* `wide` has the buffers of bw_tcp. A new socket that is connected, or -1. */
static int connected(int wide)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (wide && (set(fd, SO_RCVBUF, SOCKET_BYTES) || set(fd, SO_SNDBUF, SOCKET_BYTES)))
        return -1;
    return set(fd, SO_REUSEADDR, 1) ||
                   connect(fd, (struct sockaddr *)&address, sizeof address)
               ? -1 : fd;
}

static void take_connections(long which)
{
    char byte;
    (void)which;
    for (;;) {
        int fd = accept(server, NULL, NULL);
        if (fd < 0 || read(fd, &byte, 1) != 0 || close(fd))
            return;
        ++*close_count;
    }
}

/* Ends both waits for a server that is gone. */
static void refuse(void)
{
    *close_count = UINT64_MAX;
    shutdown(server, SHUT_RDWR);
}

static int setup_connect(struct run *run)
{
    close_count = mmap(NULL, sizeof *close_count, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (close_count == MAP_FAILED)
        return bench_fail(run, "mmap");
    if (setup_server(run))
        return -1;
    return peer_start(take_connections, 0, refuse) ? bench_fail(run, "fork") : 0;
}

static int body_connect(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int fd = connected(0);
        if (fd < 0 || close(fd))
            return bench_fail(run, "connect");
    }
    open_count += count;
    while (*close_count < open_count)
        sched_yield();
    return *close_count == open_count ? 0 : bench_fail(run, "server");
}

static int setup_bandwidth(struct run *run)
{
    if (setup_server(run))
        return -1;
    int here = connected(1), there = here < 0 ? -1 : accept(server, NULL, NULL);
    if (there < 0 || set(there, SO_SNDBUF, SOCKET_BYTES))
        return bench_fail(run, "socket");
    return bulk_start(run, here, there);
}

BENCHMARK(tcp_connect, .metric = "us", .count = 3, .batches = 3, .setup = setup_connect,
          .body = body_connect, .teardown = peer_stop);
BENCHMARK(tcp_bandwidth_512k, .metric = "MB/s", .bytes = BYTES, .count = 1, .batches = 2,
          .arg = BYTES, .setup = setup_bandwidth, .body = bulk_read, .check = bulk_check,
          .teardown = peer_stop);
