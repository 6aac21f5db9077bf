/* SPDX-License-Identifier: BSD-3-Clause */
/* A compiler as slow as those of 1990, for the Andrew benchmark: tcc, again and
 * again. What it compiles is kept the first time, and goes to memory else. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMPILER "/bin/tcc"
#define THROWN_AWAY "/tmp/pass.o"

/* Passes over each source: docs/method/paper-machines.md says from which row of the paper. */
#define PASSES 6

static int run(char *const argv[])
{
    int status;
    pid_t pid = vfork();
    if (pid == 0) {
        execv(COMPILER, argv);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* argv after "-o", or NULL. */
static char **output_of(char **argv)
{
    for (; *argv; argv++)
        if (!strcmp(*argv, "-o") && argv[1])
            return argv + 1;
    return NULL;
}

static int compiles(char **argv)
{
    for (; *argv; argv++)
        if (!strcmp(*argv, "-c"))
            return 1;
    return 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    char **output = output_of(argv);
    int status = run(argv);
    if (status || !output || !compiles(argv))
        return status;
    *output = THROWN_AWAY;
    for (int pass = 1; !status && pass < PASSES; pass++)
        status = run(argv);
    unlink(THROWN_AWAY);
    return status;
}
