/* SPDX-License-Identifier: BSD-3-Clause */
/* Simple system calls, as lmbench 3's lat_syscall has them: getppid, one byte from
 * /dev/zero, one byte to /dev/null, and stat of an empty file in var/tmp. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench.h"

#define FILE_NAME "var/tmp/lmbench"          /* /var/tmp/lmbench there: three steps */

static pid_t parent;
static int device;
static struct stat status;

static int setup_null(struct run *run)
{
    (void)run;
    parent = getppid();
    return 0;
}

static int body_null(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (getppid() != parent)
            return bench_fail(run, "wrong-parent");
    return 0;
}

/* The guest has no /dev/zero of its own. */
static int setup_read(struct run *run)
{
    if (access("/dev/zero", F_OK))
        mknod("/dev/zero", S_IFCHR | 0666, makedev(1, 5));
    device = open("/dev/zero", O_RDONLY);
    return device < 0 ? bench_fail(run, "no-dev-zero") : 0;
}

static int body_read(struct run *run, uint64_t count)
{
    char byte = 1;
    for (uint64_t i = 0; i < count; i++)
        if (read(device, &byte, 1) != 1)
            return bench_fail(run, "short-read");
    return byte ? bench_fail(run, "wrong-data") : 0;
}

static int setup_write(struct run *run)
{
    device = open("/dev/null", O_WRONLY);
    return device < 0 ? bench_fail(run, "no-dev-null") : 0;
}

static int body_write(struct run *run, uint64_t count)
{
    char byte = 0;
    for (uint64_t i = 0; i < count; i++)
        if (write(device, &byte, 1) != 1)
            return bench_fail(run, "short-write");
    return 0;
}

static int setup_stat(struct run *run)
{
    if (chdir(run->scratch) || mkdir("var", 0755) || mkdir("var/tmp", 0755) ||
        close(open(FILE_NAME, O_CREAT | O_EXCL | O_WRONLY, 0644)))
        return bench_fail(run, "make-file");
    return 0;
}

static int body_stat(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (stat(FILE_NAME, &status))
            return bench_fail(run, "stat");
    return 0;
}

static int check_stat(struct run *run)
{
    return !S_ISREG(status.st_mode) || status.st_size ? bench_fail(run, "wrong-file") : 0;
}

static void teardown_stat(struct run *run)
{
    scrub(run->scratch);
}

BENCHMARK(syscall_null, .metric = "us", .count = 200, .batches = 3, .setup = setup_null,
          .body = body_null);
BENCHMARK(syscall_read, .metric = "us", .count = 100, .batches = 3, .setup = setup_read,
          .body = body_read);
BENCHMARK(syscall_write, .metric = "us", .count = 100, .batches = 3, .setup = setup_write,
          .body = body_write);
BENCHMARK(syscall_stat, .metric = "us", .count = 30, .batches = 3, .setup = setup_stat,
          .body = body_stat, .check = check_stat, .teardown = teardown_stat);
