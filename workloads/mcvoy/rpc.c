/* SPDX-License-Identifier: BSD-3-Clause */
/* A remote procedure call over loopback: one XDR char there and back, by UDP and
 * by TCP, to a server of our own that serves both. A reply that is not in time is
 * asked for no second time: where nothing gets lost that would be a failure. */
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"
#include "loopback.h"
#include "peer.h"
#include "rpc.h"

#define RETRY_MS 5000

enum { UDP, LISTENER, CONNECTION, SERVED };  /* what the server waits for */

static struct pollfd served[SERVED];
static int client;
static uint32_t xid = 1990;

/* One whole record; its message's bytes, or 0 when there will be none. */
static size_t receive_record(int fd, unsigned char *message)
{
    unsigned char raw[RPC_RECORD];
    size_t have = 0, bytes = 0;
    int whole = 0;
    while (!whole) {
        ssize_t n = read(fd, raw + have, sizeof raw - have);
        if (n <= 0)
            return 0;
        have += (size_t)n;
        whole = rpc_get_record(raw, have, message, &bytes);
    }
    return whole > 0 ? bytes : 0;
}

static int send_record(int fd, const unsigned char *message, size_t bytes)
{
    unsigned char record[RPC_RECORD];
    return write_all(fd, record, rpc_put_record(record, message, bytes));
}

static void answer_datagram(int fd)
{
    unsigned char call[RPC_MESSAGE], reply[RPC_MESSAGE];
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    ssize_t n = recvfrom(fd, call, sizeof call, 0, (struct sockaddr *)&from, &length);
    size_t bytes = n < 0 ? 0 : rpc_answer(call, (size_t)n, reply);
    if (bytes && sendto(fd, reply, bytes, 0, (struct sockaddr *)&from, length) < 0)
        _exit(1);
}

static void answer_record(struct pollfd *connection)
{
    unsigned char call[RPC_MESSAGE], reply[RPC_MESSAGE];
    size_t bytes = receive_record(connection->fd, call);
    if (bytes)
        bytes = rpc_answer(call, bytes, reply);
    if (!bytes || send_record(connection->fd, reply, bytes)) {
        close(connection->fd);
        connection->fd = -1;
    }
}

static void serve(long which)
{
    (void)which;
    close(client);
    while (poll(served, SERVED, -1) > 0) {
        if (served[UDP].revents)
            answer_datagram(served[UDP].fd);
        if (served[CONNECTION].revents)
            answer_record(&served[CONNECTION]);
        if (served[LISTENER].revents)
            served[CONNECTION].fd = accept(served[LISTENER].fd, NULL, NULL);
    }
}

static void wake(void)
{
    shutdown(client, SHUT_RDWR);
}

static int setup(struct run *run)
{
    int type = (int)run->bench->arg;
    int udp = loopback_server(SOCK_DGRAM), listener = loopback_server(SOCK_STREAM);
    if (pin_to_one_cpu() || udp < 0 || listener < 0 ||
        (client = loopback_client(type, type == SOCK_DGRAM ? udp : listener)) < 0)
        return bench_fail(run, "socket");
    served[UDP] = (struct pollfd){udp, POLLIN, 0};
    served[LISTENER] = (struct pollfd){listener, POLLIN, 0};
    served[CONNECTION] = (struct pollfd){-1, POLLIN, 0};
    return peer_start(serve, 0, wake) ? bench_fail(run, "fork") : 0;
}

/* NULL, or the word for what went wrong. */
static const char *call(int stream, int8_t argument, int8_t *result)
{
    unsigned char message[RPC_MESSAGE];
    struct rpc_call asked = {++xid, RPC_PROGRAM, RPC_VERSION, RPC_ECHO};
    size_t bytes = rpc_put_call(message, &asked, argument);
    if (stream ? send_record(client, message, bytes)
               : send(client, message, bytes, 0) != (ssize_t)bytes)
        return "send";
    struct pollfd answer = {client, POLLIN, 0};
    int ready = poll(&answer, 1, RETRY_MS);
    if (ready != 1)
        return ready ? "poll" : "rpc-retry";
    ssize_t n = stream ? (ssize_t)receive_record(client, message)
                       : recv(client, message, sizeof message, 0);
    return n <= 0 ? "receive" : rpc_get_reply(message, (size_t)n, xid, result);
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        int8_t argument = (int8_t)i, result = (int8_t)~i;
        const char *fault = call(run->bench->arg == SOCK_STREAM, argument, &result);
        if (fault)
            return bench_fail(run, fault);
        if (result != argument)
            return bench_fail(run, "wrong-token");
    }
    return 0;
}

BENCHMARK(rpc_udp_latency, .metric = "us", .count = 5, .batches = 3, .arg = SOCK_DGRAM,
          .setup = setup, .body = body, .teardown = peer_stop);
BENCHMARK(rpc_tcp_latency, .metric = "us", .count = 5, .batches = 3, .arg = SOCK_STREAM,
          .setup = setup, .body = body, .teardown = peer_stop);
