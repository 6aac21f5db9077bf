/* SPDX-License-Identifier: BSD-3-Clause */
/* N processes at once that write files in memory (tmpfs) over and over, each on a CPU of
 * its own: the bandwidth of the RAM disk, which all share. Bytes are counted once. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define FOLDER "memory"
#define BYTES (512 << 10)                    /* as much as smp-N's last cache holds */
#define PIECE (64 << 10)
#define PASSES 8

static int gate[2], ready[2], mounted;

static int write_pass(int fd, const char *from)
{
    for (long at = 0; at < BYTES; at += PIECE)
        if (pwrite(fd, from + at, PIECE, at) != PIECE)
            return -1;
    return 0;
}

static int stay_on_cpu(long number)
{
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET((int)number, &cpus);
    return mounted && sched_setaffinity(0, sizeof cpus, &cpus);
}

static int prepare(long number, char *from)
{
    char path[64];
    snprintf(path, sizeof path, FOLDER "/%ld", number);
    int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (!from || fd < 0 || close(gate[1]) || stay_on_cpu(number))
        return -1;
    fill_pattern(from, BYTES);
    return write_pass(fd, from) ? -1 : fd;
}

/* Makes its file, says whether that went well, waits until the gate is closed, and
 * writes PASSES times. */
static int writer(long number)
{
    char *from = page_buffer(BYTES), byte;
    int fd = prepare(number, from);
    if (write(ready[1], fd < 0 ? "n" : "y", 1) != 1 || fd < 0 || read(gate[0], &byte, 1))
        return 1;
    for (int i = 0; i < PASSES; i++)
        if (write_pass(fd, from))
            return 1;
    return 0;
}

/* Natively, where the runner is not the first process, nothing is mounted, and there may
 * be fewer CPUs. */
static int setup(struct run *run)
{
    if (getppid() == 1 && sysconf(_SC_NPROCESSORS_ONLN) < run->bench->arg)
        return bench_fail(run, "too-few-cpus");
    if (chdir(run->scratch) || mkdir(FOLDER, 0755))
        return bench_fail(run, "mkdir");
    if (getppid() == 1 && mount("tmpfs", FOLDER, "tmpfs", 0, NULL))
        return bench_fail(run, "no-file-system");
    mounted = getppid() == 1;
    return 0;
}

static int start_all(struct run *run)
{
    for (long i = 0; i < run->bench->arg; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(writer(i));
        if (pid < 0)
            return bench_fail(run, "fork");
    }
    return 0;
}

/* Starts the writers, and waits until each is at the gate. */
static int before(struct run *run)
{
    char byte;
    if (pipe(gate) || pipe(ready))
        return bench_fail(run, "pipe");
    int failed = start_all(run) || close(gate[0]) || close(ready[1]);
    for (long left = run->bench->arg; !failed && left; left--)
        if (read(ready[0], &byte, 1) != 1 || byte != 'y')
            failed = bench_fail(run, "writer");
    return close(ready[0]) || failed ? -1 : 0;
}

static int body(struct run *run, uint64_t count)
{
    int failed = close(gate[1]), status;
    (void)count;
    while (wait(&status) > 0)
        failed |= status;
    return failed ? bench_fail(run, "writer") : 0;
}

/* Every file has what its writer wrote. */
static int check(struct run *run)
{
    static unsigned char text[BYTES + 1];
    static _Alignas(uint64_t) unsigned char wanted[BYTES];
    char path[64];
    fill_pattern(wanted, BYTES);
    for (long i = 0; i < run->bench->arg; i++) {
        snprintf(path, sizeof path, FOLDER "/%ld", i);
        int fd = open(path, O_RDONLY);
        ssize_t n = read(fd, text, sizeof text);
        if (close(fd) || n != BYTES || memcmp(text, wanted, BYTES))
            return bench_fail(run, "wrong-file");
    }
    return 0;
}

static void teardown(struct run *run)
{
    close(gate[1]);
    while (wait(NULL) > 0)
        ;
    if (mounted)
        umount(FOLDER);
    scrub(run->scratch);
}

#define FILL(n)                                                             \
    BENCHMARK(fill_memory_##n, .metric = "MB/s", .bytes = n * PASSES * BYTES,    \
              .count = 1, .batches = 3, .arg = n, .setup = setup, .before = before, \
              .body = body, .check = check, .teardown = teardown)

FILL(1);
FILL(2);
FILL(4);
FILL(8);
FILL(12);
