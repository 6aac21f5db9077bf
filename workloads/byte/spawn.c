/* SPDX-License-Identifier: BSD-3-Clause */
/* Process creation: a child that ends at once, and is waited for. */
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int status, code = (int)(i & 127);
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

BENCHMARK(spawn, .metric = "ms", .count = 4, .batches = 3, .flags = BENCH_MODES, .body = body);
