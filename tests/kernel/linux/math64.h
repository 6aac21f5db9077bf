/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/kernel.h>
#include <math.h>
static inline u64 div64_u64(u64 a, u64 b) { return a / b; }
static inline void div64_u64_rem(u64 a, u64 b, u64 *rest) { *rest = a % b; }
static inline u64 int_sqrt64(u64 x)
{
	u64 root = (u64)sqrtl((long double)x);

	while (root * root > x)
		root--;
	while ((root + 1) * (root + 1) <= x)
		root++;
	return root;
}
