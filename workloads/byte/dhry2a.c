/* SPDX-License-Identifier: BSD-3-Clause */
/* Dhrystone 2 without register variables. What 2a and 2b were in 1990 is unknown:
 * the two that Weicker lets be told apart are these. An optimising compiler makes
 * the same code of both. */
#include "dhrystone.h"

BENCHMARK(dhry2a, .metric = "us", .count = 300, .batches = 3, .flags = BENCH_MODES,
          .setup = dhrystone_setup, .body = dhrystone_body, .check = dhrystone_check);
