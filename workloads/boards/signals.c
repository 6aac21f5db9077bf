/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals, as lmbench 3's lat_sig has them: install a handler; send oneself a signal
 * that is caught; store to a page that may be read alone, and catch that. From the
 * second, lat_sig takes a kill of signal 0, and from the third what the second then is.
 * Here that kill is a benchmark of its own, and the analysis subtracts. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"

static volatile uint64_t caught;
static uint64_t awaited;
static volatile char *page;
static sigjmp_buf done;

static void on_signal(int number)
{
    (void)number;
    caught++;
}

/* The store is tried again until it has faulted as often as it should. */
static void on_fault(int number)
{
    (void)number;
    if (++caught == awaited)
        siglongjmp(done, 1);
}

static int install(int number, void (*handler)(int), struct sigaction *old)
{
    struct sigaction action = {.sa_handler = handler};
    return sigaction(number, &action, old);
}

static int body_install(struct run *run, uint64_t count)
{
    struct sigaction old;
    for (uint64_t i = 0; i < count; i++)
        if (install(SIGUSR1, on_signal, &old))
            return bench_fail(run, "sigaction");
    return 0;
}

static int check_install(struct run *run)
{
    struct sigaction now;
    return sigaction(SIGUSR1, NULL, &now) || now.sa_handler != on_signal
               ? bench_fail(run, "not-installed") : 0;
}

static int setup_send(struct run *run)
{
    return install(SIGUSR1, on_signal, NULL) ? bench_fail(run, "sigaction") : 0;
}

/* arg: the signal; 0 is sent to nobody */
static int body_send(struct run *run, uint64_t count)
{
    int number = (int)run->bench->arg;
    pid_t self = getpid();
    caught = 0;
    for (uint64_t i = 0; i < count; i++)
        if (kill(self, number))
            return bench_fail(run, "kill");
    return caught != (number ? count : 0) ? bench_fail(run, "wrong-count") : 0;
}

static int setup_fault(struct run *run)
{
    if (chdir(run->scratch) || make_file("page", 4096))
        return bench_fail(run, "make-file");
    int fd = open("page", O_RDONLY);
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        return bench_fail(run, "mmap");
    page = mapped;
    return install(SIGSEGV, on_fault, NULL) ? bench_fail(run, "sigaction") : 0;
}

/* A jump out of the handler leaves its signal blocked. */
static int before_fault(struct run *run)
{
    sigset_t fault;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    return sigprocmask(SIG_UNBLOCK, &fault, NULL) ? bench_fail(run, "sigprocmask") : 0;
}

static int body_fault(struct run *run, uint64_t count)
{
    caught = 0;
    awaited = count;
    if (sigsetjmp(done, 0))
        return 0;
    *page = 1;
    return bench_fail(run, "no-fault");
}

static void teardown_fault(struct run *run)
{
    scrub(run->scratch);
}

BENCHMARK(signal_install, .metric = "us", .count = 100, .batches = 3, .body = body_install,
          .check = check_install);
BENCHMARK(signal_send, .metric = "us", .count = 100, .batches = 3, .arg = 0,
          .setup = setup_send, .body = body_send);
BENCHMARK(signal_catch, .metric = "us", .count = 40, .batches = 3, .arg = SIGUSR1,
          .setup = setup_send, .body = body_send);
BENCHMARK(prot_fault, .metric = "us", .count = 40, .batches = 3, .setup = setup_fault,
          .before = before_fault, .body = body_fault, .teardown = teardown_fault);
