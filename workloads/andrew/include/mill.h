/* SPDX-License-Identifier: BSD-3-Clause */
/* mill: a small language of integers. Types and limits used by every part. */
#ifndef MILL_H
#define MILL_H

enum limits { MAX_CODE = 256, MAX_STACK = 32, MAX_NAMES = 26, MAX_STEPS = 20000 };

typedef long number;

#endif
