/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs and child processes for benchmarks. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* Closes standard output to the program, because it belongs to the protocol. Until
 * execvp it runs on the parent's memory, which it leaves alone. */
static void become(char *const argv[])
{
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(127);
}

int run_process(char *const argv[])
{
    int status;
    /* As shells of the time did: a fork costs more than many a program. */
    pid_t pid = vfork();
    if (pid < 0)
        return -1;
    if (pid == 0)
        become(argv);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Forks a child for each count, which ends at once with a different status. */
int fork_and_wait(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int status, code = 1 + (int)(i % 100);
        pid_t child = fork();
        if (child == 0)
            _exit(code);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return bench_fail(run, "fork");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
            return bench_fail(run, "wrong-status");
    }
    return 0;
}

/* Pins to the first CPU that this process may use. */
int pin_to_one_cpu(void)
{
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        return -1;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed)) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            return sched_setaffinity(0, sizeof one, &one);
        }
    return -1;
}
