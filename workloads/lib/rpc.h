/* SPDX-License-Identifier: BSD-3-Clause */
/* A small ONC RPC: the messages of RFC 5531 in XDR (RFC 4506), without
 * credentials, and its record marking for streams. No input or output here. */
#ifndef OSGAP_RPC_H
#define OSGAP_RPC_H

#include <stddef.h>
#include <stdint.h>

#define RPC_PROGRAM 0x20001996u              /* of the range for one's own */
#define RPC_VERSION 1
#define RPC_NULL 0                           /* procedures: nothing to nothing, */
#define RPC_ECHO 1                           /* and an XDR char to the same one */

#define RPC_MESSAGE 512                      /* bytes of the longest message here */
#define RPC_RECORD (RPC_MESSAGE + 4)         /* the same with its mark */

struct rpc_call {
    uint32_t xid, program, version, procedure;
};

/* A call of RPC_ECHO, or with no argument of RPC_NULL; returns its bytes. */
size_t rpc_put_call(unsigned char *message, const struct rpc_call *call, int8_t argument);

/* The server: checks a call, and makes the reply, whatever that has to say.
 * Returns the reply's bytes; 0 for what is no call and gets no reply. */
size_t rpc_answer(const unsigned char *message, size_t bytes, unsigned char *reply);

/* The client: checks every field of a reply, which must carry `xid` and one XDR
 * char and no more. NULL, or the word for what is wrong. */
const char *rpc_get_reply(const unsigned char *message, size_t bytes, uint32_t xid,
                          int8_t *result);

/* Record marking (RFC 5531, 11): puts `message` as one record of one fragment;
 * returns its bytes. */
size_t rpc_put_record(unsigned char *record, const unsigned char *message, size_t bytes);

/* Looks for one record, of any number of fragments, in the `have` bytes that came.
 * 1: it is whole, and its message has *bytes; 0: more has to come; -1: it is longer
 * than RPC_MESSAGE, or there is more than one. */
int rpc_get_record(const unsigned char *raw, size_t have, unsigned char *message,
                   size_t *bytes);

#endif
