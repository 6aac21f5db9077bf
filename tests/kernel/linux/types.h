/* SPDX-License-Identifier: BSD-3-Clause */
#include <linux/kernel.h>
#include <stdbool.h>
