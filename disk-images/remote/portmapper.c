/* SPDX-License-Identifier: BSD-3-Clause */
/* A port mapper that answers yes to each call. The kernel's server registers
 * itself with one when it starts, and waits for the answer; nothing ever asks for a
 * port, as the client knows the server's. It sleeps while benchmarks run. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "remote.h"

#define PORT 111
#define LAST_FRAGMENT 0x80000000u

static int read_all(int fd, void *buffer, size_t bytes)
{
    char *to = buffer;
    while (bytes) {
        ssize_t n = read(fd, to, bytes);
        if (n <= 0)
            return -1;
        to += n;
        bytes -= (size_t)n;
    }
    return 0;
}

/* A record is its length and a call; the first word of a call comes back in the answer. */
static int answer_one(int fd)
{
    uint32_t mark, call[256];
    if (read_all(fd, &mark, sizeof mark))
        return -1;
    uint32_t bytes = ntohl(mark) & ~LAST_FRAGMENT;
    if (bytes < sizeof call[0] || bytes > sizeof call || read_all(fd, call, bytes))
        return -1;
    const uint32_t reply[] = {
        htonl(LAST_FRAGMENT | 7 * sizeof mark),
        call[0], htonl(1),                   /* a reply, to that call */
        0, 0, 0, 0,                          /* accepted, no verifier, success */
        htonl(1),                            /* true */
    };
    return write_all(fd, reply, sizeof reply);
}

static void serve(int listener)
{
    for (;;) {
        int fd = accept(listener, NULL, NULL);
        while (fd >= 0 && !answer_one(fd))
            ;
        if (fd >= 0)
            close(fd);
    }
}

int portmapper_start(void)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&here, sizeof here) ||
        listen(listener, 4))
        return -1;
    pid_t pid = fork();
    if (pid == 0)
        serve(listener);
    close(listener);
    return pid < 0 ? -1 : 0;
}
