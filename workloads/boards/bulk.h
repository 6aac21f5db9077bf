/* SPDX-License-Identifier: BSD-3-Clause */
/* Data from a partner on the same CPU by a stream of sockets. It sends the benchmark's
 * `.bytes` when a byte asks for them, in messages of `.arg` bytes; the reader asks for as
 * much with each read, always into the same place, as lmbench's readers do. */
#ifndef OSGAP_BULK_H
#define OSGAP_BULK_H

#include "bench.h"

/* Starts the partner; `here` and `there` are the reader's end and the partner's. A setup;
 * the teardown is peer_stop. */
int bulk_start(struct run *run, int here, int there);

/* The body: one count is `.bytes`. The check: all bytes of the last read. */
int bulk_read(struct run *run, uint64_t count);
int bulk_check(struct run *run);

#endif
