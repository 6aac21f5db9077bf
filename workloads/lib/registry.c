/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the benchmarks that the linker collected, and checks their declarations. */
#include <string.h>

#include "runner.h"

extern const struct bench *const __start_osgap_benches[];
extern const struct bench *const __stop_osgap_benches[];

unsigned bench_total(void)
{
    return (unsigned)(__stop_osgap_benches - __start_osgap_benches);
}

const struct bench *bench_at(unsigned index)
{
    return __start_osgap_benches[index];
}

const struct bench *bench_named(const char *name)
{
    for (unsigned i = 0; i < bench_total(); i++)
        if (!strcmp(bench_at(i)->name, name))
            return bench_at(i);
    return NULL;
}

static int is_metric(const char *metric)
{
    static const char *const known[] = {"us", "ms", "s", "ns", "MB/s", "MIPS"};
    for (unsigned i = 0; metric && i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i], metric))
            return 1;
    return 0;
}

/* What an operation moves is the whole of such a working set, or is not told. */
static int is_set_sound(const struct bench *bench)
{
    return !bench->uncached ||
           (bench->uncached >= MIN_UNCACHED && bench->uncached <= MAX_UNCACHED &&
            bench->uncached % UNCACHED_STEP == 0 &&
            (!bench->bytes || bench->bytes == bench->uncached));
}

static int is_sound(const struct bench *bench)
{
    return is_word(bench->suite) && is_word(bench->name) && is_metric(bench->metric) &&
           bench->body && bench->count && bench->count <= MAX_COUNT &&
           bench->batches <= MAX_BATCHES && is_set_sound(bench);
}

/* Sample lines carry no suite, so each name may exist only once. */
const char *registry_fault(void)
{
    if (bench_total() > MAX_PLAN)
        return "too-many-benchmarks";
    for (unsigned i = 0; i < bench_total(); i++) {
        if (!is_sound(bench_at(i)))
            return "bad-benchmark";
        for (unsigned j = 0; j < i; j++)
            if (!strcmp(bench_at(i)->name, bench_at(j)->name))
                return "name-twice";
    }
    return NULL;
}
