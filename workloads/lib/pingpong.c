/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes a token to a partner process and back, by pipes or over loopback. */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loopback.h"
#include "peer.h"
#include "pingpong.h"

static int there[2], back[2], server;
static int out, in;
static answerer partner;

static void serve_pipes(long bytes)
{
    close(there[1]);
    close(back[0]);
    partner(there[0], back[1], (size_t)bytes);
}

/* Keeps one end of each pipe, so that a partner's death shows as the pipe's end. */
int pingpong_pipes(struct run *run, answerer answer)
{
    partner = answer;
    if (pin_to_one_cpu() || pipe(there) || pipe(back))
        return bench_fail(run, "pipe");
    if (peer_start(serve_pipes, run->bench->arg, NULL))
        return bench_fail(run, "fork");
    close(there[0]);
    close(back[1]);
    out = there[1];
    in = back[0];
    return 0;
}

static void serve_datagrams(long bytes)
{
    close(out);
    partner(server, server, (size_t)bytes);
}

static void serve_connection(long bytes)
{
    close(out);
    int connection = accept(server, NULL, NULL);
    partner(connection, connection, (size_t)bytes);
}

/* Ends the wait for a datagram of a partner that died. */
static void wake(void)
{
    shutdown(out, SHUT_RDWR);
}

int pingpong_loopback(struct run *run, int type, answerer answer)
{
    int is_stream = type == SOCK_STREAM;
    partner = answer;
    if (pin_to_one_cpu() || (server = loopback_server(type)) < 0 ||
        (out = in = loopback_client(type, server)) < 0)
        return bench_fail(run, "socket");
    if (peer_start(is_stream ? serve_connection : serve_datagrams, run->bench->arg,
                   is_stream ? NULL : wake))
        return bench_fail(run, "fork");
    /* Only the partner has it now: the connection ends if the partner dies. */
    if (is_stream)
        close(server);
    return 0;
}

int pingpong_out(void)
{
    return out;
}

int pingpong_in(void)
{
    return in;
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
