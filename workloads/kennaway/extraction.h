/* SPDX-License-Identifier: BSD-3-Clause */
/* What the extractions of both suites have in common: a tarball's headers, and the
 * random numbers of a batch. */
#ifndef OSGAP_EXTRACTION_H
#define OSGAP_EXTRACTION_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define BLOCK 512
#define WHEN 1114646400ul                    /* 28 April 2005 */

static uint64_t state;

/* An ustar header: octal numbers, and the sum of its bytes with blanks for it. */
static void fill_header(char *header, unsigned mode, size_t bytes, char kind)
{
    unsigned sum = 0;
    memset(header + 148, ' ', 8);
    sprintf(header + 100, "%07o", mode);
    sprintf(header + 108, "%07o", 0);
    sprintf(header + 116, "%07o", 0);
    sprintf(header + 124, "%011zo", bytes);
    sprintf(header + 136, "%011lo", WHEN);
    header[156] = kind;
    memcpy(header + 257, "ustar\00000", 8);
    for (int i = 0; i < BLOCK; i++)
        sum += (unsigned char)header[i];
    sprintf(header + 148, "%06o", sum);
}

static int on_ext2(const struct run *run)
{
    return !strcmp(run->bench->text, "ext2");
}

/* Natively, where the runner is not the first process, nothing is mounted. */
static int is_guest(void)
{
    return getppid() == 1;
}

/* Knuth's MMIX generator; the upper bits are the random ones. */
static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % below);
}

static void shuffle(long *order, long count)
{
    for (long i = 0; i < count; i++) {
        long j = draw((unsigned)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

#endif
