/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses orders strictly: an unknown word or line is an error. */
#include <string.h>

#include "runner.h"

enum { SEEN_MARKS = 1, SEEN_SEED = 2, SEEN_DISK = 4, SEEN_FS = 8, SEEN_RUN = 16,
       SEEN_CALLS = 32, SEEN_UNCACHED = 64, SEEN_NETWORK = 128 };

static const char *order_marks(struct orders *orders, char *text)
{
    static const char *const words[] = {"none", "sim-control", "m5"};
    for (unsigned i = MARKS_NONE; i <= MARKS_M5; i++)
        if (!strcmp(text, words[i])) {
            orders->marks = (enum marks)i;
            return NULL;
        }
    return "unknown-marks";
}

static const char *order_seed(struct orders *orders, char *text)
{
    return parse_number(text, MAX_SEED, &orders->seed) ? "bad-seed" : NULL;
}

static const char *order_uncached(struct orders *orders, char *text)
{
    uint64_t bytes;
    if (parse_number(text, MAX_UNCACHED, &bytes) || bytes < MIN_UNCACHED ||
        bytes % UNCACHED_STEP)
        return "bad-uncached";
    orders->uncached = bytes;
    return NULL;
}

/* In the order of enum calls. */
static const char *order_calls(struct orders *orders, char *text)
{
    static const char *const words[] = {"direct", "patch-first", "patch-optimised",
                                        "sud-first", "sud-optimised"};
    for (unsigned i = CALLS_DIRECT; i <= CALLS_SUD_OPTIMISED; i++)
        if (!strcmp(text, words[i])) {
            orders->calls = (enum calls)i;
            return NULL;
        }
    return "unknown-calls";
}

static const char *order_disk(struct orders *orders, char *text)
{
    for (char *field; (field = next_field(&text, ' '));) {
        char *key, *value;
        /* A dot could lead out of the driver's directory. */
        if (split_pair(field, &key, &value) || strchr(key, '.'))
            return "bad-disk";
        if (orders->ndisk == MAX_PARAMETERS)
            return "too-many-disk-keys";
        for (unsigned i = 0; i < orders->ndisk; i++)
            if (!strcmp(orders->disk[i].key, key))
                return "disk-key-twice";
        strcpy(orders->disk[orders->ndisk].key, key);
        strcpy(orders->disk[orders->ndisk++].value, value);
    }
    return NULL;
}

static const char *order_fs(struct orders *orders, char *text)
{
    for (char *field; (field = next_field(&text, ','));) {
        enum fs fs = !strcmp(field, "unix")     ? FS_WORD_UNIX
                     : !strcmp(field, "sprite") ? FS_WORD_SPRITE
                                                : remote_fs_named(field);
        if (fs == FS_WORD_NONE)
            return "unknown-fs";
        for (unsigned i = 0; i < orders->nfs; i++)
            if (orders->fs[i] == fs)
                return "fs-twice";
        orders->fs[orders->nfs++] = fs;
    }
    return NULL;
}

static const char *plan_one(struct orders *orders, const struct bench *bench)
{
    for (unsigned i = 0; i < orders->nplan; i++)
        if (orders->plan[i].bench == bench)
            return "benchmark-twice";
    if (orders->nplan == MAX_PLAN)
        return "too-many-benchmarks";
    struct planned *planned = &orders->plan[orders->nplan++];
    planned->bench = bench;
    planned->count = bench->count;
    planned->working_set = bench->uncached;
    planned->batches = bench->batches ? bench->batches : BENCH_BATCHES;
    return NULL;
}

static const char *order_run(struct orders *orders, char *text)
{
    for (char *field; (field = next_field(&text, ','));) {
        char *name = field, *suite = next_field(&name, '/');
        unsigned found = 0;
        for (unsigned i = 0; i < bench_total(); i++) {
            const struct bench *bench = bench_at(i);
            if (strcmp(bench->suite, suite) || (name && strcmp(bench->name, name)))
                continue;
            const char *fault = plan_one(orders, bench);
            if (fault)
                return fault;
            found++;
        }
        if (!found)
            return "unknown-benchmark";
    }
    return NULL;
}

static struct override *override_of(struct orders *orders, const struct bench *bench)
{
    for (unsigned i = 0; i < orders->nset; i++)
        if (orders->set[i].bench == bench)
            return &orders->set[i];
    if (orders->nset == MAX_PLAN)
        return NULL;
    orders->set[orders->nset].bench = bench;
    return &orders->set[orders->nset++];
}

