/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine itself can tell: instructions, and the clock. */
#ifndef OSGAP_COUNT_H
#define OSGAP_COUNT_H

#include <stdint.h>

#include "bench.h"

/* User-mode instructions of one of a benchmark's operations; 0 where they cannot be
 * counted in this way here. */
uint64_t count_by_perf(const struct bench *bench);
uint64_t count_by_steps(const struct bench *bench);

/* The core's clock in kHz, from additions that wait for each other: one a cycle. */
uint64_t clock_khz(void);

/* ns of a load of eight bytes that are not aligned; 0 where compilers make such loads
 * themselves, as the processor has them. */
uint64_t misaligned_ns(void);

#endif
