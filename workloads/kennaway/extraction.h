/* SPDX-License-Identifier: BSD-3-Clause */
/* What the extractions of both suites have in common: a tarball's headers, the file
 * system of the trees, and the random numbers of a batch. Who includes it defines KIB, a
 * string, and may define MOUNT_EXT2(), which is 0 when the RAM disk is mounted. */
#ifndef OSGAP_EXTRACTION_H
#define OSGAP_EXTRACTION_H

#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "bench.h"

#define BLOCK 512
#define WHEN 1114646400ul                    /* 28 April 2005 */

#define TARBALL "files.tar"
#define TREES "trees"
#define BUSYBOX "/bin/busybox"
#define RAM_DISK "/dev/ram0"

static int made, mounted;
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

#ifndef MOUNT_EXT2
#define MOUNT_EXT2() mount(RAM_DISK, TREES, "ext2", 0, NULL)
#endif

static int make_ext2(void)
{
    char *argv[] = {BUSYBOX, "mke2fs", "-b", "4096", "-i", "8192", RAM_DISK, KIB, NULL};
    unlink(RAM_DISK);
    return mknod(RAM_DISK, S_IFBLK | 0600, makedev(1, 0)) || run_process(argv) ||
           MOUNT_EXT2();
}

/* An empty file system with a directory for each tree; ext2 has KIB of the RAM disk. */
static int make_file_system(struct run *run)
{
    char path[64];
    if (mkdir(TREES, 0755))
        return bench_fail(run, "mkdir");
    made = 1;
    if (is_guest()) {
        if (on_ext2(run) ? make_ext2() : mount("tmpfs", TREES, "tmpfs", 0, NULL))
            return bench_fail(run, "no-file-system");
        mounted = 1;
    }
    for (long i = 0; i < run->bench->arg; i++) {
        snprintf(path, sizeof path, TREES "/%ld", i);
        if (mkdir(path, 0755))
            return bench_fail(run, "mkdir");
    }
    return 0;
}

static int remove_file_system(void)
{
    int failed = mounted ? umount(TREES) : scrub(TREES);
    made = mounted = 0;
    return failed || rmdir(TREES) ? -1 : 0;
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
