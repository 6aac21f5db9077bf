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
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "runner.h"

#define OUTPUT "/program/.output"
#define KEPT 65536                           /* as osgap/guest/program_output.py has it */
#define PIECE 1000                           /* bytes of a line, before they are escaped */
#define MOST 4                               /* as osgap/image/programs.py has it */
#define MOST_WORDS 65
#define READ_LOG 3                           /* klogctl: SYSLOG_ACTION_READ_ALL */

struct program {
    const char *directory;                   /* where it starts */
    char *argv[MOST_WORDS + 1];
};

/* The same on every engine: /init has what the kernel's command line gave it. */
static char *const environment[] = {"HOME=/", "PATH=/bin", "TERM=dumb", NULL};
static struct program programs[MOST];          /* by a benchmark's arg */
static int output = -1, nothing = -1;
static pid_t group;
static volatile int not_started;

static int program_setup(struct run *run)
{
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    return nothing < 0 ? bench_fail(run, "no-null") : 0;
}

/* What a run before left goes: its output, and its processes. */
static int program_before(struct run *run)
{
    if (group > 0)
        kill(-group, SIGKILL);
    if (output >= 0)
        close(output);
    output = open(OUTPUT, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    return output < 0 ? bench_fail(run, "no-output") : 0;
}

/* Until it is another program it runs on the parent's memory. */
static void become(struct program *program)
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
static pid_t start(struct program *program)
{
    pid_t pid = vfork();
    if (pid == 0)
        become(program);
    return pid;
}

/* Where the kernel says that the last program met an illegal instruction; 0 if it does not. */
static unsigned long illegal_address(void)
{
    static const char words[] = "unhandled signal 4 code ";
    static char log[32768];
    int n = klogctl(READ_LOG, log, sizeof log - 1);
    const char *found = NULL, *at;
    log[n > 0 ? n : 0] = '\0';
    for (at = log; (at = strstr(at, words)); at += sizeof words)
        found = at;
    at = found ? strstr(found, " at 0x") : NULL;
    return at ? strtoul(at + sizeof " at " - 1, NULL, 16) : 0;
}

/* A shell ends so when its last program ended by the signal. */
static int is_illegal(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) == SIGILL
                               : WEXITSTATUS(status) == 128 + SIGILL && illegal_address();
}

/* The letters of the ISA that the kernel lets programs use. */
static void name_isa(char isa[16])
{
    unsigned long found = getauxval(AT_HWCAP);
    char *at = stpcpy(isa, "rv64");
    for (const char *letter = "imafdcv"; *letter; letter++)
        if (found >> (*letter - 'a') & 1)
            *at++ = *letter;
    *at = '\0';
}

static int judge(struct run *run, int status)
{
    static char word[64], isa[16];
    if (not_started)
        return bench_fail(run, "not-started");
    if (is_illegal(status)) {
        name_isa(isa);
        snprintf(word, sizeof word, "illegal-%lx-%s", illegal_address(), isa);
    } else if (WIFSIGNALED(status))
        snprintf(word, sizeof word, "signal-%d", WTERMSIG(status));
    else
        snprintf(word, sizeof word, "status-%d", WEXITSTATUS(status));
    return status ? bench_fail(run, word) : 0;
}

static int program_body(struct run *run, uint64_t count)
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

static void program_teardown(struct run *run)
{
    if (group > 0)
        kill(-group, SIGKILL);
    tell(run->bench->name);
    unlink(OUTPUT);
}

#define SLOT(n)                                                             \
    {.suite = "program", .name = "no-program-" #n, .metric = "ms", .count = 1, .batches = 1,       \
     .flags = BENCH_NO_WARM_UP, .arg = n, .setup = program_setup, .before = program_before,        \
     .body = program_body, .teardown = program_teardown}
static struct bench slots[MOST] = {SLOT(0), SLOT(1), SLOT(2), SLOT(3)};
static const struct bench *const registered[MOST]
    __attribute__((section("osgap_benches"), used)) = {slots, slots + 1, slots + 2, slots + 3};

/* The next string of a list, NULL at its end. */
static char *next_string(char **at, const char *end)
{
    char *text = *at;
    size_t length = text < end ? strnlen(text, (size_t)(end - text)) : 0;
    if (text + length >= end)
        return NULL;
    *at = text + length + 1;
    return text;
}

int program_register(char *list, const char *end)
{
    for (unsigned i = 0; list < end; i++) {
        if (i == MOST)
            return -1;
        struct program *program = &programs[i];
        const char *name = next_string(&list, end), *words;
        program->directory = next_string(&list, end);
        words = next_string(&list, end);
        unsigned long number = words ? strtoul(words, NULL, 10) : 0;
        if (!number || number > MOST_WORDS || !is_word(name))
            return -1;
        for (unsigned long k = 0; k < number; k++)
            if (!(program->argv[k] = next_string(&list, end)))
                return -1;
        slots[i].name = name;
    }
    return 0;
}
