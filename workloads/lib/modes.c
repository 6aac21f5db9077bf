/* SPDX-License-Identifier: BSD-3-Clause */
/* Time in user mode, in the kernel and idle, counted by the guest's kernel at
 * every change of mode (patch 0004), for benchmarks that ask for it. Counting
 * slows every system call, so that it has separate batches. Beginning and reading
 * are system calls outside the region's marks: the end of the first and the start
 * of the second count with the region. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

#ifndef MODES_FILE                           /* a test gives another */
#define MODES_FILE "/proc/osgap_modes"
#endif

static int file = -1;

int modes_open(const struct bench *bench)
{
    if (!(bench->flags & BENCH_MODES))
        return 0;
    file = open(MODES_FILE, O_RDWR | O_CLOEXEC);
    return file >= 0;
}

int modes_begin(void)
{
    return file >= 0 && pwrite(file, "1", 1, 0) != 1 ? -1 : 0;
}

static int parse(char *text, struct modes *modes)
{
    uint64_t *const figures[] = {&modes->user_ns, &modes->kernel_ns, &modes->idle_ns};
    for (unsigned i = 0; i < sizeof figures / sizeof *figures; i++) {
        char *field = next_field(&text, ' ');
        if (!field || parse_number(field, UINT64_MAX, figures[i]))
            return -1;
    }
    return text ? -1 : 0;
}

int modes_end(struct modes *modes)
{
    char text[128];
    if (file < 0)
        return 0;
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    if (n < 1 || text[n - 1] != '\n')
        return -1;
    text[n - 1] = '\0';
    return parse(text, modes);
}

/* Stops counting for a benchmark that died. */
void modes_close(void)
{
    if (file < 0)
        return;
    (void)!pwrite(file, "0", 1, 0);
    close(file);
    file = -1;
}
