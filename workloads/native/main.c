/* SPDX-License-Identifier: BSD-3-Clause */
/* osgap-bench: the same benchmarks on the machine that built them, orders on
 * standard input. --list names them. --instructions NAME counts what one of a
 * benchmark's operations executes (by perf or by steps). --clock says the kHz of the
 * core, --misaligned the ns of a load that is not aligned. --synchronous says by its
 * status whether $OSGAP_SCRATCH can be as the guest's first file system is, which it is
 * made with $OSGAP_SYNCHRONOUS. $OSGAP_CPU is the one CPU to use. */
#define _GNU_SOURCE
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "count.h"
#include "runner.h"

static long from_stdin(void *buffer, size_t bytes)
{
    return read(STDIN_FILENO, buffer, bytes);
}

static int list(void)
{
    const char *fault = registry_fault();
    for (unsigned i = 0; i < bench_total(); i++)
        printf("%s/%s\n", bench_at(i)->suite, bench_at(i)->name);
    if (fault)
        fprintf(stderr, "osgap-bench: %s\n", fault);
    return fault ? 1 : 0;
}

/* Counted by perf where that works, else by steps; with `only`, by nothing else. */
static int instructions(const char *name, const char *only)
{
    const struct bench *bench = bench_named(name);
    const char *how = only ? only : "perf";
    if (!bench) {
        fprintf(stderr, "osgap-bench: %s: no such benchmark\n", name);
        return 2;
    }
    uint64_t found = strcmp(how, "perf") ? 0 : count_by_perf(bench);
    if (!found && !(only && !strcmp(only, "perf"))) {
        how = "steps";
        found = count_by_steps(bench);
    }
    if (!found) {
        fprintf(stderr, "osgap-bench: %s: its instructions cannot be counted here\n", name);
        return 1;
    }
    printf("%" PRIu64 " %s\n", found, how);
    return 0;
}

/* From here on only this CPU, and so all that is started. */
static int pin(const char *text)
{
    uint64_t cpu;
    cpu_set_t one;
    char number[16];
    snprintf(number, sizeof number, "%s", text);
    CPU_ZERO(&one);
    if (parse_number(number, CPU_SETSIZE - 1, &cpu))
        return -1;
    CPU_SET((int)cpu, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

static char scratch[256];

/* As unix, what changes in the scratch directory is on the disk before the call
 * returns, as on the guest's; -1 where the file system cannot. Files inherit it. */
static int choose(enum fs fs)
{
    int fd = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int flags = 0, failed = fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags);
    flags &= ~(FS_SYNC_FL | FS_DIRSYNC_FL);
    if (fs == FS_WORD_UNIX)
        flags |= FS_SYNC_FL | FS_DIRSYNC_FL;
    failed = failed || ioctl(fd, FS_IOC_SETFLAGS, &flags);
    if (fd >= 0)
        close(fd);
    return failed ? -1 : 0;
}

static int error(const char *word)
{
    say_error(word);
    return 1;
}

static int run_orders(void)
{
    static struct orders orders;
    struct host host = {.scratch = scratch, .fs_scratch = scratch};
    if (getenv("OSGAP_SYNCHRONOUS"))
        host.mount = choose;
    say_ready();
    const char *fault = orders_read(&orders, from_stdin);
    if (!fault && orders.marks != MARKS_NONE)
        fault = "wrong-marks";
    if (!fault && orders.calls != CALLS_DIRECT)
        fault = "no-reflect";
    if (!fault)
        fault = disk_set(&orders);
    if (!fault && (roi_open(orders.marks) || harness_open()))
        fault = "memory";
    return fault ? error(fault) : execute(&orders, &host);
}

/* A directory of our own below the given one: scratch is emptied after use. */
static int make_scratch(void)
{
    const char *given = getenv("OSGAP_SCRATCH");
    int n = snprintf(scratch, sizeof scratch, "%s/osgap-bench.XXXXXX", given ? given : "/tmp");
    return n < (int)sizeof scratch && mkdtemp(scratch) ? 0 : -1;
}

static int in_scratch(int (*work)(void))
{
    if (make_scratch())
        return error("scratch");
    int code = work();
    scrub(scratch);
    rmdir(scratch);
    return code;
}

/* Whether the file system can be synchronous: status 0 or 1. */
static int try_synchronous(void)
{
    return choose(FS_WORD_UNIX) ? 1 : 0;
}

/* The name of the hypervisor; status 1 without one, or where the processor names none. */
static int hypervisor(void)
{
#if defined(__x86_64__)
    unsigned a, name[4] = {0};
    if (__get_cpuid(1, &a, &name[0], &name[1], &name[2]) && name[1] >> 31) {
        __cpuid(0x40000000, a, name[0], name[1], name[2]);
        name[3] = 0;
        return printf("%.12s\n", (const char *)name) < 0;
    }
#endif
    return 1;
}

/* Status 1 where nothing is to be told. */
static int misaligned(void)
{
    uint64_t ns = misaligned_ns();
    return ns ? printf("%" PRIu64 "\n", ns) < 0 : 1;
}

int main(int argc, char **argv)
{
    const char *cpu = getenv("OSGAP_CPU");
    if (cpu && pin(cpu)) {
        fprintf(stderr, "osgap-bench: OSGAP_CPU: found %s; allowed: a CPU that may be used\n", cpu);
        return 2;
    }
    if (argc == 2 && !strcmp(argv[1], "--list"))
        return list();
    if (argc == 2 && !strcmp(argv[1], "--clock"))
        return printf("%" PRIu64 "\n", clock_khz()) < 0;
    if (argc == 2 && !strcmp(argv[1], "--misaligned"))
        return misaligned();
    if (argc == 2 && !strcmp(argv[1], "--hypervisor"))
        return hypervisor();
    if (argc == 2 && !strcmp(argv[1], "--synchronous"))
        return in_scratch(try_synchronous);
    if ((argc == 3 || argc == 4) && !strcmp(argv[1], "--instructions"))
        return instructions(argv[2], argv[3]);
    if (argc == 1)
        return in_scratch(run_orders);
    fprintf(stderr, "usage: osgap-bench [--list | --synchronous | --clock |"
                    " --misaligned | --hypervisor | --instructions NAME [perf|steps]] < ORDERS\n");
    return 2;
}
