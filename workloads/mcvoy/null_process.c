/* SPDX-License-Identifier: BSD-3-Clause */
/* Fork a process that exits, and wait for it. */
#include "bench.h"

BENCHMARK(null_process, .metric = "us", .count = 1, .batches = 3, .body = fork_and_wait);
