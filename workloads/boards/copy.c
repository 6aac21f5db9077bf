/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies a file that is in the page cache onto another, as UnixBench's fstime -c does:
 * a buffer is read and written, and at the end of the file both start again. Its files
 * have 500, 2000 and 8000 KiB; the third has 3000 here. One count is a buffer. */
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench.h"

#define PIECE 65536                          /* in which the files are made */

static uint64_t pattern[PIECE / sizeof(uint64_t)];
static char nothing[PIECE], buffer[4096], found[PIECE];
static int from, to;
static uint64_t size, at, most;              /* of the files; in both, now and at most */

/* Natively the directory may be synchronous; UnixBench's is not. */
static int open_file(const char *name)
{
    int flags, fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (fd >= 0 && !ioctl(fd, FS_IOC_GETFLAGS, &flags)) {
        flags &= ~FS_SYNC_FL;
        ioctl(fd, FS_IOC_SETFLAGS, &flags);
    }
    return fd;
}

static size_t piece_at(uint64_t place, uint64_t end)
{
    return end - place < PIECE ? end - place : PIECE;
}

/* In turn, so that a cache has as much of each, and of both the end. */
static int fill_files(void)
{
    for (uint64_t place = 0; place < size; place += PIECE) {
        size_t bytes = piece_at(place, size);
        if (write_all(from, pattern, bytes) || write_all(to, nothing, bytes))
            return -1;
    }
    return lseek(from, 0, SEEK_SET) || lseek(to, 0, SEEK_SET) ? -1 : 0;
}

/* arg: the files' KiB. Both are there before anything is timed, as after fstime's first
 * pass. */
static int setup(struct run *run)
{
    size = (uint64_t)run->bench->arg * 1024;
    fill_pattern(pattern, PIECE);
    if (chdir(run->scratch) || (from = open_file("dummy0")) < 0 || (to = open_file("dummy1")) < 0)
        return bench_fail(run, "open");
    return fill_files() ? bench_fail(run, "make-file") : 0;
}

static int body(struct run *run, uint64_t count)
{
    size_t bytes = run->bench->bytes;
    while (count) {
        ssize_t n = read(from, buffer, bytes);
        if (n == 0 && at == size) {
            at = 0;
            if (lseek(from, 0, SEEK_SET) || lseek(to, 0, SEEK_SET))
                return bench_fail(run, "seek");
            continue;
        }
        if (n != (ssize_t)bytes || write(to, buffer, bytes) != n)
            return bench_fail(run, "copy");
        at += bytes;
        most = at > most ? at : most;
        count--;
    }
    return 0;
}

/* What was copied is there, and nothing of what was not. */
static int check(struct run *run)
{
    for (uint64_t place = 0; place < most; place += PIECE) {
        size_t bytes = piece_at(place, most);
        if (pread(to, found, bytes, (off_t)place) != (ssize_t)bytes ||
            memcmp(found, pattern, bytes))
            return bench_fail(run, "wrong-data");
    }
    if (most < size && (pread(to, found, 1, (off_t)most) != 1 || found[0]))
        return bench_fail(run, "too-much");
    return 0;
}

static void teardown(struct run *run)
{
    scrub(run->scratch);
}

#define FILE_COPY(buffer_bytes, kib, buffers)                               \
    BENCHMARK(file_copy_##buffer_bytes, .metric = "MB/s", .bytes = buffer_bytes, \
              .count = buffers, .batches = 3, .arg = kib, .setup = setup,   \
              .body = body, .check = check, .teardown = teardown)

FILE_COPY(256, 500, 80);
FILE_COPY(1024, 2000, 60);
FILE_COPY(4096, 3000, 20);
