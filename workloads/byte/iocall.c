/* SPDX-License-Identifier: BSD-3-Clause */
/* The system calls of buffered files: 500 bytes written and the first 400 read
 * back by hundreds, again and again, in a file without a name. In /tmp: Raveling
 * counts it among the processor's tests, so no disk may come into it. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define WRITTEN 500
#define PIECE 100
#define PIECES 4

static _Alignas(uint64_t) char out[WRITTEN + 4];
static char in[PIECES * PIECE];
static int fd;

static int setup(struct run *run)
{
    fill_pattern(out, sizeof out);
    if (chdir(run->scratch))
        return bench_fail(run, "chdir");
    fd = open("iocall", O_CREAT | O_EXCL | O_RDWR, 0600);
    return fd < 0 || unlink("iocall") ? bench_fail(run, "open") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        out[0] = (char)i;
        if (lseek(fd, 0, SEEK_SET) || write(fd, out, WRITTEN) != WRITTEN ||
            lseek(fd, 0, SEEK_SET))
            return bench_fail(run, "write");
        for (char *at = in; at < in + sizeof in; at += PIECE)
            if (read(fd, at, PIECE) != PIECE)
                return bench_fail(run, "read");
        if (in[0] != out[0])
            return bench_fail(run, "wrong-data");
    }
    return 0;
}

static int check(struct run *run)
{
    return memcmp(in, out, sizeof in) ? bench_fail(run, "wrong-data") : 0;
}

BENCHMARK(iocall, .metric = "us", .count = 40, .batches = 3, .flags = BENCH_MODES, .setup = setup,
          .body = body, .check = check);
