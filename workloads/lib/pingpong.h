/* SPDX-License-Identifier: BSD-3-Clause */
/* A token goes to a partner on the same CPU and comes back; one count is a round
 * trip. The benchmark's arg says how many bytes of the token's number travel. */
#ifndef OSGAP_PINGPONG_H
#define OSGAP_PINGPONG_H

#include "bench.h"

/* Starts a partner between two pipes: it runs `answer` on its ends of them, which
 * ends with the other side. A setup; the teardown is peer_stop. */
int pingpong_pipes(struct run *run, void (*answer)(int from, int to, size_t bytes));

/* The benchmark's ends, where they are no pipes. */
void pingpong_over(int socket);

/* Sends back what comes. */
void pingpong_echo(int from, int to, size_t bytes);

/* The body: no two tokens in a row are the same, and what comes back is checked. */
int pingpong(struct run *run, uint64_t count);

#endif
