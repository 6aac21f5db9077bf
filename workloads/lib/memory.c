/* SPDX-License-Identifier: BSD-3-Clause */
/* Says before anything runs whether memory holds the working sets that orders enlarge. */
#include <inttypes.h>
#include <stdio.h>

#include "runner.h"

#define SPARE_BYTES 4194304u                 /* for page tables and the processes themselves */

/* 0 where it is unknown. */
static uint64_t available_bytes(void)
{
    char line[128];
    uint64_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && !kib && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) != 1)
            kib = 0;
    if (file)
        fclose(file);
    return kib * 1024;
}

/* Whether memory holds what the orders enlarge: two buffers, or a file and a copy of it. */
int orders_fit_memory(const struct orders *orders)
{
    uint64_t largest = 0;
    for (unsigned i = 0; i < orders->nplan; i++)
        if (orders->uncached && orders->plan[i].working_set > largest)
            largest = orders->plan[i].working_set;
    return !largest || 2 * largest + SPARE_BYTES <= available_bytes();
}
