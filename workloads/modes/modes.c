/* SPDX-License-Identifier: BSD-3-Clause */
/* Where time is known to go: all in user mode, in system calls, or in waits
 * for the disk. What the guest counts is held against the simulator's cycles. */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"

#define TURNS 1000

static int user(struct run *run, uint64_t count)
{
    uint32_t state = 1;
    for (uint64_t i = 0; i < count * TURNS; i++) {
        state = state * 1664525u + 1013904223u;
        barrier();
    }
    /* The generator jumps by count * TURNS in as many steps as that has bits. */
    uint32_t a = 1664525u, c = 1013904223u, expected = 1;
    for (uint64_t left = count * TURNS; left; left >>= 1) {
        if (left & 1)
            expected = expected * a + c;
        c = c * (a + 1);
        a *= a;
    }
    return state == expected ? 0 : bench_fail(run, "wrong-sum");
}

static int calls(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int fd = open("/dev/null", O_RDONLY);
        if (fd < 0 || close(fd))
            return bench_fail(run, "open");
    }
    return 0;
}

/* The worst case: entry and exit are nearly all there is. */
static int null(struct run *run, uint64_t count)
{
    long parent = getppid(), differs = 0;
    for (uint64_t i = 0; i < count; i++)
        differs |= syscall(SYS_getppid) ^ parent;
    return differs ? bench_fail(run, "wrong-parent") : 0;
}

static int enter_scratch(struct run *run)
{
    return chdir(run->scratch) ? bench_fail(run, "chdir") : 0;
}

static int waits(struct run *run, uint64_t count)
{
    static const char word[] = "waited";
    for (uint64_t i = 0; i < count; i++) {
        int fd = open("waits", O_CREAT | O_EXCL | O_WRONLY, 0644);
        if (fd < 0 || write_all(fd, word, sizeof word) || fsync(fd) || close(fd))
            return bench_fail(run, "write");
        if (unlink("waits"))
            return bench_fail(run, "unlink");
    }
    return 0;
}

BENCHMARK(modes_user, .metric = "us", .count = 20, .flags = BENCH_MODES, .body = user);
BENCHMARK(modes_calls, .metric = "us", .count = 40, .flags = BENCH_MODES, .body = calls);
BENCHMARK(modes_null, .metric = "us", .count = 200, .flags = BENCH_MODES, .body = null);
BENCHMARK(modes_waits, .metric = "ms", .count = 3, .flags = BENCH_MODES | FS_FIRST,
          .setup = enter_scratch, .body = waits);