static const char *order_set(struct orders *orders, char *text)
{
    char *key, *value;
    if (split_pair(text, &key, &value))
        return "bad-set";
    char *name = key, *field = strrchr(key, '.');
    if (!field)
        return "bad-set";
    *field++ = '\0';
    const struct bench *bench = bench_named(name);
    if (!bench)
        return "unknown-benchmark";
    if (bench->flags & BENCH_COLD)
        return "fixed-count";
    int is_count = !strcmp(field, "count");
    if (!is_count && strcmp(field, "batches"))
        return "unknown-set";
    struct override *set = override_of(orders, bench);
    if (!set)
        return "too-many-sets";
    uint64_t *slot = is_count ? &set->count : &set->batches;
    if (*slot)
        return "set-twice";
    if (parse_number(value, is_count ? MAX_COUNT : MAX_BATCHES, slot) || !*slot)
        return "bad-set";
    return NULL;
}

static void apply_sets(struct orders *orders)
{
    for (unsigned i = 0; i < orders->nplan; i++)
        for (unsigned j = 0; j < orders->nset; j++) {
            struct planned *planned = &orders->plan[i];
            const struct override *set = &orders->set[j];
            if (set->bench != planned->bench)
                continue;
            if (set->count)
                planned->count = set->count;
            if (set->batches)
                planned->batches = set->batches;
        }
}

static void apply_uncached(struct orders *orders)
{
    for (unsigned i = 0; i < orders->nplan; i++)
        if (orders->plan[i].working_set && orders->plan[i].working_set < orders->uncached)
            orders->plan[i].working_set = orders->uncached;
}

static const char *order_go(struct orders *orders, char *text)
{
    uint64_t bytes;
    if (parse_number(text, UINT32_MAX, &bytes))
        return "bad-go";
    if (bytes != orders->bytes)
        return "byte-count";
    if (!(orders->seen & SEEN_MARKS))
        return "no-marks";
    if (!(orders->seen & SEEN_RUN))
        return "no-run";
    if (orders_need_disk(orders) && !orders->nfs)
        return "no-fs";
    apply_sets(orders);
    apply_uncached(orders);
    orders->done = 1;
    return NULL;
}

int orders_need_disk(const struct orders *orders)
{
    for (unsigned i = 0; i < orders->nplan; i++)
        if (orders->plan[i].bench->flags & (FS_EACH | FS_FIRST))
            return 1;
    return 0;
}

static const struct verb {
    const char *word;
    unsigned once;
    const char *(*handle)(struct orders *, char *);
} verbs[] = {
    {"marks", SEEN_MARKS, order_marks},
    {"seed", SEEN_SEED, order_seed},
    {"uncached", SEEN_UNCACHED, order_uncached},
    {"calls", SEEN_CALLS, order_calls},
    {"disk", SEEN_DISK, order_disk},
#ifdef OSGAP_REMOTE
    {"network", SEEN_NETWORK, order_network},
#endif
    {"fs", SEEN_FS, order_fs},
    {"run", SEEN_RUN, order_run},
    {"set", 0, order_set},
    {"go", 0, order_go},
};

/* Parses one line, without its newline, in place. */
const char *orders_line(struct orders *orders, char *line)
{
    uint64_t bytes = strlen(line) + 1;
    char *rest = line, *word = next_field(&rest, ' ');
    const char *fault = "unknown-verb";
    if (orders->lines++ == 0) {
        if (strcmp(word, "osgap") || !rest)
            return "no-version";
        fault = strcmp(rest, "2") ? "unknown-version" : NULL;
        orders->bytes = bytes;
        return fault;
    }
    for (unsigned i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(verbs[i].word, word))
            continue;
        if (!rest || !*rest)
            return "no-value";
        if (orders->seen & verbs[i].once)
            return "verb-twice";
        orders->seen |= verbs[i].once;
        fault = verbs[i].handle(orders, rest);
    }
    orders->bytes += bytes;
    return fault;
}

static const char *order_byte(struct orders *orders, char *line, size_t *length, char c)
{
    if (orders->done)
        return "after-go";
    if (c == '\n') {
        line[*length] = '\0';
        *length = 0;
        return orders_line(orders, line);
    }
    if (c < ' ' || c > '~')
        return "bad-byte";
    if (*length == MAX_LINE)
        return "line-too-long";
    line[(*length)++] = c;
    return NULL;
}

const char *orders_read(struct orders *orders, order_source source)
{
    static char line[MAX_LINE + 1], buffer[MAX_LINE];
    size_t length = 0;
    memset(orders, 0, sizeof *orders);
    while (!orders->done) {
        long n = source(buffer, sizeof buffer);
        if (n <= 0)
            return "no-go";
        for (long i = 0; i < n; i++) {
            const char *fault = order_byte(orders, line, &length, buffer[i]);
            if (fault)
                return fault;
        }
    }
    return NULL;
}
