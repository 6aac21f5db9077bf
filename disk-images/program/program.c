/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a program of the user's: what is timed is from just before its vfork until it
 * has been waited for. It writes into a file in memory, and what the last run wrote is
 * told after all of them, also where one failed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "runner.h"

#define OUTPUT "/program/.output"
#define KEPT 65536                           /* as osgap/guest/program_output.py has it */
#define PIECE 1000                           /* bytes of a line, before they are escaped */

/* The same on every engine: /init has what the kernel's command line gave it. */
static char *const environment[] = {"HOME=/", "PATH=/bin", "TERM=dumb", NULL};
static int output = -1, nothing = -1;
static pid_t group;
static volatile int not_started;

int program_setup(struct run *run)
{
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    return nothing < 0 ? bench_fail(run, "no-null") : 0;
}

/* What a run before left goes: its output, and its processes. */
int program_before(struct run *run)
{
    if (group > 0)
        kill(-group, SIGKILL);
    if (output >= 0)
        close(output);
    output = open(OUTPUT, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    return output < 0 ? bench_fail(run, "no-output") : 0;
}

/* Until it is another program it runs on the parent's memory. */
static void become(const struct program *program)
{
    setpgid(0, 0);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0 && !chdir(program->directory))
        execve(program->argv[0], program->argv, environment);
    not_started = 1;
    _exit(127);
}

/* A function of its own: what a caller keeps in registers is no child's to change. */
__attribute__((noinline))
static pid_t start(const struct program *program)
{
    pid_t pid = vfork();
    if (pid == 0)
        become(program);
    return pid;
}

static int judge(struct run *run, int status)
{
    static char word[24];
    if (not_started)
        return bench_fail(run, "not-started");
    if (WIFSIGNALED(status))
        snprintf(word, sizeof word, "signal-%d", WTERMSIG(status));
    else
        snprintf(word, sizeof word, "status-%d", WEXITSTATUS(status));
    return status ? bench_fail(run, word) : 0;
}

int program_body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int status;
        group = start(&programs[run->bench->arg]);
        if (group < 0)
            return bench_fail(run, "fork");
        while (waitpid(group, &status, 0) < 0)
            if (errno != EINTR)
                return bench_fail(run, "wait");
        if (judge(run, status))
            return -1;
    }
    return 0;
}

/* All but plain characters as %XX, so that a line of the protocol has no other. */
static void tell_piece(const char *name, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    char line[3 * PIECE + 2], *at = line;
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] > ' ' && bytes[i] < 127 && bytes[i] != '%') {
            *at++ = (char)bytes[i];
            continue;
        }
        *at++ = '%';
        *at++ = digits[bytes[i] >> 4];
        *at++ = digits[bytes[i] & 15];
    }
    *at++ = '\n';
    *at = '\0';
    say_text("@osgap output name=");
    say_text(name);
    say_text(" text=");
    say_text(line);
}

static void tell(const char *name)
{
    static unsigned char text[KEPT];
    char line[160];
    struct stat info;
    if (output < 0 || fstat(output, &info) || lseek(output, 0, SEEK_SET))
        return;
    size_t kept = 0;
    for (ssize_t n; kept < KEPT && (n = read(output, text + kept, KEPT - kept)) > 0;)
        kept += (size_t)n;
    for (size_t at = 0; at < kept; at += PIECE)
        tell_piece(name, text + at, kept - at < PIECE ? kept - at : PIECE);
    snprintf(line, sizeof line, "@osgap printed name=%s kept=%zu bytes=%" PRId64 "\n", name,
             kept, (int64_t)info.st_size);
    say_text(line);
    say_flush();
}

void program_teardown(struct run *run)
{
    if (group > 0)
        kill(-group, SIGKILL);
    tell(run->bench->name);
    unlink(OUTPUT);
}
