/* SPDX-License-Identifier: BSD-3-Clause */
/* What a benchmark's batches sent to the server, and the server's part of the processor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "remote.h"

#define CALLS "/proc/net/rpc/nfs"
#define INTERFACES "/proc/net/dev"

/* The calls of version 2 with a column of their own, in the kernel's order (nfs2.h). */
enum { NFS2_CALLS = 18 };
static const struct call {
    const char *word;
    unsigned number;
} calls[] = {
    {"getattr", 1}, {"lookup", 4}, {"read", 6}, {"write", 8}, {"create", 9}, {"remove", 10},
};
#define NCALLS (sizeof calls / sizeof *calls)

struct network {
    uint64_t messages, repeated;             /* calls, and those sent again */
    uint64_t call[NCALLS];
    uint64_t frames, bytes;                  /* of both directions, bytes without overhead */
    uint64_t server_ns;
};

/* A benchmark is a process of its own. */
static struct {
    int has_counts;
    struct network before, after;
} *shared;

int counters_share(void)
{
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                        -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    shared = memory;
    return 0;
}

/* The numbers behind a word, `skipped` of which are left out. */
static int numbers_after(const char *text, const char *word, unsigned skipped, uint64_t *numbers,
                         unsigned count)
{
    const char *at = strstr(text, word);
    if (!at)
        return -1;
    at += strlen(word);
    for (unsigned i = 0; i < skipped + count; i++) {
        char *end;
        uint64_t number = strtoull(at, &end, 10);
        if (end == at)
            return -1;
        if (i >= skipped)
            numbers[i - skipped] = number;
        at = end;
    }
    return 0;
}

static int read_counters(struct network *network)
{
    char text[4096];
    uint64_t number[NFS2_CALLS];
    if (control_read(CALLS, text, sizeof text) || numbers_after(text, "rpc ", 0, number, 2))
        return -1;
    network->messages = number[0];
    network->repeated = number[1];
    if (numbers_after(text, "proc2 ", 1, number, NFS2_CALLS))
        return -1;
    for (unsigned i = 0; i < NCALLS; i++)
        network->call[i] = number[calls[i].number];
    /* Bytes and packets received, of an interface that receives what it sends. */
    if (control_read(INTERFACES, text, sizeof text) || numbers_after(text, "lo:", 0, number, 2))
        return -1;
    network->bytes = number[0];
    network->frames = number[1];
    network->server_ns = server_cpu_ns();
    return 0;
}

int network_begin(enum fs fs)
{
    shared->has_counts = 0;
    return remote_is(fs) ? read_counters(&shared->before) : 0;
}

int network_end(enum fs fs)
{
    if (!remote_is(fs))
        return 0;
    shared->has_counts = 1;
    return read_counters(&shared->after);
}

void say_network(const char *name, enum fs fs)
{
    char line[512];
    const struct network *before = &shared->before, *after = &shared->after;
    if (!shared->has_counts)
        return;
    int n = snprintf(line, sizeof line, "@osgap network name=%s fs=%s messages=%" PRIu64
                     " repeated=%" PRIu64, name, fs_word(fs), after->messages - before->messages,
                     after->repeated - before->repeated);
    for (unsigned i = 0; i < NCALLS; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %s=%" PRIu64, calls[i].word,
                      after->call[i] - before->call[i]);
    snprintf(line + n, sizeof line - (size_t)n, " frames=%" PRIu64 " bytes=%" PRIu64
             " server_ns=%" PRIu64 "\n", after->frames - before->frames,
             after->bytes - before->bytes,
             after->server_ns > before->server_ns ? after->server_ns - before->server_ns : 0);
    say_text(line);
    shared->has_counts = 0;
}
