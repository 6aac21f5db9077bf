/* SPDX-License-Identifier: BSD-3-Clause */
/* Raveling's own dhrystone, whose version he does not say: here the first one, as
 * the suites of the time that had no number to their Dhrystone. */
#define DHRYSTONE 1
#include "dhrystone.h"

BENCHMARK(byte_dhrystone, .metric = "us", .count = 300, .batches = 3, .flags = BENCH_MODES,
          .setup = dhrystone_setup, .body = dhrystone_body, .check = dhrystone_check);
