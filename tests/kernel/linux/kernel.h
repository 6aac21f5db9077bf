/* SPDX-License-Identifier: BSD-3-Clause */
/* What disk_model.c needs of the kernel, for running it on the host. */
#include <stdint.h>
typedef uint64_t u64;
#define max(a, b) ((a) > (b) ? (a) : (b))
