/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the counters of the kernel's lock around the file system (patch 0005), for
 * benchmarks that ask for them. Its reads and writes, which lie outside the region's
 * marks, take that lock too: with those of modes.c they add three acquisitions to
 * each batch. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

#ifndef COUNTERS_FILE                        /* a test gives another */
#define COUNTERS_FILE "/proc/giant_vfs"
#endif

/* The last two are times, which the file has in ticks. */
#define FIRST_TIME 4
const char *const counter_names[COUNTERS] = {
    "acquisitions", "retakes", "contended", "sleeps", "wait_ns", "hold_ns",
};

static int file = -1;

int counters_open(const struct bench *bench)
{
    if (!(bench->flags & BENCH_COUNTERS))
        return 0;
    file = open(COUNTERS_FILE, O_RDWR | O_CLOEXEC);
    return file >= 0;
}

/* Not pwrite, which the kernel's seq_file refuses. */
int counters_begin(void)
{
    return file >= 0 && write(file, "0", 1) != 1 ? -1 : 0;
}

/* Returns the rest of the line that begins with `word`; NULL if there is none. */
static char *line_of(char *text, const char *word)
{
    size_t length = strlen(word);
    for (char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
        if (!strncmp(line, word, length))
            return line + length;
    return NULL;
}

static int parse_line(char *line, uint64_t *numbers, unsigned count)
{
    char *end = line ? strchr(line, '\n') : NULL;
    if (!end)
        return -1;
    *end = '\0';
    for (unsigned i = 0; i < count; i++) {
        char *field = next_field(&line, ' ');
        if (!field || parse_number(field, UINT64_MAX, numbers + i))
            return -1;
    }
    return line ? -1 : 0;
}

static int parse(char *text, struct counters *counters)
{
    uint64_t rate, *value = counters->value;
    char *total = line_of(text, "total ");
    if (parse_line(total, value, COUNTERS) ||
        parse_line(line_of(text, "ticks_per_second "), &rate, 1) || !rate)
        return -1;
    for (unsigned i = FIRST_TIME; i < COUNTERS; i++)
        value[i] = (uint64_t)((unsigned __int128)value[i] * 1000000000u / rate);
    return 0;
}

int counters_end(struct counters *counters)
{
    char text[2048];
    if (file < 0)
        return 0;
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    if (n < 1)
        return -1;
    text[n] = '\0';
    return parse(text, counters);
}

void counters_close(void)
{
    if (file >= 0)
        close(file);
    file = -1;
}
