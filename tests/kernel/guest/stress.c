/* SPDX-License-Identifier: BSD-3-Clause */
/* PID 1 of the stress test: processes that work on a tmpfs and on ext2 over the RAM disk, all at
 * once. At the end what they left is checked; the lock's counters, and what lockdep says of
 * itself where it is built in, are printed. The kernel's command line has workers=N and rounds=N. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"

#define DISK "/dev/ram0"
#define BUSYBOX "/bin/busybox"

static const char *const mounts[] = {"/tmp", "/mnt"};

_Noreturn void stress_fail(const char *what, const char *file, int line)
{
    printf("@stress fail %s:%d errno=%d %s\n", file, line, errno, what);
    if (getpid() == 1)
        reboot(RB_POWER_OFF);
    _exit(99);
}

/* Knuth's MMIX generator; the upper bits are the random ones. */
unsigned worker_random(struct worker *w, unsigned below)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (w->random >> 33) % below;
}

/* A file in the worker's directory; the last two names stay valid. */
const char *worker_path(const struct worker *w, const char *name)
{
    static char path[2][96];
    static int next;
    next = !next;
    snprintf(path[next], sizeof path[next], "%s/%s", w->home, name);
    return path[next];
}

void write_whole(int fd, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t n = write(fd, (const char *)data + done, bytes - done);
        CHECK(n > 0);
        done += n;
    }
}

void read_whole(int fd, void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t n = read(fd, (char *)data + done, bytes - done);
        CHECK(n > 0);
        done += n;
    }
}

void reap(pid_t pid, int status)
{
    int ended;
    CHECK(waitpid(pid, &ended, 0) == pid && ended == status);
}

size_t text_fill(unsigned char *text, uint32_t seed, size_t bytes)
{
    uint32_t size = bytes;
    memcpy(text, &seed, 4);
    memcpy(text + 4, &size, 4);
    for (size_t i = 8; i < bytes; i++)
        text[i] = (seed = seed * 1664525 + 1013904223) >> 24;
    return bytes;
}

void text_check(const unsigned char *text, size_t bytes)
{
    static unsigned char wanted[TEXT_MAX];
    uint32_t seed, size;
    memcpy(&seed, text, 4);
    memcpy(&size, text + 4, 4);
    CHECK(size == bytes && bytes <= TEXT_MAX);
    CHECK(memcmp(wanted, text, text_fill(wanted, seed, bytes)) == 0);
}

static void copy_file(const char *from, const char *to, int mode)
{
    static char part[65536];
    ssize_t n;
    int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_WRONLY, mode);
    CHECK(in >= 0 && out >= 0);
    while ((n = read(in, part, sizeof part)) > 0)
        write_whole(out, part, n);
    CHECK(n == 0 && close(in) == 0 && close(out) == 0);
}

static void make_ext2(void)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execl(BUSYBOX, BUSYBOX, "mke2fs", "-b", "4096", "-i", "8192", DISK, NULL);
        _exit(127);
    }
    reap(child, 0);
}

static void prepare(void)
{
    char path[64];
    for (const char *const *at = (const char *const[]){"/proc", "/dev", "/tmp", "/mnt", NULL}; *at; at++)
        CHECK(mkdir(*at, 0755) == 0 || errno == EEXIST);
    CHECK(mount("proc", "/proc", "proc", 0, NULL) == 0);
    CHECK(mount("tmpfs", "/tmp", "tmpfs", 0, NULL) == 0);
    CHECK(mknod(DISK, S_IFBLK | 0600, makedev(1, 0)) == 0);
    make_ext2();
    CHECK(mount(DISK, "/mnt", "ext2", 0, NULL) == 0);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/shared", mounts[i]);
        CHECK(mkdir(path, 0755) == 0);
        snprintf(path, sizeof path, "%s/log", mounts[i]);
        CHECK(close(creat(path, 0644)) == 0);
        snprintf(path, sizeof path, "%s/counter", mounts[i]);
        CHECK(close(creat(path, 0644)) == 0 && truncate(path, 4096) == 0);
        snprintf(path, sizeof path, "%s/program", mounts[i]);
        copy_file(SELF, path, 0755);
    }
}

/* Each job equally often, starting with another one in each worker: the sums are known. */
static void work(int number, int rounds)
{
    struct worker w = {.number = number, .mount = mounts[number % 2], .random = number + 1};
    snprintf(w.home, sizeof w.home, "%s/%d", w.mount, number);
    CHECK(mkdir(w.home, 0755) == 0);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < stress_job_count; i++)
            stress_jobs[(number / 2 + i) % stress_job_count](&w);
    CHECK(rmdir(w.home) == 0);
}

/* On each file system half of the workers appended and counted once a round. */
static void check_rest(const char *mount, int wanted)
{
    char path[64], record[LOG_RECORD];
    int count, records = 0;
    snprintf(path, sizeof path, "%s/log", mount);
    int fd = open(path, O_RDONLY);
    for (ssize_t n; (n = read(fd, record, sizeof record)) != 0; records++) {
        CHECK(n == LOG_RECORD && record[LOG_RECORD - 1] == '\n');
        CHECK(memchr(record, '\n', LOG_RECORD) == record + LOG_RECORD - 1);
    }
    CHECK(close(fd) == 0 && records == wanted);
    snprintf(path, sizeof path, "%s/counter", mount);
    fd = open(path, O_RDONLY);
    read_whole(fd, &count, sizeof count);
    CHECK(close(fd) == 0 && count == wanted);
}

static void print_file(const char *path, const char *mark)
{
    char line[256];
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file))
        printf("@%s %s", mark, line);
    CHECK(fclose(file) == 0);
}

static long long now_ns(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void reset_counters(void)
{
    int fd = open("/proc/giant_vfs", O_WRONLY);
    CHECK(fd >= 0);
    write_whole(fd, "0", 1);
    CHECK(close(fd) == 0);
}

static int parameter(const char *name)
{
    const char *value = getenv(name);
    CHECK(value && atoi(value) > 0);
    return atoi(value);
}

static void run(int workers, int rounds)
{
    pid_t *pid = calloc(workers, sizeof *pid);
    CHECK(pid);
    for (int i = 0; i < workers; i++) {
        pid[i] = fork();
        CHECK(pid[i] >= 0);
        if (pid[i] == 0) {
            work(i, rounds);
            _exit(0);
        }
    }
    for (int i = 0; i < workers; i++)
        reap(pid[i], 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && getpid() != 1)
        return atoi(argv[1]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    prepare();
    int workers = parameter("workers"), rounds = parameter("rounds");
    long long began = now_ns();
    reset_counters();
    run(workers, rounds);
    print_file("/proc/giant_vfs", "giant");
    printf("@stress ns=%lld\n", now_ns() - began);
    for (int i = 0; i < 2; i++)
        check_rest(mounts[i], workers / 2 * rounds);
    CHECK(umount("/mnt") == 0 && mount(DISK, "/mnt", "ext2", 0, NULL) == 0);
    check_rest("/mnt", workers / 2 * rounds);
    CHECK(umount("/mnt") == 0);
    print_file("/proc/lockdep_stats", "lockdep");
    printf("@stress ok\n");
    reboot(RB_POWER_OFF);
}
