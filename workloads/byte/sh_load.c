/* SPDX-License-Identifier: BSD-3-Clause */
/* A shell script of six utilities (data/load.sh), 1, 2, 4 or 8 copies at once: a
 * new shell each, all started before the first is waited for. The utilities are
 * processes that the shell forks and execs, as in 1990: the script gives their
 * paths, as busybox's shell would run an applet by its name without an exec. On
 * the first file system, as his was a real one. One count is a round of all. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define SHELL "/bin/sh"
#define INPUT "words.txt"
#define TEXT_BYTES 8192
#define MAX_COPIES 8

static const char *const outputs[] = {"sorted", "octal", "matched", "counted"};
#define OUTPUTS (sizeof outputs / sizeof *outputs)

static const char *data;
static char script[512];
static char expected[OUTPUTS][TEXT_BYTES];
static char found[TEXT_BYTES];

static ssize_t load(const char *path, char *text)
{
    int fd = open(path, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, TEXT_BYTES - 1);
    if (fd >= 0)
        close(fd);
    text[n < 0 ? 0 : n] = '\0';
    return n;
}

static int copy_input(const char *scratch)
{
    char from[512], to[512];
    if (join_path(from, sizeof from, data, INPUT) || join_path(to, sizeof to, scratch, INPUT))
        return -1;
    ssize_t n = load(from, found);
    int fd = n <= 0 ? -1 : open(to, O_CREAT | O_EXCL | O_WRONLY, 0644);
    int failed = fd < 0 || write_all(fd, found, (size_t)n);
    return fd >= 0 && close(fd) ? -1 : failed;
}

static int setup(struct run *run)
{
    char path[512], name[64];
    const char *given = getenv("OSGAP_BYTE");
    data = given ? given : "/usr/share/byte";
    for (unsigned i = 0; i < OUTPUTS; i++) {
        snprintf(name, sizeof name, "expected/%s.txt", outputs[i]);
        if (join_path(path, sizeof path, data, name) || load(path, expected[i]) <= 0)
            return bench_fail(run, "no-data");
    }
    if (join_path(script, sizeof script, data, "load.sh") || access(script, R_OK) ||
        copy_input(run->scratch))
        return bench_fail(run, "no-data");
    setenv("LC_ALL", "C", 1);
    return chdir(run->scratch) ? bench_fail(run, "chdir") : 0;
}

/* Standard output belongs to the protocol. */
static pid_t start(char *number)
{
    pid_t pid = vfork();
    if (pid)
        return pid;
    int null = open("/dev/null", O_RDWR);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    execl(SHELL, SHELL, script, number, (char *)NULL);
    _exit(127);
}

static int wait_for(pid_t pid)
{
    int status;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int round_of(long copies)
{
    static char numbers[MAX_COPIES][2];
    pid_t pids[MAX_COPIES];
    int failed = 0;
    for (long i = 0; i < copies; i++) {
        numbers[i][0] = (char)('1' + i);
        pids[i] = start(numbers[i]);
    }
    for (long i = 0; i < copies; i++)
        failed |= pids[i] < 0 || wait_for(pids[i]);
    return failed;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (round_of(run->bench->arg))
            return bench_fail(run, "script");
    return 0;
}

/* Word by word: utilities differ in their blanks. */
static int same_words(char *a, char *b)
{
    static const char blanks[] = " \t\n";
    char *rest_a, *rest_b;
    a = strtok_r(a, blanks, &rest_a);
    b = strtok_r(b, blanks, &rest_b);
    while (a && b && !strcmp(a, b)) {
        a = strtok_r(NULL, blanks, &rest_a);
        b = strtok_r(NULL, blanks, &rest_b);
    }
    return !a && !b;
}

static int check(struct run *run)
{
    static char wanted[TEXT_BYTES];
    char path[64];
    for (long copy = 1; copy <= run->bench->arg; copy++)
        for (unsigned i = 0; i < OUTPUTS; i++) {
            snprintf(path, sizeof path, "%s.%ld", outputs[i], copy);
            strcpy(wanted, expected[i]);
            if (load(path, found) <= 0 || !same_words(found, wanted))
                return bench_fail(run, "wrong-output");
        }
    return 0;
}

static void teardown(struct run *run)
{
    scrub(run->scratch);
}

#define LOAD(copies)                                                        \
    BENCHMARK(sh_load_##copies, .metric = "ms", .count = 1, .batches = 1,   \
              .flags = FS_FIRST | BENCH_NO_WARM_UP | BENCH_MODES, .arg = copies,  \
              .setup = setup, .body = body, .check = check, .teardown = teardown)

LOAD(1);
LOAD(2);
LOAD(4);
LOAD(8);
