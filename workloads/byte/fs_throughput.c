/* SPDX-License-Identifier: BSD-3-Clause */
/* A file read, written anew, or copied to a new one by 1-KB pieces. His tests ran
 * 1, 10 and 20 s: here the amounts are as 1:10:20, 8, 80 and 160 KB. The machine is
 * scaled to them, as 20 % of its memory would cost too much to fill: 8 KB fit the
 * base machine's first cache (32 KB) and 80 KB do not; what may be dirty before the
 * kernel begins to write back (40 KB) lies between 1 and 10, and what makes writers
 * wait (144 KB) between 10 and 20. The kernel looks at the limits each 16 pages at
 * most, so less than 8 KB would not meet them. A file system that writes at once
 * leaves nothing dirty, and meets no limit. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define UNIT 8192
#define PIECE 1024
#define WORDS (PIECE / 8)
#define BACKGROUND "40960"
#define LIMIT "147456"

#ifndef VM                                   /* a test gives others */
#define VM "/proc/sys/vm/"
#define GUEST "/sys/module/osgap_disk"
#endif

/* Of each pair the kernel heeds the one written last, and shows the other as 0. */
static struct limit {
    const char *bytes, *ratio, *wanted;
    char old_bytes[24], old_ratio[24];
} limits[] = {
    {VM "dirty_background_bytes", VM "dirty_background_ratio", BACKGROUND, "", ""},
    {VM "dirty_bytes", VM "dirty_ratio", LIMIT, "", ""},
};
#define NLIMITS (sizeof limits / sizeof *limits)

static uint64_t piece[WORDS];
static char *pattern;
static int in = -1, out = -1;

static int read_setting(const char *path, char *text, size_t bytes)
{
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, bytes - 1);
    text[n < 0 ? 0 : n] = '\0';
    if (fd >= 0)
        close(fd);
    return n > 0 ? 0 : -1;
}

static int write_setting(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY);
    int failed = fd < 0 || write_all(fd, text, strlen(text));
    return fd >= 0 && close(fd) ? -1 : failed;
}

/* The limits are the whole machine's: only the guest's are ours to set. */
static int set_limits(void)
{
    if (access(GUEST, F_OK))
        return 0;
    for (unsigned i = 0; i < NLIMITS; i++) {
        struct limit *limit = &limits[i];
        if (read_setting(limit->bytes, limit->old_bytes, sizeof limit->old_bytes) ||
            read_setting(limit->ratio, limit->old_ratio, sizeof limit->old_ratio) ||
            write_setting(limit->bytes, limit->wanted))
            return -1;
    }
    return 0;
}

static void restore_limits(void)
{
    for (unsigned i = 0; i < NLIMITS; i++) {
        struct limit *limit = &limits[i];
        if (!*limit->old_ratio)
            continue;
        if (*limit->old_ratio == '0')
            write_setting(limit->bytes, limit->old_bytes);
        else
            write_setting(limit->ratio, limit->old_ratio);
    }
}

static int setup(struct run *run)
{
    size_t bytes = run->bench->bytes;
    pattern = page_buffer(bytes);
    fill_pattern(pattern, bytes);
    if (chdir(run->scratch) || make_file("source", bytes))
        return bench_fail(run, "make-file");
    in = open("source", O_RDONLY);
    out = open("target", O_CREAT | O_EXCL | O_RDWR, 0644);
    if (in < 0 || out < 0)
        return bench_fail(run, "open");
    return set_limits() ? bench_fail(run, "dirty-limits") : 0;
}

/* Each piece's first word tells its place. */
static int read_pieces(struct run *run, int fd)
{
    size_t bytes = run->bench->bytes;
    if (lseek(fd, 0, SEEK_SET))
        return bench_fail(run, "seek");
    for (size_t at = 0; at < bytes; at += PIECE) {
        if (read(fd, piece, PIECE) != PIECE)
            return bench_fail(run, "short-read");
        if (memcmp(piece, pattern + at, sizeof *piece))
            return bench_fail(run, "wrong-data");
    }
    return 0;
}

static int start_anew(void)
{
    return ftruncate(out, 0) || lseek(out, 0, SEEK_SET) ? -1 : 0;
}

static int read_body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (read_pieces(run, in))
            return -1;
    return 0;
}

static int write_body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (start_anew())
            return bench_fail(run, "truncate");
        for (size_t at = 0; at < run->bench->bytes; at += PIECE)
            if (write(out, pattern + at, PIECE) != PIECE)
                return bench_fail(run, "short-write");
    }
    return 0;
}

static int copy_body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        ssize_t n;
        if (start_anew() || lseek(in, 0, SEEK_SET))
            return bench_fail(run, "truncate");
        while ((n = read(in, piece, PIECE)) > 0)
            if (write(out, piece, (size_t)n) != n)
                return bench_fail(run, "short-write");
        if (n)
            return bench_fail(run, "read");
    }
    return 0;
}

/* The target holds every byte, and no more. */
static int check_target(struct run *run)
{
    size_t bytes = run->bench->bytes;
    char *found = page_buffer(bytes + 1);
    if (pread(out, found, bytes + 1, 0) != (ssize_t)bytes)
        return bench_fail(run, "wrong-size");
    return memcmp(found, pattern, bytes) ? bench_fail(run, "wrong-data") : 0;
}

static int check_read(struct run *run)
{
    const char *last = pattern + run->bench->bytes - PIECE;
    return memcmp(piece, last, PIECE) ? bench_fail(run, "wrong-data") : 0;
}

static void teardown(struct run *run)
{
    restore_limits();
    close(in);
    close(out);
    scrub(run->scratch);
}

/* The untimed pass and the harness's sync leave each one batch the same start:
 * a file that is there, and nothing dirty. */
#define FS(what, times, how, checked)                                       \
    BENCHMARK(fs_##what##_##times, .metric = "MB/s", .bytes = (times) * UNIT, \
              .count = 1, .batches = 1, .flags = FS_FIRST | BENCH_MODES, .setup = setup,  \
              .body = how, .check = checked, .teardown = teardown)

FS(read, 1, read_body, check_read);
FS(read, 10, read_body, check_read);
FS(read, 20, read_body, check_read);
FS(write, 1, write_body, check_target);
FS(write, 10, write_body, check_target);
FS(write, 20, write_body, check_target);
FS(copy, 1, copy_body, check_target);
FS(copy, 10, copy_body, check_target);
FS(copy, 20, copy_body, check_target);
