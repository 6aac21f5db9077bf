/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes on one CPU echo a byte through two pipes. One count is a round
 * trip: two switches, and one read and one write in each process. */
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static int there[2], back[2];
static pid_t echo;

static void echo_bytes(void)
{
    unsigned char token;
    close(there[1]);
    close(back[0]);
    while (read(there[0], &token, 1) == 1 && write(back[1], &token, 1) == 1)
        ;
    _exit(0);
}

static int setup(struct run *run)
{
    if (pin_to_one_cpu() || pipe(there) || pipe(back))
        return bench_fail(run, "pipe");
    echo = fork();
    if (echo < 0)
        return bench_fail(run, "fork");
    if (echo == 0)
        echo_bytes();
    close(there[0]);
    close(back[1]);
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        unsigned char token = (unsigned char)i, answer = (unsigned char)~i;
        if (write(there[1], &token, 1) != 1 || read(back[0], &answer, 1) != 1)
            return bench_fail(run, "pipe");
        if (answer != token)
            return bench_fail(run, "wrong-token");
    }
    return 0;
}

static void teardown(struct run *run)
{
    (void)run;
    close(there[1]);
    if (echo > 0)
        waitpid(echo, NULL, 0);
}

BENCHMARK(cswitch, .metric = "ms", .count = 40, .setup = setup, .body = body,
          .teardown = teardown);
