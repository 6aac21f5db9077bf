/* SPDX-License-Identifier: BSD-3-Clause */
/* Two processes on one CPU pass a token through two pipes; one count is a round
 * trip, that is two switches. context1: an integer that both of them check. pt:
 * Raveling's own test of context switching, whose source is lost; reconstructed as
 * one byte, passed back unseen. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static int there[2], back[2];
static uint32_t sent;
static pid_t partner;

/* arg: bytes of the token. An integer out of its turn ends the partner, and so
 * fails the other side's read. */
static void answer_tokens(size_t bytes)
{
    uint32_t expected = 0, token = 0;
    close(there[1]);
    close(back[0]);
    while (read(there[0], &token, bytes) == (ssize_t)bytes) {
        if (bytes == sizeof token && token != expected++)
            break;
        if (write(back[1], &token, bytes) != (ssize_t)bytes)
            break;
    }
    _exit(0);
}

static int setup(struct run *run)
{
    if (pin_to_one_cpu() || pipe(there) || pipe(back))
        return bench_fail(run, "pipe");
    partner = fork();
    if (partner < 0)
        return bench_fail(run, "fork");
    if (partner == 0)
        answer_tokens((size_t)run->bench->arg);
    close(there[0]);
    close(back[1]);
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    size_t bytes = (size_t)run->bench->arg;
    for (uint64_t i = 0; i < count; i++, sent++) {
        uint32_t answer = ~sent;
        if (write(there[1], &sent, bytes) != (ssize_t)bytes ||
            read(back[0], &answer, bytes) != (ssize_t)bytes)
            return bench_fail(run, "pipe");
        if (memcmp(&answer, &sent, bytes))
            return bench_fail(run, "wrong-token");
    }
    return 0;
}

static void teardown(struct run *run)
{
    (void)run;
    close(there[1]);
    if (partner > 0)
        waitpid(partner, NULL, 0);
}

#define CONTEXT(name, token_bytes)                                          \
    BENCHMARK(name, .metric = "us", .count = 40, .batches = 3,                                \
              .flags = BENCH_MODES, .arg = token_bytes, \
              .setup = setup, .body = body, .teardown = teardown)

CONTEXT(pt, 1);
CONTEXT(context1, 4);
