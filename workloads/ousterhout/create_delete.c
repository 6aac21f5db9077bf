/* SPDX-License-Identifier: BSD-3-Clause */
/* Metadata policy: create, write N bytes, close, open, read, close, unlink.
 * N in 1-KB steps shows where a cache of small files ends. */
#include <fcntl.h>
#include <unistd.h>

#include "bench.h"

static char *out, *in;

static int setup(struct run *run)
{
    out = page_buffer(run->bench->bytes + 1);
    in = page_buffer(run->bench->bytes + 1);
    fill_pattern(out, run->bench->bytes);
    return chdir(run->scratch) ? bench_fail(run, "chdir") : 0;
}

static int cycle(struct run *run, size_t bytes)
{
    int fd = open("temporary", O_CREAT | O_EXCL | O_WRONLY, 0644);
    if (fd < 0 || (bytes && write(fd, out, bytes) != (ssize_t)bytes) || close(fd))
        return bench_fail(run, "write");
    fd = open("temporary", O_RDONLY);
    if (fd < 0 || read(fd, in, bytes + 1) != (ssize_t)bytes || close(fd))
        return bench_fail(run, "read");
    if (bytes && (in[0] != out[0] || in[bytes - 1] != out[bytes - 1]))
        return bench_fail(run, "wrong-data");
    return unlink("temporary") ? bench_fail(run, "unlink") : 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (cycle(run, run->bench->bytes))
            return -1;
    return 0;
}

/* The steps show where a file system changes its way with a file's first
 * blocks: the first file system alone has them, as each costs a process. */
#define CREATE_DELETE(kilobytes, suffix, many, repeats, how)                \
    BENCHMARK(create_delete_##suffix, .metric = "ms",                       \
              .bytes = (kilobytes) * 1024, .count = many, .batches = repeats, \
              .flags = how, .setup = setup, .body = body)
#define STEP(kilobytes) \
    CREATE_DELETE(kilobytes, kilobytes##k, 1, 3, FS_FIRST | BENCH_NO_WARM_UP)

CREATE_DELETE(0, 0, 4, 5, FS_EACH);
CREATE_DELETE(10, 10k, 2, 3, FS_EACH);
CREATE_DELETE(100, 100k, 1, 3, FS_EACH | BENCH_NO_WARM_UP);
STEP(2);
STEP(3);
STEP(4);
STEP(5);
STEP(6);
STEP(7);
STEP(8);
STEP(9);
