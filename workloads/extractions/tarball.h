/* SPDX-License-Identifier: BSD-3-Clause */
/* A tarball whose files have the sizes of a source tree's. extraction.h comes before it. */
#ifndef OSGAP_TARBALL_H
#define OSGAP_TARBALL_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

#define FILES 39

/* The files of Linux 6.12.117 (Debian's linux-source-6.12 without its links): sizes in
 * bytes, the (2 i + 1) / 78th quantiles of 86,629 files. */
static const unsigned size[FILES] = {
    85, 203, 303, 401, 509, 637, 775, 916, 1072, 1243, 1397,
    1579, 1771, 1988, 2228, 2485, 2776, 3104, 3454, 3853, 4302, 4802,
    5377, 5965, 6639, 7410, 8296, 9321, 10463, 11907, 13583, 15664, 18175,
    21420, 25666, 31879, 41306, 58006, 110266,
};

/* Its directories: the 1, 3, 5 and 7 eighths of the numbers of files in 5,760. */
static const struct {
    const char *name;
    int files;
} directory[] = {{"a/", 1}, {"a/b/", 4}, {"a/b/c/", 8}, {"d/", 26}};

#define DIRECTORIES (sizeof directory / sizeof directory[0])
/* A file's size is that of the file STEP quantiles on: each directory has small and large
 * ones. STEP and FILES have no common divisor. */
#define STEP 16

static struct member {
    char name[TREE_LENGTH];
    const unsigned char *text;
    unsigned bytes;
} member[FILES];

static unsigned char *tarball;
static size_t tarball_bytes;

static size_t blocks(size_t bytes)
{
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

static void add_header(const char *name, unsigned mode, size_t bytes, char kind)
{
    char *header = (char *)tarball + tarball_bytes;
    strcpy(header, name);
    fill_header(header, mode, bytes, kind);
    tarball_bytes += BLOCK;
}

static void add_file(int number, const char *folder, const unsigned char *text)
{
    struct member *file = &member[number];
    file->bytes = size[number * STEP % FILES];
    snprintf(file->name, sizeof file->name, "%sf%02d", folder, number);
    add_header(file->name, 0644, file->bytes, '0');
    file->text = memcpy(tarball + tarball_bytes, text, file->bytes);
    tarball_bytes += blocks(file->bytes);
}

static size_t most_bytes(void)
{
    size_t bytes = (DIRECTORIES + FILES + 2) * BLOCK;
    for (int i = 0; i < FILES; i++)
        bytes += blocks(size[i]);
    return bytes;
}

/* Every eight bytes of the tarball's files differ from all others. */
static int make_tarball(void)
{
    size_t most = most_bytes();
    unsigned char *text = page_buffer(most);
    tarball = page_buffer(most);
    if (!text || !tarball)
        return -1;
    fill_pattern(text, most);
    tarball_bytes = 0;
    int number = 0;
    for (size_t i = 0; i < DIRECTORIES; i++) {
        add_header(directory[i].name, 0755, 0, '5');
        for (int k = 0; k < directory[i].files; k++, number++)
            add_file(number, directory[i].name, text + tarball_bytes);
    }
    tarball_bytes += 2 * BLOCK;
    int fd = open(TARBALL, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, tarball, tarball_bytes);
    return close(fd) || failed ? -1 : 0;
}

#endif
