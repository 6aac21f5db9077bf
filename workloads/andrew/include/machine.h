/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MACHINE_H
#define MACHINE_H

struct machine {
    long stack[32];
    long names[26];
    int depth;
    int steps;
    unsigned long printed;
};

void machine_clear(struct machine *machine);
int machine_run(struct machine *machine, const struct code *code);

#endif
