/* SPDX-License-Identifier: BSD-3-Clause */
/* A byte to another process by one pipe and back by another: one round trip. */
#include <unistd.h>

#include "bench.h"
#include "peer.h"

static int there[2], back[2];

static void echo_bytes(long which)
{
    char token;
    (void)which;
    close(there[1]);
    close(back[0]);
    while (read(there[0], &token, 1) == 1 && write(back[1], &token, 1) == 1)
        ;
}

/* Of each pipe one end stays here, so that a dead peer's shows as its end. */
static int setup(struct run *run)
{
    if (pin_to_one_cpu() || pipe(there) || pipe(back))
        return bench_fail(run, "pipe");
    if (peer_start(echo_bytes, 0, NULL))
        return bench_fail(run, "fork");
    close(there[0]);
    close(back[1]);
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        char token = (char)i, answer = (char)~i;
        if (write(there[1], &token, 1) != 1 || read(back[0], &answer, 1) != 1)
            return bench_fail(run, "pipe");
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

BENCHMARK(pipe_latency, .metric = "us", .count = 12, .batches = 3, .setup = setup,
          .body = body, .teardown = teardown);
