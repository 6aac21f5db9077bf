/* SPDX-License-Identifier: BSD-3-Clause */
/* A pair of Unix stream sockets, as lmbench 3 has it: a byte to another process and back
 * (lat_unix), or data from it in writes of 64 KB (bw_unix, which asks for 10 MiB at once;
 * here 512 KiB). */
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "bulk.h"
#include "peer.h"

#define MESSAGE 65536
#define BYTES 524288

static int ends[2];

static int setup_pair(struct run *run)
{
    return pin_to_one_cpu() || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
               ? bench_fail(run, "socket") : 0;
}

static void echo(long which)
{
    char byte;
    (void)which;
    close(ends[0]);
    while (read(ends[1], &byte, 1) == 1 && write(ends[1], &byte, 1) == 1)
        ;
}

static int setup_latency(struct run *run)
{
    if (setup_pair(run))
        return -1;
    if (peer_start(echo, 0, NULL))
        return bench_fail(run, "fork");
    /* Only the partner has it now: its death shows as the end of the stream. */
    close(ends[1]);
    return 0;
}

static int body_latency(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        char sent = (char)i, answer = (char)~i;
        if (write(ends[0], &sent, 1) != 1 || read(ends[0], &answer, 1) != 1)
            return bench_fail(run, "lost-token");
        if (answer != sent)
            return bench_fail(run, "wrong-token");
    }
    return 0;
}

static int setup_bandwidth(struct run *run)
{
    return setup_pair(run) ? -1 : bulk_start(run, ends[0], ends[1]);
}

BENCHMARK(unix_latency, .metric = "us", .count = 12, .batches = 3, .setup = setup_latency,
          .body = body_latency, .teardown = peer_stop);
BENCHMARK(unix_bandwidth, .metric = "MB/s", .bytes = BYTES, .count = 1, .batches = 2,
          .arg = MESSAGE, .setup = setup_bandwidth, .body = bulk_read, .check = bulk_check,
          .teardown = peer_stop);
