/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sockets of 127.0.0.1. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loopback.h"

int loopback_server(int type)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, type, 0);
    if (fd < 0)
        return -1;
    if (bind(fd, (struct sockaddr *)&at, sizeof at) || (type == SOCK_STREAM && listen(fd, 1))) {
        close(fd);
        return -1;
    }
    return fd;
}

int loopback_client(int type, int server)
{
    struct sockaddr_in at;
    socklen_t bytes = sizeof at;
    if (getsockname(server, (struct sockaddr *)&at, &bytes))
        return -1;
    int fd = socket(AF_INET, type, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (struct sockaddr *)&at, bytes)) {
        close(fd);
        return -1;
    }
    return fd;
}
