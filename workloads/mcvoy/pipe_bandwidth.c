/* SPDX-License-Identifier: BSD-3-Clause */
/* 256 KB from another process in pieces of 64 KB, by a pipe or a TCP connection
 * of loopback. The reader's time, from its asking for them by one byte: nothing
 * is on its way before. One count is all of them. */
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"
#include "peer.h"
#include "pieces.h"

#define PIECES 4

static int data[2], ask[2], server, client;  /* the pipes, or the sockets */
static char *piece;
static uint64_t arrived;

static void send_pieces(int out, int in)
{
    char asked;
    for (uint64_t number = 0; read(in, &asked, 1) == 1;)
        for (unsigned i = 0; i < PIECES; i++) {
            piece_number(piece, number++);
            if (write_all(out, piece, PIECE))
                return;
        }
}

static void serve_pipe(long which)
{
    (void)which;
    piece = piece_make();
    close(data[0]);
    close(ask[1]);
    send_pieces(data[1], ask[0]);
}

static void serve_tcp(long which)
{
    (void)which;
    piece = piece_make();
    close(client);
    int connection = accept(server, NULL, NULL);
    send_pieces(connection, connection);
}

/* What is the server's alone is closed here, so that its end would show. */
static int setup_pipe(struct run *run)
{
    if (pin_to_one_cpu() || pipe(data) || pipe(ask))
        return bench_fail(run, "pipe");
    if (peer_start(serve_pipe, 0, NULL))
        return bench_fail(run, "fork");
    close(data[1]);
    close(ask[0]);
    piece = page_buffer(PIECE);
    return 0;
}

static int setup_tcp(struct run *run)
{
    if (pin_to_one_cpu() || (server = loopback_server(SOCK_STREAM)) < 0 ||
        (client = loopback_client(SOCK_STREAM, server)) < 0)
        return bench_fail(run, "socket");
    if (peer_start(serve_tcp, 0, NULL))
        return bench_fail(run, "fork");
    close(server);
    data[0] = ask[1] = client;
    piece = page_buffer(PIECE);
    return 0;
}

static int read_piece(struct run *run)
{
    for (size_t done = 0; done < PIECE;) {
        ssize_t n = read(data[0], piece + done, PIECE - done);
        if (n <= 0)
            return bench_fail(run, "short-read");
        done += (size_t)n;
    }
    return piece_has(piece, arrived++) ? 0 : bench_fail(run, "wrong-piece");
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (write(ask[1], "", 1) != 1)
            return bench_fail(run, "ask");
        for (unsigned k = 0; k < PIECES; k++)
            if (read_piece(run))
                return -1;
    }
    return 0;
}

static int check(struct run *run)
{
    return piece_whole(piece) ? 0 : bench_fail(run, "wrong-data");
}

BENCHMARK(pipe_bandwidth, .metric = "MB/s", .bytes = PIECES * PIECE, .count = 1, .batches = 3,
          .flags = BENCH_NO_WARM_UP, .setup = setup_pipe, .body = body, .check = check,
          .teardown = peer_stop);
BENCHMARK(tcp_bandwidth, .metric = "MB/s", .bytes = PIECES * PIECE, .count = 1, .batches = 3,
          .flags = BENCH_NO_WARM_UP, .setup = setup_tcp, .body = body, .check = check,
          .teardown = peer_stop);
