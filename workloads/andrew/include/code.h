/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CODE_H
#define CODE_H

enum op {
    OP_HALT, OP_PUSH, OP_LOAD, OP_STORE, OP_JUMP, OP_UNLESS, OP_PRINT,
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_LESS, OP_SAME, OP_UNLIKE
};

struct code {
    long cell[256];
    int used;
    int bad;
};

void code_clear(struct code *code);
int code_add(struct code *code, long cell);
int compile(struct code *code, const char *text);

#endif
