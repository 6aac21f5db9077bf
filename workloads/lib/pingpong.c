/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>
#include <unistd.h>

#include "peer.h"
#include "pingpong.h"

static int there[2], back[2];
static int out, in;
static void (*partner)(int from, int to, size_t bytes);

static void serve(long bytes)
{
    close(there[1]);
    close(back[0]);
    partner(there[0], back[1], (size_t)bytes);
}

/* Of each pipe one end stays here, so that a dead partner's shows as its end. */
int pingpong_pipes(struct run *run, void (*answer)(int from, int to, size_t bytes))
{
    partner = answer;
    if (pin_to_one_cpu() || pipe(there) || pipe(back))
        return bench_fail(run, "pipe");
    if (peer_start(serve, run->bench->arg, NULL))
        return bench_fail(run, "fork");
    close(there[0]);
    close(back[1]);
    out = there[1];
    in = back[0];
    return 0;
}

void pingpong_over(int socket)
{
    out = in = socket;
}

void pingpong_echo(int from, int to, size_t bytes)
{
    uint32_t token;
    while (read(from, &token, bytes) == (ssize_t)bytes &&
           write(to, &token, bytes) == (ssize_t)bytes)
        ;
}

int pingpong(struct run *run, uint64_t count)
{
    static uint32_t sent;
    size_t bytes = (size_t)run->bench->arg;
    for (uint64_t i = 0; i < count; i++, sent++) {
        uint32_t answer = ~sent;
        if (write(out, &sent, bytes) != (ssize_t)bytes ||
            read(in, &answer, bytes) != (ssize_t)bytes)
            return bench_fail(run, "lost-token");
        if (memcmp(&answer, &sent, bytes))
            return bench_fail(run, "wrong-token");
    }
    return 0;
}
