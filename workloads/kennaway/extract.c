/* SPDX-License-Identifier: BSD-3-Clause */
/* N extractions of one tarball at once, each into a directory of its own, on a
 * tmpfs or on ext2 over a RAM disk: Kennaway's test of 2005. The file system is
 * made afresh for each batch, and a batch's number is the seed of its start: in
 * which order and how far apart they start, and how each one's stack lies. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"

#define DIRECTORIES 4
#define FILES 16
#define FILE_BYTES 1536                      /* whole blocks of a tarball */
#define BLOCK 512                            /* as extraction.h has it */
#define KIB "2048"                           /* 256 inodes: enough for MOST trees */
#define MOST 8
#define SEEDS 10                             /* the published test ran ten times */
#define APART_NS 100000                      /* the longest wait before a start */
#define STACK_BYTES 4096                     /* the most that a stack is moved by */

struct member {
    char header[BLOCK];
    unsigned char text[FILE_BYTES];
};

static struct {
    char directory[DIRECTORIES][BLOCK];
    struct member file[FILES];
    char end[2 * BLOCK];
} tarball;

/* Behind this variable: in another order they would be another image. */
#include "extraction.h"

/* Every eight bytes of the tarball's files differ from all others. */
static int make_tarball(void)
{
    static _Alignas(uint64_t) unsigned char text[FILES * FILE_BYTES];
    fill_pattern(text, sizeof text);
    for (int i = 0; i < DIRECTORIES; i++) {
        sprintf(tarball.directory[i], "d%d/", i);
        fill_header(tarball.directory[i], 0755, 0, '5');
    }
    for (int i = 0; i < FILES; i++) {
        struct member *file = &tarball.file[i];
        sprintf(file->header, "d%d/f%02d", i % DIRECTORIES, i);
        memcpy(file->text, text + i * FILE_BYTES, FILE_BYTES);
        fill_header(file->header, 0644, FILE_BYTES, '0');
    }
    int fd = open(TARBALL, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, &tarball, sizeof tarball);
    return close(fd) || failed ? -1 : 0;
}

static void wait_a_little(void)
{
    struct timespec time = {.tv_nsec = draw(APART_NS)};
    nanosleep(&time, NULL);
}

static pid_t start(long tree)
{
    static char moved[STACK_BYTES];
    char path[64];
    char *argv[] = {BUSYBOX, "tar", "xf", TARBALL, "-C", path, NULL};
    char *environment[] = {moved, NULL};
    unsigned bytes = 2 + draw(STACK_BYTES - 2);
    memset(moved, '=', bytes);
    moved[0] = 'A';
    moved[bytes] = '\0';
    snprintf(path, sizeof path, TREES "/%ld", tree);
    pid_t pid = vfork();
    if (pid == 0) {
        execve(argv[0], argv, environment);
        execvpe(argv[1], argv + 1, environment);
        _exit(127);
    }
    return pid;
}

static int body(struct run *run, uint64_t count)
{
    long order[MOST];
    int failed = 0, status;
    (void)count;
    state = run->batch;
    shuffle(order, run->bench->arg);
    for (long i = 0; i < run->bench->arg; i++) {
        wait_a_little();
        failed |= start(order[i]) < 0;
    }
    while (wait(&status) > 0)
        failed |= status;
    return failed ? bench_fail(run, "tar") : 0;
}

/* The untimed pass is an extraction beforehand, as the published ones had: programs
 * and tarball are cached, and the kernel has made what it makes once. */
static int setup(struct run *run)
{
    return chdir(run->scratch) || make_tarball() ? bench_fail(run, "no-tarball") : 0;
}

static int check_file(const char *tree, const struct member *file)
{
    char path[256];
    unsigned char text[FILE_BYTES + 1];
    int fd = join_path(path, sizeof path, tree, file->header) ? -1 : open(path, O_RDONLY);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, text, sizeof text);
    close(fd);
    return n == FILE_BYTES && !memcmp(text, file->text, FILE_BYTES) ? 0 : -1;
}

/* Each tree has what the tarball holds, byte by byte, and nothing else. */
static int check(struct run *run)
{
    static struct tree found;
    char path[64];
    for (long i = 0; i < run->bench->arg; i++) {
        snprintf(path, sizeof path, TREES "/%ld", i);
        if (tree_load(&found, path) || found.ndirectories != DIRECTORIES ||
            found.nfiles != FILES)
            return bench_fail(run, "wrong-tree");
        for (int k = 0; k < FILES; k++)
            if (check_file(path, &tarball.file[k]))
                return bench_fail(run, "wrong-file");
    }
    return 0;
}

/* What the batch before this one left is checked. */
static int before(struct run *run)
{
    if (made && check(run))
        return -1;
    if (made && remove_file_system())
        return bench_fail(run, "unmount");
    return make_file_system(run);
}

static void teardown(struct run *run)
{
    if (made)
        remove_file_system();
    scrub(run->scratch);
}

#define EXTRACT(fs, n)                                                      \
    BENCHMARK(extract_##fs##_##n, .metric = "ms", .bytes = n * FILES * FILE_BYTES, \
              .count = 1, .batches = SEEDS, .flags = BENCH_MODES | BENCH_COUNTERS, \
              .arg = n, .text = #fs, .setup = setup, .before = before,      \
              .body = body, .check = check, .teardown = teardown)

EXTRACT(tmpfs, 1);
EXTRACT(tmpfs, 2);
EXTRACT(tmpfs, 4);
EXTRACT(tmpfs, 8);
EXTRACT(ext2, 1);
EXTRACT(ext2, 2);
EXTRACT(ext2, 4);
EXTRACT(ext2, 8);
