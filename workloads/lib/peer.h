/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that serve a benchmark: servers, and the others of a ring. */
#ifndef OSGAP_PEER_H
#define OSGAP_PEER_H

struct run;

/* Forks a process that runs serve(which) and then ends; it never outlives the
 * benchmark. Should one die before peer_stop(), `wake` (or nothing, if NULL) runs
 * in a signal handler: it has to end a wait for what will not come. -1 on failure. */
int peer_start(void (*serve)(long), long which, void (*wake)(void));

/* Ends them all: a teardown. */
void peer_stop(struct run *run);

#endif
