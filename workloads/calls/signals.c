/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals and the calls that they interrupt, restart, block and wait for; the
 * handlers make calls themselves. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#define SOON_US 20000

static volatile sig_atomic_t alarms, children;
static int ends[2];
static sigjmp_buf place;

/* A call in the handler, and errno as a handler must leave it. */
static void on_alarm(int signal)
{
    int saved = errno;
    (void)signal;
    alarms += syscall(SYS_getppid) > 0;
    errno = saved;
}

static void on_alarm_write(int signal)
{
    on_alarm(signal);
    (void)!write(ends[1], "w", 1);
}

static void on_alarm_jump(int signal)
{
    on_alarm(signal);
    siglongjmp(place, 1);
}

static void on_child(int signal)
{
    int saved = errno;
    (void)signal;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        children++;
    errno = saved;
}

static int handle(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigfillset(&action.sa_mask);
    return sigaction(signal, &action, NULL);
}

/* Again and again: on a slow machine the first may come before the call that it
 * is to interrupt. */
static int ring_soon(void)
{
    const struct itimerval soon = {{0, SOON_US}, {0, SOON_US}};
    alarms = 0;
    return setitimer(ITIMER_REAL, &soon, NULL);
}

static int has_rung(void)
{
    const struct itimerval never = {0};
    return !setitimer(ITIMER_REAL, &never, NULL) && alarms >= 1;
}

static int interrupted(void)
{
    char byte;
    return !handle(SIGALRM, on_alarm, 0) && !ring_soon() && read(ends[0], &byte, 1) == -1 &&
           errno == EINTR && has_rung();
}

/* The handler writes what the restarted read then finds. */
static int restarted(void)
{
    char byte = 0;
    return !handle(SIGALRM, on_alarm_write, SA_RESTART) && !ring_soon() &&
           read(ends[0], &byte, 1) == 1 && byte == 'w' && has_rung();
}

static int jumped_out(void)
{
    char byte;
    if (handle(SIGALRM, on_alarm_jump, 0))
        return 0;
    if (!sigsetjmp(place, 1)) {
        ring_soon();
        (void)!read(ends[0], &byte, 1);
        return 0;
    }
    return has_rung() && getppid() > 0;
}

/* Every signal is blocked, and calls go on; then the mask is as it was. */
static int blocked(void)
{
    sigset_t all, old, now;
    sigfillset(&all);
    if (handle(SIGALRM, on_alarm, 0) || sigprocmask(SIG_SETMASK, &all, &old) || ring_soon())
        return 0;
    while (!sigpending(&now) && !sigismember(&now, SIGALRM))
        usleep(SOON_US);
    int early = alarms;
    sigprocmask(SIG_SETMASK, NULL, &now);
    int is_blocked = sigismember(&now, SIGALRM) == 1;
    return !sigprocmask(SIG_SETMASK, &old, &now) && !early && is_blocked && has_rung() &&
           !sigprocmask(SIG_SETMASK, NULL, &now) && !sigismember(&now, SIGALRM);
}

static int child_ended(void)
{
    sigset_t child, old, wait;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    children = 0;
    if (handle(SIGCHLD, on_child, 0) || sigprocmask(SIG_BLOCK, &child, &old))
        return 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    sigfillset(&wait);
    sigdelset(&wait, SIGCHLD);
    while (pid > 0 && !children)
        sigsuspend(&wait);
    signal(SIGCHLD, SIG_DFL);
    return !sigprocmask(SIG_SETMASK, &old, NULL) && children == 1;
}

static int select_with_mask(void)
{
    sigset_t alarm_only, old, wait;
    const struct timespec long_time = {5, 0};
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    sigfillset(&wait);
    sigdelset(&wait, SIGALRM);
    if (handle(SIGALRM, on_alarm, 0) || sigprocmask(SIG_BLOCK, &alarm_only, &old) || ring_soon())
        return 0;
    int result = pselect(0, NULL, NULL, NULL, &long_time, &wait);
    return result == -1 && errno == EINTR && has_rung() &&
           !sigprocmask(SIG_SETMASK, &old, NULL);
}

static int other_stack(void)
{
    static char memory[65536];
    const stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory};
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;
    alarms = 0;
    return !sigaltstack(&stack, NULL) && !handle(SIGALRM, on_alarm, SA_ONSTACK) &&
           !raise(SIGALRM) && alarms == 1 && !sigaltstack(&none, &now) && now.ss_sp == memory;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (pipe(ends) || !interrupted())
            return bench_fail(run, "interrupted");
        if (!restarted())
            return bench_fail(run, "restarted");
        if (!jumped_out())
            return bench_fail(run, "jumped-out");
        if (!blocked())
            return bench_fail(run, "blocked");
        if (!child_ended())
            return bench_fail(run, "child");
        if (!select_with_mask())
            return bench_fail(run, "select");
        if (!other_stack())
            return bench_fail(run, "other-stack");
        close(ends[0]);
        close(ends[1]);
    }
    return 0;
}

BENCHMARK(signals, .metric = "ms", .count = 2, .batches = 1, .body = body);
