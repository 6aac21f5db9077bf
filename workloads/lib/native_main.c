/* SPDX-License-Identifier: BSD-3-Clause */
/* osgap-bench: the same benchmarks on the machine that built them, orders on
 * standard input. --list names them. --instructions NAME counts what one of a
 * benchmark's operations executes, step by step. --synchronous says by its status
 * whether $OSGAP_SCRATCH can be as the guest's first file system is, which it is
 * made with $OSGAP_SYNCHRONOUS. */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* Stops before and after so many operations, for its parent to count between. */
static void traced(const struct bench *bench, uint64_t count)
{
    struct run run = {.bench = bench, .scratch = "/", .reason = "check"};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || (bench->setup && bench->setup(&run)) ||
        bench->body(&run, 1))
        _exit(1);
    raise(SIGSTOP);
    int failed = bench->body(&run, count);
    raise(SIGSTOP);
    _exit(failed || (bench->check && bench->check(&run)));
}

static int stopped_by(pid_t pid, int signal)
{
    int status;
    return waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && WSTOPSIG(status) == signal;
}

/* Instructions from one stop to the other, and those of the stops; 0 for a failure. */
static uint64_t steps(const struct bench *bench, uint64_t count)
{
    uint64_t total = 0;
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        traced(bench, count);
    if (pid < 0 || !stopped_by(pid, SIGSTOP))
        return 0;
    do {
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
            break;
        total++;
    } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    int counted = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    waitpid(pid, &status, 0);
    return counted && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? total : 0;
}

/* The stops cost the same whatever is between them. */
static int instructions(const char *name)
{
    const struct bench *bench = bench_named(name);
    if (!bench) {
        fprintf(stderr, "osgap-bench: %s: no such benchmark\n", name);
        return 2;
    }
    uint64_t one = steps(bench, 1), three = one ? steps(bench, 3) : 0;
    if (three <= one) {
        fprintf(stderr, "osgap-bench: %s: its instructions cannot be counted here\n", name);
        return 1;
    }
    printf("%" PRIu64 "\n", (three - one) / 2);
    return 0;
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

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--list"))
        return list();
    if (argc == 2 && !strcmp(argv[1], "--synchronous"))
        return in_scratch(try_synchronous);
    if (argc == 3 && !strcmp(argv[1], "--instructions"))
        return instructions(argv[2]);
    if (argc == 1)
        return in_scratch(run_orders);
    fprintf(stderr, "usage: osgap-bench [--list | --synchronous | --instructions NAME] < ORDERS\n");
    return 2;
}
