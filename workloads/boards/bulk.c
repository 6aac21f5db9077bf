/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends and reads data, and checks it: messages are alike, and no eight bytes of one
 * are the same. */
#include <string.h>
#include <unistd.h>

#include "bulk.h"
#include "peer.h"
#include "pieces.h"

static int reader, writer;
static const char *message;
static char *buffer;
static size_t message_bytes, all_bytes;
static size_t at, last_at, last_bytes;       /* in the message that arrives */

static void send_all(long which)
{
    char byte;
    (void)which;
    close(reader);
    while (read(writer, &byte, 1) == 1)
        for (size_t sent = 0; sent < all_bytes; sent += message_bytes)
            if (write_all(writer, message, message_bytes))
                return;
}

int bulk_start(struct run *run, int here, int there)
{
    uint32_t sum;
    reader = here, writer = there;
    message_bytes = (size_t)run->bench->arg;
    all_bytes = run->bench->bytes;
    message = (const char *)words_make(message_bytes, &sum);
    buffer = page_buffer(message_bytes);
    if (peer_start(send_all, 0, NULL))
        return bench_fail(run, "fork");
    close(writer);
    return 0;
}

static int read_all(struct run *run)
{
    for (size_t done = 0; done < all_bytes; done += last_bytes) {
        ssize_t n = read(reader, buffer, message_bytes);
        if (n <= 0)
            return bench_fail(run, "short-read");
        last_at = at, last_bytes = (size_t)n;
        at = (at + last_bytes) % message_bytes;
        if (buffer[0] != message[last_at] ||
            buffer[n - 1] != message[(at ? at : message_bytes) - 1])
            return bench_fail(run, "wrong-data");
    }
    return 0;
}

int bulk_read(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        if (write(reader, "", 1) != 1)
            return bench_fail(run, "ask");
        if (read_all(run))
            return -1;
    }
    return 0;
}

int bulk_check(struct run *run)
{
    size_t room = message_bytes - last_at;
    size_t first = last_bytes < room ? last_bytes : room;
    return memcmp(buffer, message + last_at, first) ||
                   memcmp(buffer + first, message, last_bytes - first)
               ? bench_fail(run, "wrong-data") : 0;
}
