/* SPDX-License-Identifier: BSD-3-Clause */
/* Dhrystone 2 with register variables; dhry2a.c says more. */
#define REGISTER register
#include "dhrystone.h"

BENCHMARK(dhry2b, .metric = "us", .count = 300, .batches = 3, .flags = BENCH_MODES,
          .setup = dhrystone_setup, .body = dhrystone_body, .check = dhrystone_check);
