/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the two runners (the guest's /init and the native program). */
#ifndef OSGAP_RUNNER_H
#define OSGAP_RUNNER_H

#include "bench.h"
#include "reflect.h"

#define PROTOCOL_VERSION 2
#define MAX_LINE 4096
#define MAX_PLAN 256
#define MAX_PARAMETERS 16
#define MAX_WORD 64
#define MAX_BATCHES 64                       /* that orders may ask for */
#define MAX_REGIONS (2 * MAX_BATCHES)        /* timed, and then with modes counted */
#define MAX_COUNT 1000000000u
#define MAX_SEED 4096
#define MIN_UNCACHED 131072u                 /* bytes that orders may ask for */
#define MAX_UNCACHED 268435456u
#define UNCACHED_STEP 16384u                 /* of each working set: read takes such pieces */
#ifdef OSGAP_REMOTE
#define MAX_FS 5
#else
#define MAX_FS 2
#endif

/* How a region's ends are told to the simulator, and the machine is switched off. */
enum marks { MARKS_NONE, MARKS_SIM_CONTROL, MARKS_M5 };
enum fs {
    FS_WORD_NONE, FS_WORD_UNIX, FS_WORD_SPRITE,
#ifdef OSGAP_REMOTE                          /* on a server: disk-images/remote */
    FS_WORD_NFS, FS_WORD_AFS, FS_WORD_DISKLESS,
#endif
};

struct parameter {
    char key[MAX_WORD];
    char value[MAX_WORD];
};

/* A benchmark with its counts and its working set as the orders leave them. */
struct planned {
    const struct bench *bench;
    uint64_t count;
    uint64_t batches;
    uint64_t working_set;                    /* 0: none that no cache may hold */
};

struct override {
    const struct bench *bench;
    uint64_t count;                          /* 0: not overridden */
    uint64_t batches;
};

struct orders {
    enum marks marks;
    uint64_t seed;
    uint64_t uncached;                       /* 0: each benchmark's own working set */
    enum calls calls;
    struct parameter disk[MAX_PARAMETERS];
    unsigned ndisk;
    enum fs fs[MAX_FS];
    unsigned nfs;
    struct planned plan[MAX_PLAN];
    unsigned nplan;
    struct override set[MAX_PLAN];
    unsigned nset;
    unsigned seen;                           /* lines that may come once only */
    unsigned lines;
    uint64_t bytes;                          /* of the lines so far */
    int done;
};

/* Of the whole system, ns. */
struct modes {
    uint64_t user_ns, kernel_ns, idle_ns;
};

/* Of the kernel's lock around the file system, in the order of /proc/giant_vfs. */
#define COUNTERS 6
struct counters {
    uint64_t value[COUNTERS];
};

/* registry.c */
unsigned bench_total(void);
const struct bench *bench_at(unsigned index);
const struct bench *bench_named(const char *name);
const char *registry_fault(void);

/* orders.c: NULL, or the word of the error */
typedef long (*order_source)(void *buffer, size_t bytes);
const char *orders_line(struct orders *orders, char *line);
const char *orders_read(struct orders *orders, order_source source);
int orders_need_disk(const struct orders *orders);

/* memory.c */
int orders_fit_memory(const struct orders *orders);

/* words.c */
int parse_number(const char *text, uint64_t highest, uint64_t *number);
int is_word(const char *text);
char *next_field(char **rest, char separator);
int split_pair(char *field, char **key, char **value);

/* protocol.c */
const char *fs_word(enum fs fs);
void say_ready(void);
void say_error(const char *word);
void say_end(int failed, uint64_t regions);
void say_bench(const struct planned *planned, enum fs fs, uint64_t regions);
void say_sample(const char *name, enum fs fs, uint64_t region, unsigned batch,
                uint64_t ns, uint64_t irqs);
void say_modes(uint64_t region, const struct modes *modes);
void say_counters(uint64_t region, const struct counters *counters);
void say_fail(const char *name, enum fs fs, const char *word);
void say_text(const char *text);
void say_flush(void);

/* roi.c */
int roi_open(enum marks marks);
void roi_touch(void);
void roi_begin(uint64_t region);
void roi_end(uint64_t region);
void roi_exit(int code);
void m5_make_checkpoint(void);
long m5_read_orders(void *buffer, size_t bytes);

/* irqs.c */
void irqs_open(void);
uint64_t irqs_timer(void);
uint64_t irqs_parse(const char *text);

/* modes.c: open says whether modes are counted; begin and end are 0, or -1 when they failed */
int modes_open(const struct bench *bench);
int modes_begin(void);
int modes_end(struct modes *modes);
void modes_close(void);

/* counters.c: as modes.c */
extern const char *const counter_names[COUNTERS];
int counters_open(const struct bench *bench);
int counters_begin(void);
int counters_end(struct counters *counters);
void counters_close(void);

/* disk.c */
#define DISK_FIELDS 8
struct disk_stats {
    uint64_t field[DISK_FIELDS];
};
int disk_present(void);
const char *disk_set(const struct orders *orders);
int disk_read(struct disk_stats *stats);
void say_disk(const char *name, enum fs fs, const struct disk_stats *before,
              const struct disk_stats *after);

/* reflect.c: the first in the runner, 0 or -1; the others in a benchmark's process */
int reflect_start(enum calls calls);
const char *reflect_arm(void);               /* NULL, or the word of the failure */
int reflect_proved(void);
int reflect_active(void);
uint64_t reflect_served(void);               /* calls of this process */
uint64_t reflect_served_all(void);

/* harness.c: 0, or -1 when the benchmark failed */
int harness_open(void);
int harness_run(const struct planned *planned, enum fs fs, const char *scratch,
                uint64_t seed);
uint64_t harness_regions(void);

/* layout.c: what an image's layout perturbs beside its addresses; 0 is nothing */
unsigned layout_number(void);
int layout_scatter_pages(unsigned layout);
void layout_shuffle(unsigned layout, struct planned *plan, unsigned nplan);

/* disk-images/remote: files on a server, in images of theirs */
#ifdef OSGAP_REMOTE
enum fs remote_fs_named(const char *word);
const char *order_network(struct orders *orders, char *text);
int network_begin(enum fs fs);               /* around a benchmark's batches: 0 or -1 */
int network_end(enum fs fs);
void say_network(const char *name, enum fs fs);
#else
static inline enum fs remote_fs_named(const char *word)
{
    (void)word;
    return FS_WORD_NONE;
}
static inline int network_begin(enum fs fs)
{
    (void)fs;
    return 0;
}
static inline int network_end(enum fs fs)
{
    (void)fs;
    return 0;
}
static inline void say_network(const char *name, enum fs fs)
{
    (void)name, (void)fs;
}
#endif

/* execute.c */
struct host {
    unsigned layout;                         /* of the image; 0 is the default's */
    const char *scratch;                     /* for benchmarks without fs */
    const char *fs_scratch;
    int (*mount)(enum fs fs);                /* NULL: nothing to mount */
    int (*unmount)(void);
};
int execute(struct orders *orders, const struct host *host);

#endif
