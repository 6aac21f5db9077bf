/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's own programs as benchmarks: osgap/image/programs.py writes the list of them. */
#ifndef OSGAP_PROGRAM_H
#define OSGAP_PROGRAM_H

#define SUITE "program"
#include "bench.h"

struct program {
    const char *directory;                   /* where it starts */
    char *const *argv;
};

/* By a benchmark's arg. */
extern const struct program programs[];

int program_setup(struct run *run);
int program_before(struct run *run);
int program_body(struct run *run, uint64_t count);
void program_teardown(struct run *run);

#endif
