/* SPDX-License-Identifier: BSD-3-Clause */
/* Fork a process that exits, and wait for it. */
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int status, code = 1 + (int)(i % 100);
        pid_t pid = fork();
        if (pid == 0)
            _exit(code);
        if (pid < 0 || waitpid(pid, &status, 0) != pid)
            return bench_fail(run, "fork");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != code)
            return bench_fail(run, "wrong-status");
    }
    return 0;
}

BENCHMARK(null_process, .metric = "us", .count = 1, .batches = 3, .body = body);
