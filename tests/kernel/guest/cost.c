/* SPDX-License-Identifier: BSD-3-Clause */
/* PID 1: what the paths cost that Giant has hooks in. Under QEMU's -icount shift=0 a nanosecond
 * of the guest's clock is one instruction. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILE_NAME "/file"
#define PAGES 64
#define PAGE 4096

static int from_parent[2], to_parent[2];
static char block[PAGES * PAGE];

static void need(int ok, const char *what)
{
    if (ok)
        return;
    printf("@cost fail %s\n", what);
    reboot(RB_POWER_OFF);
}

static void call(void)
{
    syscall(SYS_getppid);
}

static void look(void)
{
    struct stat st;
    need(stat(FILE_NAME, &st) == 0, "stat");
}

static void open_read_close(void)
{
    int fd = open(FILE_NAME, O_RDONLY);
    need(fd >= 0 && read(fd, block, PAGE) == PAGE && close(fd) == 0, "read");
}

static void create_unlink(void)
{
    int fd = open("/new", O_CREAT | O_EXCL | O_WRONLY, 0600);
    need(fd >= 0 && write(fd, block, PAGE) == PAGE && close(fd) == 0, "write");
    need(unlink("/new") == 0, "unlink");
}

static void fault(void)
{
    int fd = open(FILE_NAME, O_RDONLY);
    volatile char *map = mmap(NULL, sizeof block, PROT_READ, MAP_SHARED, fd, 0);
    need(fd >= 0 && map != MAP_FAILED && close(fd) == 0, "mmap");
    for (int i = 0; i < PAGES; i++)
        (void)map[i * PAGE];
    need(munmap((void *)map, sizeof block) == 0, "munmap");
}

static void round_trip(void)
{
    char token = 'x';
    need(write(from_parent[1], &token, 1) == 1 && read(to_parent[0], &token, 1) == 1, "pipe");
}

static void make_process(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    need(child > 0 && waitpid(child, &status, 0) == child && status == 7 << 8, "fork");
}

static void start_program(void)
{
    int status;
    pid_t child = vfork();
    if (child == 0) {
        execl("/init", "/init", "end", NULL);
        _exit(1);
    }
    need(child > 0 && waitpid(child, &status, 0) == child && status == 8 << 8, "exec");
}

static const struct {
    const char *name;
    void (*body)(void);
    int count;
} costs[] = {
    {"call", call, 20000},           {"look", look, 5000},
    {"open_read_close", open_read_close, 2000}, {"create_unlink", create_unlink, 2000},
    {"fault", fault, 500},           {"round_trip", round_trip, 2000},
    {"make_process", make_process, 200}, {"start_program", start_program, 100},
};

static long long now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The other process of the round trip: sends back what it is sent. */
static void echo(void)
{
    char token;
    while (read(from_parent[0], &token, 1) == 1)
        need(write(to_parent[1], &token, 1) == 1, "echo");
    _exit(0);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 2 && getpid() != 1)
        return 8;
    int fd = open(FILE_NAME, O_CREAT | O_WRONLY, 0600);
    need(fd >= 0 && write(fd, block, sizeof block) == sizeof block && close(fd) == 0, "file");
    need(pipe(from_parent) == 0 && pipe(to_parent) == 0, "pipes");
    if (fork() == 0)
        echo();
    for (unsigned i = 0; i < sizeof costs / sizeof *costs; i++) {
        costs[i].body();
        long long began = now_ns();
        for (int n = 0; n < costs[i].count; n++)
            costs[i].body();
        printf("@cost %s %.1f\n", costs[i].name, (double)(now_ns() - began) / costs[i].count);
    }
    fflush(stdout);
    reboot(RB_POWER_OFF);
}
