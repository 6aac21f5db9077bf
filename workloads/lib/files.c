/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and fills files and page-aligned buffers, and empties directories. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#define PATTERN_STEP 0x9e3779b97f4a7c15u

/* Eight bytes that no other offset has, at each multiple of eight. A store for each
 * eight: a call of memcpy instead took 74 instructions, a fifth of a whole run's. */
void fill_pattern(void *buffer, size_t bytes)
{
    uint64_t *out = buffer, *end = out + bytes / sizeof *out, word = PATTERN_STEP;
    for (; out < end; word += PATTERN_STEP)
        *out++ = word;
    memcpy(out, &word, bytes % sizeof word);
}

/* Page-aligned, zeroed and present; never freed, as its process ends soon. */
void *page_buffer(size_t bytes)
{
    void *buffer;
    if (posix_memalign(&buffer, 4096, bytes))
        abort();
    memset(buffer, 0, bytes);
    barrier();
    return buffer;
}

int write_all(int fd, const void *buffer, size_t bytes)
{
    const char *from = buffer;
    while (bytes) {
        ssize_t n = write(fd, from, bytes);
        if (n <= 0)
            return -1;
        from += n;
        bytes -= (size_t)n;
    }
    return 0;
}

int make_file(const char *path, size_t bytes)
{
    void *pattern = page_buffer(bytes + 1);
    fill_pattern(pattern, bytes);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, pattern, bytes);
    free(pattern);
    return close(fd) || failed ? -1 : 0;
}

/* Empties a directory; the file system's own lost+found stays. */
int scrub(const char *directory)
{
    int failed = 0;
    char path[512];
    struct dirent *entry;
    struct stat status;
    DIR *open_directory = opendir(directory);
    if (!open_directory)
        return -1;
    while ((entry = readdir(open_directory))) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            !strcmp(entry->d_name, "lost+found"))
            continue;
        int n = snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (n >= (int)sizeof path || lstat(path, &status))
            failed = 1;
        else if (S_ISDIR(status.st_mode))
            failed |= scrub(path) || rmdir(path);
        else
            failed |= unlink(path) != 0;
    }
    closedir(open_directory);
    return failed ? -1 : 0;
}
