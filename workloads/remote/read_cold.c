/* SPDX-License-Identifier: BSD-3-Clause */
/* A file that this machine's page cache does not hold, read in 16-KB pieces: from the
 * server, which still has it in memory, or from the disk. One count is the whole file. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define FILE_BYTES 131072
#define PIECE 16384

static char *piece;
static int fd;

static int setup(struct run *run)
{
    piece = page_buffer(PIECE);
    if (chdir(run->scratch) || make_file("cold", FILE_BYTES))
        return bench_fail(run, "make-file");
    fd = open("cold", O_RDONLY);
    return fd < 0 ? bench_fail(run, "open") : 0;
}

/* Pages that wait to be written stay, so they are written first. */
static int forget(struct run *run)
{
    if (syncfs(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) || lseek(fd, 0, SEEK_SET))
        return bench_fail(run, "forget");
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    (void)count;                             /* 1: a second pass would be warm */
    for (long left = FILE_BYTES; left; left -= PIECE)
        if (read(fd, piece, PIECE) != PIECE)
            return bench_fail(run, "short-read");
    return 0;
}

/* The buffer holds the file's last piece. */
static int check(struct run *run)
{
    char *whole = page_buffer(FILE_BYTES);
    fill_pattern(whole, FILE_BYTES);
    return memcmp(piece, whole + FILE_BYTES - PIECE, PIECE) ? bench_fail(run, "wrong-data") : 0;
}

static void teardown(struct run *run)
{
    (void)run;
    unlink("cold");
}

BENCHMARK(read_cold, .metric = "MB/s", .bytes = FILE_BYTES, .count = 1, .batches = 3,
          .flags = FS_EACH | BENCH_COLD, .setup = setup, .before = forget, .body = body,
          .check = check, .teardown = teardown);
