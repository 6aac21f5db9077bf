/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes and programs: what a shell does, what exec keeps and refuses, and more
 * killed processes than a server of reflected calls has room for. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define KILLED 300

/* Standard output of a program, and its status. */
static int output_of(char *const argv[], char *text, size_t bytes, int *status)
{
    int ends[2];
    size_t length = 0;
    if (pipe2(ends, O_CLOEXEC))
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv(argv[0], argv);
        _exit(126);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], text + length, bytes - 1 - length)) > 0;)
        length += (size_t)n;
    text[length] = '\0';
    close(ends[0]);
    return pid > 0 && waitpid(pid, status, 0) == pid ? 0 : -1;
}

static int says(char *const argv[], const char *wanted, int code)
{
    char text[256];
    int status;
    return !output_of(argv, text, sizeof text, &status) && !strcmp(text, wanted) &&
           WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static int shell(const char *line, const char *wanted, int code)
{
    return says((char *[]){"/bin/sh", "-c", (char *)(uintptr_t)line, "name", NULL}, wanted, code);
}

static int shells(void)
{
    return shell("echo $0 one | cat | cat; exit 7", "name one\n", 7) &&
           shell("(echo a; echo b) | while read l; do echo $l$l; done", "aa\nbb\n", 0) &&
           shell("x=$(/bin/sh -c 'echo $((6*7))'); echo $x >/dev/null; echo $x", "42\n", 0) &&
           shell("trap 'echo bye' EXIT; cat /no/such 2>/dev/null || echo none", "none\nbye\n", 0) &&
           shell("/bin/sh -c 'sleep 0 & wait; exit 3'; echo $?", "3\n", 0);
}

static int write_script(const char *path, const char *text, mode_t mode)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    int failed = fd < 0 || write_all(fd, text, strlen(text));
    failed |= fd < 0 || close(fd);
    return failed || chmod(path, mode);
}

static int scripts(void)
{
    static const char name[] = "./calls.script";
    char *const argv[] = {(char *)(uintptr_t)name, "b", NULL};
    int ok = !write_script(name, "#! /bin/sh -e\necho $0 $1\n", 0755) &&
             says(argv, "./calls.script b\n", 0);
    return ok & !unlink(name);
}

static int refused(const char *path, int number)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        execv(path, (char *[]){"x", NULL});
        _exit(errno);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
           WEXITSTATUS(status) == number;
}

static int refusals(void)
{
    int ok = !write_script("calls.text", "no program\n", 0755) && refused("calls.text", ENOEXEC);
    ok &= !chmod("calls.text", 0600) && refused("calls.text", EACCES);
    ok &= !write_script("calls.text", "#!/no/such/program\n", 0755) &&
          refused("calls.text", ENOENT);
    return ok && refused("/no/such/file", ENOENT) && refused("/tmp", EACCES) &&
           refused("calls.text/x", ENOTDIR) && !unlink("calls.text");
}

/* The shell's pid is the child's, and a descriptor that exec closes is closed. */
static int kept_by_exec(void)
{
    char line[128], wanted[32];
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC), ends[2], status;
    char text[32];
    ssize_t n;
    snprintf(line, sizeof line, "echo $$; test -e /proc/$$/fd/%d && echo open", null);
    if (null < 0 || pipe2(ends, O_CLOEXEC))
        return 0;
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(126);
    }
    close(ends[1]);
    snprintf(wanted, sizeof wanted, "%d\n", (int)pid);
    int ok = pid > 0 && waitpid(pid, &status, 0) == pid;
    n = read(ends[0], text, sizeof text);
    close(ends[0]);
    close(null);
    return ok && n == (ssize_t)strlen(wanted) && !memcmp(text, wanted, (size_t)n);
}

static int spawned(void)
{
    extern char **environ;
    int status;
    pid_t pid;
    char *const argv[] = {"sh", "-c", "exit 5", NULL};
    if (posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ))
        return 0;
    return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5 &&
           run_process((char *[]){"/bin/sh", "-c", "exit 6", NULL}) == 6;
}

static int killed(void)
{
    int status;
    for (int i = 0; i < KILLED; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            kill(getpid(), SIGKILL);
            _exit(0);
        }
        if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status))
            return 0;
    }
    return 1;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (!shells())
            return bench_fail(run, "shells");
        if (!scripts())
            return bench_fail(run, "scripts");
        if (!refusals())
            return bench_fail(run, "refusals");
        if (!kept_by_exec())
            return bench_fail(run, "exec");
        if (!spawned())
            return bench_fail(run, "spawn");
        if (!killed())
            return bench_fail(run, "killed");
    }
    return 0;
}

BENCHMARK(processes, .metric = "ms", .count = 1, .batches = 1, .flags = BENCH_NO_WARM_UP,
          .body = body);
