/* SPDX-License-Identifier: BSD-3-Clause */
/* select on 100 descriptors, as lmbench 3's lat_select -n 100 does it: copies of one
 * file, or of one TCP connection, that can be written. It asks about numbers below 100,
 * and of these some are its own: 91 and 90 are left. */
#include <fcntl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"

#define LIMIT 100
#define FILES 91
#define CONNECTIONS 90

static fd_set watched;

static int watch(struct run *run, int original)
{
    for (int fd = LIMIT - (int)run->bench->arg; fd < LIMIT; fd++) {
        if (dup2(original, fd) != fd)
            return bench_fail(run, "dup");
        FD_SET(fd, &watched);
    }
    return 0;
}

static int setup_file(struct run *run)
{
    if (chdir(run->scratch) || make_file("watched", 0))
        return bench_fail(run, "make-file");
    int fd = open("watched", O_RDONLY);
    return fd < 0 ? bench_fail(run, "open") : watch(run, fd);
}

static int setup_tcp(struct run *run)
{
    int server = loopback_server(SOCK_STREAM);
    int client = server < 0 ? -1 : loopback_client(SOCK_STREAM, server);
    if (client < 0 || accept(server, NULL, NULL) < 0)
        return bench_fail(run, "socket");
    return watch(run, client);
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        fd_set set = watched;
        struct timeval zero = {0, 0};
        if (select(LIMIT, NULL, &set, NULL, &zero) != run->bench->arg)
            return bench_fail(run, "wrong-ready");
    }
    return 0;
}

static void teardown(struct run *run)
{
    scrub(run->scratch);
}

/* arg: how many */
BENCHMARK(select_file_100, .metric = "us", .count = 10, .batches = 3, .arg = FILES,
          .setup = setup_file, .body = body, .teardown = teardown);
BENCHMARK(select_tcp_100, .metric = "us", .count = 6, .batches = 3, .arg = CONNECTIONS,
          .setup = setup_tcp, .body = body);
