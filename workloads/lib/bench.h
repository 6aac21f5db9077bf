/* SPDX-License-Identifier: BSD-3-Clause */
/* What a benchmark sees of the harness. One file under workloads/SUITE/ is one
 * benchmark, with its variants; the build globs, so there is no list to edit. */
#ifndef OSGAP_BENCH_H
#define OSGAP_BENCH_H

#include <stddef.h>
#include <stdint.h>

enum {
    FS_NONE = 0,      /* touches no file system under study */
    FS_EACH = 1,      /* runs on each file system of the orders */
    FS_FIRST = 2,     /* runs on the first file system only */
    BENCH_COLD = 4,   /* no untimed pass: the body can't be repeated */
    BENCH_NO_WARM_UP = 8, /* no untimed pass: the first batch is told as cold */
    BENCH_MODES = 16, /* tells user, kernel and idle time, in as many batches more */
    BENCH_COUNTERS = 32, /* tells of each batch what the file system's lock counted,
                          * and its modes at once */
};

struct run;

struct bench {
    const char *suite;
    const char *name;
    const char *metric;                      /* us ms s ns MB/s MIPS */
    uint64_t bytes;                          /* moved by one of count */
    uint64_t uncached;                       /* working set that no cache may hold: bytes
                                              * that orders may enlarge; .bytes as it, or 0 */
    uint64_t count;                          /* operations in a batch */
    unsigned batches;                        /* 0: BENCH_BATCHES */
    unsigned flags;
    long arg;                                /* what tells a variant apart */
    const char *text;
    int (*setup)(struct run *);              /* untimed, once */
    int (*before)(struct run *);             /* untimed, before each body */
    int (*body)(struct run *, uint64_t);     /* timed: only the work */
    int (*check)(struct run *);              /* untimed, after the last batch */
    void (*teardown)(struct run *);          /* untimed, also after a failure */
};

struct run {
    const struct bench *bench;
    const char *scratch;                     /* an empty directory to work in */
    uint64_t working_set;                    /* bench->uncached or, if larger, the orders' */
    unsigned batch;                          /* in the untimed pass 0 */
    const char *reason;                      /* set by bench_fail */
};

#define BENCH_BATCHES 5

/* no_reorder keeps a file's variants in the order of their lines; clang does so
 * anyhow, and does not know the word. */
#ifdef __clang__
#define IN_LINE_ORDER
#else
#define IN_LINE_ORDER , no_reorder
#endif

/* A pointer, not the struct, goes into the section: structs may be padded there. */
#define BENCHMARK(ident, ...)                                               \
    static const struct bench bench_##ident = {                             \
        .suite = SUITE, .name = #ident, __VA_ARGS__};                       \
    static const struct bench *const registered_##ident                     \
        __attribute__((section("osgap_benches"), used IN_LINE_ORDER)) =     \
            &bench_##ident

/* Returns -1, so that a body can say: return bench_fail(run, "short-read"). */
int bench_fail(struct run *run, const char *word);

/* Keeps the compiler from deleting or merging what a body repeats. */
#define barrier() __asm__ volatile("" ::: "memory")

/* 64 bytes by plain loads and stores; the barrier keeps the compiler from making a
 * call of memcpy out of a loop of these. */
static inline void copy_line(const uint64_t *a, uint64_t *b)
{
    uint64_t r0 = a[0], r1 = a[1], r2 = a[2], r3 = a[3];
    uint64_t r4 = a[4], r5 = a[5], r6 = a[6], r7 = a[7];
    b[0] = r0, b[1] = r1, b[2] = r2, b[3] = r3;
    b[4] = r4, b[5] = r5, b[6] = r6, b[7] = r7;
    barrier();
}

/* files.c */
void fill_pattern(void *buffer, size_t bytes);          /* aligned as a uint64_t */
int write_all(int fd, const void *buffer, size_t bytes);
int make_file(const char *path, size_t bytes);
void *page_buffer(size_t bytes);
int scrub(const char *directory);

/* tree.c: a directory tree, sorted, as paths relative to its root */
#define TREE_PATHS 64
#define TREE_LENGTH 64
struct tree {
    char directories[TREE_PATHS][TREE_LENGTH];
    char files[TREE_PATHS][TREE_LENGTH];
    unsigned ndirectories, nfiles;
};
int tree_load(struct tree *tree, const char *root);
int tree_make_directories(const struct tree *tree, const char *root);
int tree_copy_files(const struct tree *tree, const char *from, const char *to);
int join_path(char *path, size_t bytes, const char *root, const char *name);

/* process.c: exit status, or -1 when it could not run or was killed */
int run_process(char *const argv[]);
int pin_to_one_cpu(void);
int fork_and_wait(struct run *run, uint64_t count);     /* a body */

#endif
