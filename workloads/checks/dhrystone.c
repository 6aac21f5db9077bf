/* SPDX-License-Identifier: BSD-3-Clause */
/* Dhrystone 2 without register variables, for the machine's rating. */
#include "dhrystone.h"

BENCHMARK(dhrystone, .metric = "us", .count = 200, .setup = dhrystone_setup,
          .body = dhrystone_body, .check = dhrystone_check);
