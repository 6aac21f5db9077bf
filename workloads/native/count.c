/* SPDX-License-Identifier: BSD-3-Clause */
/* Instructions of a benchmark's operation: by the processor's own counter where the
 * kernel allows it (perf_event_open), else by stepping through it (ptrace). Both
 * take the difference of two counts, in which what is around it goes. */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "count.h"

#define FEW 64                               /* operations that the counter sees */
#define MANY (3 * FEW)

static int counter_open(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE, .size = sizeof attr,
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .disabled = 1, .exclude_kernel = 1, .exclude_hv = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* 0 for a failure. */
static uint64_t counted(int counter, struct run *run, uint64_t count)
{
    uint64_t total = 0;
    if (ioctl(counter, PERF_EVENT_IOC_RESET, 0) || ioctl(counter, PERF_EVENT_IOC_ENABLE, 0))
        return 0;
    int failed = run->bench->body(run, count);
    ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    return failed || read(counter, &total, sizeof total) != sizeof total ? 0 : total;
}

uint64_t count_by_perf(const struct bench *bench)
{
    struct run run = {.bench = bench, .scratch = "/", .working_set = bench->uncached,
                      .reason = "check"};
    int counter = counter_open();
    if (counter < 0)
        return 0;
    uint64_t few = 0, many = 0;
    if (!(bench->setup && bench->setup(&run)) && !bench->body(&run, 1)) {
        few = counted(counter, &run, FEW);
        many = counted(counter, &run, MANY);
    }
    close(counter);
    return few && many > few ? (many - few + FEW) / (MANY - FEW) : 0;
}

/* Stops before and after so many operations, for its parent to count between. */
static void traced(const struct bench *bench, uint64_t count)
{
    struct run run = {.bench = bench, .scratch = "/", .working_set = bench->uncached,
                      .reason = "check"};
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || (bench->setup && bench->setup(&run)) ||
        bench->body(&run, 1))
        _exit(1);
    raise(SIGSTOP);
    int failed = bench->body(&run, count);
    raise(SIGSTOP);
    _exit(failed || (bench->check && bench->check(&run)));
}

static int stopped_by(pid_t pid, int signal)
{
    int status;
    return waitpid(pid, &status, 0) == pid && WIFSTOPPED(status) && WSTOPSIG(status) == signal;
}

/* Instructions from one stop to the other, and those of the stops; 0 for a failure. */
static uint64_t steps(const struct bench *bench, uint64_t count)
{
    uint64_t total = 0;
    int status = 1;
    pid_t pid = fork();
    if (pid == 0)
        traced(bench, count);
    if (pid < 0 || !stopped_by(pid, SIGSTOP))
        return 0;
    do {
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
            break;
        total++;
    } while (WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);
    int whole = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
    if (!whole)
        kill(pid, SIGKILL);                  /* a machine that cannot step */
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    waitpid(pid, &status, 0);
    return whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? total : 0;
}

/* The stops cost the same whatever is between them. */
uint64_t count_by_steps(const struct bench *bench)
{
    uint64_t one = steps(bench, 1), three = one ? steps(bench, 3) : 0;
    return three > one ? (three - one) / 2 : 0;
}

#define ADDS 4000000u
#define TRIES 25

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Two registers added to each other in turn: no processor makes less than a cycle of
 * each, as some do of an addition of a constant. */
static uint64_t add_up(void)
{
    uint64_t a = 1, b = 1;
    for (unsigned i = 0; i < ADDS / 16; i++) {
#define PAIR a += b; __asm__ volatile("" : "+r"(a)); b += a; __asm__ volatile("" : "+r"(b));
        PAIR PAIR PAIR PAIR PAIR PAIR PAIR PAIR
    }
    return a;
}

uint64_t clock_khz(void)
{
    uint64_t best = UINT64_MAX;
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t start = now();
        volatile uint64_t sum = add_up();
        uint64_t took = now() - start;
        (void)sum;
        if (took && took < best)
            best = took;
    }
    return ADDS * 1000000ull / best;
}

#define LOADS 2000u

/* Within a line of 64 bytes: across two, processors that have such loads take longer. */
uint64_t misaligned_ns(void)
{
    uint64_t best = 0;
#if defined(__riscv)
    static _Alignas(64) char line[64];
    for (unsigned i = 0; i < TRIES; i++) {
        uint64_t start = now(), word;
        for (unsigned j = 0; j < LOADS; j++)
            __asm__ volatile("ld %0, 1(%1)" : "=r"(word) : "r"(line) : "memory");
        uint64_t took = now() - start;
        best = !best || took < best ? took : best;
    }
    best = (best + LOADS - 1) / LOADS;
#endif
    return best;
}
