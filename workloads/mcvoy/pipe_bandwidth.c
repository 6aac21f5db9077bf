/* SPDX-License-Identifier: BSD-3-Clause */
/* 256 KB from another process in pieces of 64 KB, by a pipe or a TCP connection
 * of loopback. The reader's time, from its asking for them by one byte: nothing
 * is on its way before. One count is all of them. */
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "peer.h"
#include "pieces.h"
#include "pingpong.h"

#define PIECES 4

static char *piece;
static uint64_t arrived;

static void send_pieces(int asked, int data, size_t bytes)
{
    char byte;
    (void)bytes;
    piece = piece_make();
    for (uint64_t number = 0; read(asked, &byte, 1) == 1;)
        for (unsigned i = 0; i < PIECES; i++) {
            piece_number(piece, number++);
            if (write_all(data, piece, PIECE))
                return;
        }
}

static int setup_pipe(struct run *run)
{
    int failed = pingpong_pipes(run, send_pieces);
    piece = page_buffer(PIECE);
    return failed;
}

static int setup_tcp(struct run *run)
{
    int failed = pingpong_loopback(run, SOCK_STREAM, send_pieces);
    piece = page_buffer(PIECE);
    return failed;
}

static int read_piece(struct run *run)
{
    for (size_t done = 0; done < PIECE;) {
        ssize_t n = read(pingpong_in(), piece + done, PIECE - done);
        if (n <= 0)
            return bench_fail(run, "short-read");
        done += (size_t)n;
    }
    return piece_has(piece, arrived++) ? 0 : bench_fail(run, "wrong-piece");
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (write(pingpong_out(), "", 1) != 1)
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
