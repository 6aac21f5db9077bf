/* SPDX-License-Identifier: BSD-3-Clause */
/* A partner on the same CPU, by pipes or over loopback, and the token that goes to it
 * and comes back; one count is a round trip. The benchmark's arg says how many bytes
 * of the token's number travel. */
#ifndef OSGAP_PINGPONG_H
#define OSGAP_PINGPONG_H

#include "bench.h"

/* What a partner does with its ends, until the other side ends: one socket, or two
 * pipes. */
typedef void (*answerer)(int from, int to, size_t bytes);

/* Start a partner between two pipes, or at the other end of 127.0.0.1 (type is
 * SOCK_STREAM or SOCK_DGRAM). Setups; the teardown is peer_stop. */
int pingpong_pipes(struct run *run, answerer answer);
int pingpong_loopback(struct run *run, int type, answerer answer);

/* The benchmark's own ends; the same one twice where it is a socket. */
int pingpong_out(void);
int pingpong_in(void);

/* Sends back what comes. */
void pingpong_echo(int from, int to, size_t bytes);

/* The body: no two tokens in a row are the same, and what comes back is checked. */
int pingpong(struct run *run, uint64_t count);

#endif
