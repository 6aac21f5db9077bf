/* SPDX-License-Identifier: BSD-3-Clause */
/* Process creation: a child that ends at once, and is waited for. */
#include "bench.h"

BENCHMARK(spawn, .metric = "ms", .count = 4, .batches = 3, .flags = BENCH_MODES,
          .body = fork_and_wait);
