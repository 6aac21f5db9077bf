/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the short files by which the kernel is controlled. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "remote.h"

int control_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text, strlen(text));
    close(fd);
    return n < 0 ? -1 : 0;
}

int control_read(const char *path, char *text, size_t bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, text, bytes - 1);
    close(fd);
    text[n < 0 ? 0 : n] = '\0';
    return n < 0 ? -1 : 0;
}
