/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs and checks the messages of a small ONC RPC (RFC 5531, RFC 4506). */
#include <string.h>

#include "rpc.h"

/* RFC 5531, 9 */
enum { CALL = 0, REPLY = 1 };
enum { MSG_ACCEPTED = 0, MSG_DENIED = 1 };
enum { SUCCESS, PROG_UNAVAIL, PROG_MISMATCH, PROC_UNAVAIL, GARBAGE_ARGS };
enum { RPC_MISMATCH = 0 };
enum { AUTH_NONE = 0, AUTH_MOST = 400, RPC_VERS = 2 };
#define LAST_FRAGMENT 0x80000000u

/* A position in a message. It fails at the end, and then no longer moves. */
struct xdr {
    unsigned char *at, *end;
    int failed;
};

static void put(struct xdr *x, uint32_t value)
{
    if (x->end - x->at < 4) {
        x->failed = 1;
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        *x->at++ = (unsigned char)(value >> shift);
}

static uint32_t get(struct xdr *x)
{
    if (x->end - x->at < 4) {
        x->failed = 1;
        return 0;
    }
    x->at += 4;
    return (uint32_t)x->at[-4] << 24 | (uint32_t)x->at[-3] << 16 | (uint32_t)x->at[-2] << 8 |
           x->at[-1];
}

/* An XDR char is an integer that a char can hold. */
static int8_t get_char(struct xdr *x)
{
    int32_t value = (int32_t)get(x);
    if (value < INT8_MIN || value > INT8_MAX)
        x->failed = 1;
    return (int8_t)value;
}

static struct xdr reading(const unsigned char *message, size_t bytes)
{
    unsigned char *start = (unsigned char *)message;
    return (struct xdr){.at = start, .end = start + bytes};
}

static struct xdr writing(unsigned char *message)
{
    return (struct xdr){.at = message, .end = message + RPC_MESSAGE};
}

static size_t written(const struct xdr *x, const unsigned char *message)
{
    return x->failed ? 0 : (size_t)(x->at - message);
}

static void put_no_auth(struct xdr *x)
{
    put(x, AUTH_NONE);
    put(x, 0);
}

/* Skips credentials of any kind: this server checks none. */
static void skip_auth(struct xdr *x)
{
    (void)get(x);
    uint32_t bytes = get(x), padded = (bytes + 3) & ~3u;
    if (bytes > AUTH_MOST || (size_t)(x->end - x->at) < padded)
        x->failed = 1;
    else
        x->at += padded;
}

size_t rpc_put_call(unsigned char *message, const struct rpc_call *call, int8_t argument)
{
    struct xdr x = writing(message);
    put(&x, call->xid);
    put(&x, CALL);
    put(&x, RPC_VERS);
    put(&x, call->program);
    put(&x, call->version);
    put(&x, call->procedure);
    put_no_auth(&x);
    put_no_auth(&x);
    if (call->procedure != RPC_NULL)
        put(&x, (uint32_t)(int32_t)argument);
    return written(&x, message);
}

static void accept_call(struct xdr *x, uint32_t status)
{
    put(x, MSG_ACCEPTED);
    put_no_auth(x);
    put(x, status);
}

static void put_range(struct xdr *x, uint32_t lowest, uint32_t highest)
{
    put(x, lowest);
    put(x, highest);
}

static void run_procedure(struct xdr *in, uint32_t procedure, struct xdr *out)
{
    int8_t value = procedure == RPC_ECHO ? get_char(in) : 0;
    if (in->failed || in->at != in->end) {
        accept_call(out, GARBAGE_ARGS);
        return;
    }
    accept_call(out, SUCCESS);
    if (procedure == RPC_ECHO)
        put(out, (uint32_t)(int32_t)value);
}

static void dispatch(struct xdr *in, struct xdr *out)
{
    uint32_t program = get(in), version = get(in), procedure = get(in);
    skip_auth(in);
    skip_auth(in);
    if (in->failed)
        accept_call(out, GARBAGE_ARGS);
    else if (program != RPC_PROGRAM)
        accept_call(out, PROG_UNAVAIL);
    else if (version != RPC_VERSION) {
        accept_call(out, PROG_MISMATCH);
        put_range(out, RPC_VERSION, RPC_VERSION);
    } else if (procedure != RPC_NULL && procedure != RPC_ECHO)
        accept_call(out, PROC_UNAVAIL);
    else
        run_procedure(in, procedure, out);
}

size_t rpc_answer(const unsigned char *message, size_t bytes, unsigned char *reply)
{
    struct xdr in = reading(message, bytes), out = writing(reply);
    uint32_t xid = get(&in), type = get(&in), rpc_version = get(&in);
    if (in.failed || type != CALL)
        return 0;
    put(&out, xid);
    put(&out, REPLY);
    if (rpc_version != RPC_VERS) {
        put(&out, MSG_DENIED);
        put(&out, RPC_MISMATCH);
        put_range(&out, RPC_VERS, RPC_VERS);
    } else
        dispatch(&in, &out);
    return written(&out, reply);
}

static const char *status_word(uint32_t status)
{
    static const char *const words[] = {
        NULL, "rpc-no-program", "rpc-wrong-version", "rpc-no-procedure", "rpc-garbage-args"};
    return status < sizeof words / sizeof *words ? words[status] : "rpc-unknown-status";
}

static const char *get_accepted(struct xdr *x, int8_t *result)
{
    uint32_t flavor = get(x), verifier = get(x), status = get(x);
    if (x->failed)
        return "rpc-short-reply";
    if (flavor != AUTH_NONE || verifier)
        return "rpc-wrong-verifier";
    if (status_word(status))
        return status_word(status);
    if (x->end - x->at != 4)
        return x->end - x->at < 4 ? "rpc-short-reply" : "rpc-long-reply";
    *result = get_char(x);
    return x->failed ? "rpc-wrong-char" : NULL;
}

const char *rpc_get_reply(const unsigned char *message, size_t bytes, uint32_t xid,
                          int8_t *result)
{
    struct xdr x = reading(message, bytes);
    uint32_t found = get(&x), type = get(&x), status = get(&x);
    if (x.failed)
        return "rpc-short-reply";
    if (found != xid)
        return "rpc-wrong-xid";
    if (type != REPLY)
        return "rpc-no-reply";
    if (status != MSG_ACCEPTED)
        return "rpc-denied";
    return get_accepted(&x, result);
}

size_t rpc_put_record(unsigned char *record, const unsigned char *message, size_t bytes)
{
    struct xdr x = {.at = record, .end = record + 4};
    put(&x, LAST_FRAGMENT | (uint32_t)bytes);
    memcpy(x.at, message, bytes);
    return bytes + 4;
}

int rpc_get_record(const unsigned char *raw, size_t have, unsigned char *message,
                   size_t *bytes)
{
    struct xdr x = reading(raw, have);
    *bytes = 0;
    for (;;) {
        uint32_t mark = get(&x);
        size_t length = mark & ~LAST_FRAGMENT;
        if (x.failed)
            return 0;
        if (length > RPC_MESSAGE - *bytes)
            return -1;
        if (length > (size_t)(x.end - x.at))
            return 0;
        memcpy(message + *bytes, x.at, length);
        x.at += length;
        *bytes += length;
        if (mark & LAST_FRAGMENT)
            return x.at == x.end ? 1 : -1;
    }
}
