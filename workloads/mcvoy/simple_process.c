/* SPDX-License-Identifier: BSD-3-Clause */
/* Fork a process that becomes a tiny static program, and wait for it; the same
 * by way of the shell. On other machines OSGAP_HELLO names the program. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define GREETING "hello\n"

static const char *hello;
static int null;

/* The shell gets the name as its script, so it may hold no word of the shell's. */
static int is_plain(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789/._-";
    return path[strspn(path, plain)] == '\0';
}

/* Exit status of the program, or -1; its output goes to `out`. */
static int start_and_wait(int by_shell, int out)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(out, STDOUT_FILENO);
        if (by_shell)
            execl("/bin/sh", "sh", "-c", hello, (char *)NULL);
        else
            execl(hello, "hello", (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The untimed pass is one that is listened to: it is that program. */
static int hear(struct run *run)
{
    char text[sizeof GREETING];
    int ends[2];
    if (pipe(ends) || start_and_wait((int)run->bench->arg, ends[1]) != 0)
        return bench_fail(run, "wrong-status");
    close(ends[1]);
    ssize_t n = read(ends[0], text, sizeof text);
    close(ends[0]);
    return n != sizeof GREETING - 1 || memcmp(text, GREETING, (size_t)n)
               ? bench_fail(run, "wrong-greeting") : 0;
}

static int setup(struct run *run)
{
    const char *given = getenv("OSGAP_HELLO");
    hello = given ? given : "/bin/hello";
    if (!is_plain(hello) || access(hello, X_OK))
        return bench_fail(run, "no-hello");
    null = open("/dev/null", O_WRONLY);
    return null < 0 ? bench_fail(run, "no-dev-null") : hear(run);
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (start_and_wait((int)run->bench->arg, null) != 0)
            return bench_fail(run, "wrong-status");
    return 0;
}

/* arg: whether the shell starts it */
BENCHMARK(simple_process, .metric = "us", .count = 1, .batches = 2,
          .flags = BENCH_NO_WARM_UP, .arg = 0, .setup = setup, .body = body);
BENCHMARK(sh_process, .metric = "us", .count = 1, .batches = 2,
          .flags = BENCH_NO_WARM_UP, .arg = 1, .setup = setup, .body = body);
