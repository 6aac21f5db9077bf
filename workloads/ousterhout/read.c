/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel entry and copy-out: a file that fits the page cache but no hardware
 * cache, read in 16-KB pieces into one buffer. One count is the whole file. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define FILE_BYTES 262144
#define PIECE 16384

static char *piece;
static int fd;

static int setup(struct run *run)
{
    piece = page_buffer(PIECE);
    if (chdir(run->scratch) || make_file("data", run->working_set))
        return bench_fail(run, "make-file");
    fd = open("data", O_RDONLY);
    return fd < 0 ? bench_fail(run, "open") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        lseek(fd, 0, SEEK_SET);
        for (long left = (long)run->working_set; left; left -= PIECE)
            if (read(fd, piece, PIECE) != PIECE)
                return bench_fail(run, "short-read");
    }
    return 0;
}

/* The buffer holds the file's last piece. */
static int check(struct run *run)
{
    size_t bytes = run->working_set;
    char *whole = page_buffer(bytes);
    fill_pattern(whole, bytes);
    return memcmp(piece, whole + bytes - PIECE, PIECE) ? bench_fail(run, "wrong-data") : 0;
}

static void teardown(struct run *run)
{
    (void)run;
    unlink("data");
}

BENCHMARK(read, .metric = "MB/s", .bytes = FILE_BYTES, .uncached = FILE_BYTES, .count = 1,
          .flags = FS_FIRST, .setup = setup, .body = body, .check = check, .teardown = teardown);
