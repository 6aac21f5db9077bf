/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's own programs as benchmarks, which osgap/image/builder/programarchive.py lists. */
#ifndef OSGAP_PROGRAM_H
#define OSGAP_PROGRAM_H

/* Names the benchmarks by a list of strings: for each program its name, the folder where it
 * starts, the number of its words, and these. Returns -1 for another list. */
int program_register(char *list, const char *end);

#endif
