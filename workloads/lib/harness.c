/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one benchmark in a child of its own, so that a crash costs only that
 * benchmark. Figures come back in shared memory and are printed after the
 * child is gone: console output never falls into a measured span. */
#define _GNU_SOURCE
#include <alloca.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner.h"

struct shared {
    uint64_t regions;                        /* begun so far, over the whole run */
    int region_open;
    int done;
    int has_disk;
    int has_modes;
    int has_counters;
    char reason[MAX_WORD];
    uint64_t first_region;
    uint64_t ns[MAX_REGIONS];
    uint64_t irqs[MAX_REGIONS];
    struct modes modes[MAX_REGIONS];
    struct counters counters[MAX_REGIONS];
    struct disk_stats before, after;
};

static struct shared *shared;

int harness_open(void)
{
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    shared = memory;
    irqs_open();
    return 0;
}

uint64_t harness_regions(void)
{
    return shared->regions;
}

int bench_fail(struct run *run, const char *word)
{
    run->reason = word;
    return -1;
}

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* With modes, each batch of a benchmark comes twice: first timed, then counted. With
 * counters too, each batch is both. */
static uint64_t regions_of(const struct planned *planned)
{
    int twice = shared->has_modes && !shared->has_counters;
    return twice ? 2 * planned->batches : planned->batches;
}

static int tells_modes(const struct planned *planned, uint64_t batch)
{
    return shared->has_modes && (shared->has_counters || batch >= planned->batches);
}

/* Counts the region, from just before its first mark to just after its last. */
static int counting_begin(struct run *run, int modes)
{
    if (counters_begin())
        return bench_fail(run, "counters");
    return modes && modes_begin() ? bench_fail(run, "modes") : 0;
}

static int counting_end(struct run *run, int modes)
{
    if (modes && modes_end(&shared->modes[run->batch]))
        return bench_fail(run, "modes");
    return counters_end(&shared->counters[run->batch]) ? bench_fail(run, "counters") : 0;
}

static int measure(struct run *run, uint64_t count, int modes)
{
    if (counting_begin(run, modes))
        return -1;
    uint64_t region = shared->regions++;
    shared->region_open = 1;
    roi_begin(region);
    uint64_t start = now();
    int failed = run->bench->body(run, count);
    uint64_t stop = now();
    roi_end(region);
    shared->region_open = 0;
    shared->ns[run->batch] = stop - start;
    return failed ? failed : counting_end(run, modes);
}

/* Pre-faults the pages that the first region would otherwise fault in: the clock's,
 * the shared one, and the device's, which a child has to map anew. */
static void touch_pages(void)
{
    now();
    for (unsigned i = 0; i < MAX_REGIONS; i++)
        shared->ns[i] = 0;
    roi_touch();
}

static int run_batches(struct run *run, const struct planned *planned)
{
    touch_pages();
    uint64_t irqs = irqs_timer();
    shared->first_region = shared->regions;
    for (unsigned i = 0; i < regions_of(planned); i++) {
        run->batch = i;
        if (run->bench->before) {
            if (run->bench->before(run))
                return -1;
            irqs = irqs_timer();
        }
        if (measure(run, planned->count, tells_modes(planned, i)))
            return -1;
        uint64_t later = irqs_timer();
        shared->irqs[i] = later - irqs;
        irqs = later;
    }
    return 0;
}

/* Writes dirty pages of before to the disk now, not in a measured span. */
static int write_back(const char *scratch)
{
    int fd = open(scratch, O_RDONLY | O_DIRECTORY);
    int failed = fd < 0 || syncfs(fd);
    if (fd >= 0)
        close(fd);
    return failed;
}

static int run_measured(struct run *run, const struct planned *planned, enum fs fs)
{
    if (fs != FS_WORD_NONE) {
        if (write_back(run->scratch))
            return bench_fail(run, "sync");
        shared->has_disk = disk_read(&shared->before) == 0;
    }
    if (network_begin(fs))
        return bench_fail(run, "network-stats");
    if (run_batches(run, planned))
        return -1;
    if (network_end(fs))
        return bench_fail(run, "network-stats");
    if (shared->has_disk && disk_read(&shared->after))
        return bench_fail(run, "disk-stats");
    return 0;
}

