/* SPDX-License-Identifier: BSD-3-Clause */
/* What a server of reflected calls answers itself: identity, names, and reads and
 * writes of descriptors that it knows as /dev/null. Each must be what the kernel
 * would have answered, also after the descriptor or the identity has changed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define REAL "calls.real"

static int fails(long result, int number)
{
    return result == -1 && errno == number;
}

static int plain(void)
{
    char byte = 'x';
    int in = open("/dev/null", O_RDONLY), out = open("/dev/null", O_WRONLY);
    int ok = in >= 0 && out >= 0 && read(in, &byte, 1) == 0 && write(out, &byte, 1) == 1 &&
             write(out, &byte, 0) == 0 && fails(read(out, &byte, 1), EBADF) &&
             fails(write(in, &byte, 1), EBADF) && syscall(SYS_write, out, ~0ul, 1) == -1;
    ok &= close(in) == 0 && close(out) == 0;
    return ok && fails(write(out, &byte, 1), EBADF) && fails(read(in, &byte, 1), EBADF);
}

/* The same number is a real file, /dev/null and a real file again. */
static int reused(void)
{
    char bytes[4] = "ab";
    int real = open(REAL, O_CREAT | O_TRUNC | O_RDWR, 0644);
    int null = open("/dev/null", O_RDWR), kept = dup(real);
    int ok = real >= 0 && null >= 0 && kept >= 0 && dup2(null, real) == real &&
             write(real, "zz", 2) == 2 && read(real, bytes, 2) == 0;
    ok &= dup2(kept, null) == null && write(null, "cd", 2) == 2 && write(kept, "ef", 2) == 2;
    ok &= lseek(kept, 0, SEEK_SET) == 0 && read(null, bytes, 4) == 4 && !memcmp(bytes, "cdef", 4);
    int high = fcntl(real, F_DUPFD, 40);
    ok &= high >= 40 && write(high, "x", 1) == 1 && close(high) == 0;
    close(real);
    close(null);
    close(kept);
    return ok && fails(write(high, "x", 1), EBADF) && unlink(REAL) == 0;
}

static int path_only(void)
{
    int fd = open("/dev/null", O_PATH);
    int ok = fd >= 0 && fails(write(fd, "x", 1), EBADF);
    return ok & !close(fd);
}

static int shared_with_child(void)
{
    int status, fd = open("/dev/null", O_WRONLY);
    pid_t pid = fork();
    if (pid == 0)
        _exit(write(fd, "x", 1) == 1 && !close(fd) && fails(write(fd, "x", 1), EBADF) ? 0 : 1);
    int ok = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
    return ok && write(fd, "x", 1) == 1 && close(fd) == 0;
}

/* Needs root; where there is none, nothing can change. */
static int identity(void)
{
    int status;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        int ok = getpid() != parent && getppid() == parent && syscall(SYS_gettid) == getpid();
        if (getuid() == 0)
            ok &= !setresgid(5, 6, 7) && !setresuid(2, 3, 4) && getuid() == 2 &&
                  geteuid() == 3 && getgid() == 5 && getegid() == 6;
        _exit(ok ? 0 : 1);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && getpid() == parent;
}

static int names(void)
{
    struct utsname names;
    return !uname(&names) && !strcmp(names.sysname, "Linux") && strlen(names.release) > 2 &&
           strlen(names.machine) > 2;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!plain())
            return bench_fail(run, "plain");
        if (!reused())
            return bench_fail(run, "reused");
        if (!path_only())
            return bench_fail(run, "path-only");
        if (!shared_with_child())
            return bench_fail(run, "child");
        if (!identity())
            return bench_fail(run, "identity");
        if (!names())
            return bench_fail(run, "names");
    }
    return 0;
}

BENCHMARK(null_device, .metric = "us", .count = 1, .batches = 2, .body = body);