/* Runs the untimed pass, a quarter of a batch. */
static int warm_up(struct run *run, uint64_t count)
{
    const struct bench *bench = run->bench;
    if (bench->flags & (BENCH_COLD | BENCH_NO_WARM_UP))
        return 0;
    if (bench->before && bench->before(run))
        return -1;
    return bench->body(run, (count + 3) / 4);
}

static int run_all(struct run *run, const struct planned *planned, enum fs fs)
{
    const struct bench *bench = run->bench;
    if (bench->setup && bench->setup(run))
        return -1;
    if (warm_up(run, planned->count))
        return -1;
    if (run_measured(run, planned, fs))
        return -1;
    return bench->check ? bench->check(run) : 0;
}

/* Perturbs the start: held pages move later allocations, and the offset moves
 * the stack against the caches. */
static void hold_pages(uint64_t pages)
{
    if (!pages)
        return;
    char *held = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (uint64_t i = 0; held != MAP_FAILED && i < pages; i++)
        ((volatile char *)held)[i * 4096] = 1;
}

__attribute__((noinline))
static int run_offset(struct run *run, const struct planned *planned, enum fs fs,
                      uint64_t seed)
{
    volatile char *offset = alloca(seed * 16 + 1);
    offset[0] = 1;
    int failed = run_all(run, planned, fs);
    offset[seed * 16] = 1;
    return failed;
}

static int run_called(struct run *run, const struct planned *planned, enum fs fs, uint64_t seed)
{
    const char *fault = reflect_arm();
    if (fault)
        return bench_fail(run, fault);
    if (run_offset(run, planned, fs, seed))
        return -1;
    return reflect_proved() ? 0 : bench_fail(run, "not-reflected");
}

static void child(const struct planned *planned, enum fs fs, const char *scratch,
                  uint64_t seed)
{
    struct run run = {.bench = planned->bench, .scratch = scratch,
                      .working_set = planned->working_set, .reason = "check"};
    hold_pages(seed);
    if (run_called(&run, planned, fs, seed))
        snprintf(shared->reason, sizeof shared->reason, "%s", run.reason);
    else
        shared->done = 1;
    if (run.bench->teardown)
        run.bench->teardown(&run);
    _exit(0);
}

static int report(const struct planned *planned, enum fs fs, int status)
{
    const char *name = planned->bench->name;
    char word[MAX_WORD] = "exited";
    if (WIFSIGNALED(status))
        snprintf(word, sizeof word, "signal-%d", WTERMSIG(status));
    else if (is_word(shared->reason))
        strcpy(word, shared->reason);
    if (!shared->done || !WIFEXITED(status) || WEXITSTATUS(status)) {
        say_fail(name, fs, word);
        return -1;
    }
    for (unsigned i = 0; i < regions_of(planned); i++) {
        say_sample(name, fs, shared->first_region + i, i, shared->ns[i], shared->irqs[i]);
        if (tells_modes(planned, i))
            say_modes(shared->first_region + i, &shared->modes[i]);
        if (shared->has_counters)
            say_counters(shared->first_region + i, &shared->counters[i]);
    }
    if (shared->has_disk)
        say_disk(name, fs, &shared->before, &shared->after);
    say_network(name, fs);
    say_flush();
    return 0;
}

int harness_run(const struct planned *planned, enum fs fs, const char *scratch,
                uint64_t seed)
{
    int status = 0;
    shared->done = shared->has_disk = 0;
    shared->reason[0] = '\0';
    shared->has_modes = modes_open(planned->bench);
    shared->has_counters = counters_open(planned->bench);
    say_bench(planned, fs, regions_of(planned));
    pid_t pid = fork();
    if (pid == 0)
        child(planned, fs, scratch, seed);
    int lost = pid < 0 || waitpid(pid, &status, 0) < 0;
    modes_close();
    counters_close();
    if (lost) {
        say_fail(planned->bench->name, fs, "fork");
        return -1;
    }
    /* Marks stay in pairs even when the child died inside a region. */
    if (shared->region_open)
        roi_end(shared->regions - 1);
    shared->region_open = 0;
    return report(planned, fs, status);
}
