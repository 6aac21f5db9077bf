/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of a program, and the stack machine that runs them. It stops with a fault rather than touch what it must not:
 * a full or an empty stack, a division by zero, or too many steps. */
#include "mill.h"
#include "code.h"
#include "machine.h"

enum fault { FINE, FAULT_STACK, FAULT_ZERO, FAULT_STEPS, FAULT_OP };

void code_clear(struct code *code)
{
    int i;
    for (i = 0; i < MAX_CODE; i++)
        code->cell[i] = OP_HALT;
    code->used = 0;
    code->bad = 0;
}

/* The last cell stays free, so that every program ends in a halt. */
int code_add(struct code *code, long cell)
{
    if (code->used == MAX_CODE - 1) {
        code->bad = 1;
        return 0;
    }
    code->cell[code->used] = cell;
    return code->used++;
}

void machine_clear(struct machine *machine)
{
    int i;
    for (i = 0; i < MAX_NAMES; i++)
        machine->names[i] = 0;
    machine->depth = 0;
    machine->steps = 0;
    machine->printed = 5381;
}

static int arithmetic(struct machine *machine, long op)
{
    number a, b, *top;
    if (machine->depth < 2)
        return FAULT_STACK;
    b = machine->stack[--machine->depth];
    top = &machine->stack[machine->depth - 1];
    a = *top;
    if ((op == OP_DIV || op == OP_MOD) && b == 0)
        return FAULT_ZERO;
    switch (op) {
    case OP_ADD: *top = a + b; break;
    case OP_SUB: *top = a - b; break;
    case OP_MUL: *top = a * b; break;
    case OP_DIV: *top = a / b; break;
    case OP_MOD: *top = a % b; break;
    case OP_LESS: *top = a < b; break;
    case OP_SAME: *top = a == b; break;
    case OP_UNLIKE: *top = a != b; break;
    default: return FAULT_OP;
    }
    return FINE;
}

static int push(struct machine *machine, number value)
{
    if (machine->depth == MAX_STACK)
        return FAULT_STACK;
    machine->stack[machine->depth++] = value;
    return FINE;
}

int machine_run(struct machine *machine, const struct code *code)
{
    int at = 0, fault = FINE;
    while (!fault && code->cell[at] != OP_HALT) {
        long op = code->cell[at++];
        if (++machine->steps > MAX_STEPS)
            return FAULT_STEPS;
        if (op >= OP_ADD) {
            fault = arithmetic(machine, op);
        } else if (op == OP_PUSH) {
            fault = push(machine, code->cell[at++]);
        } else if (op == OP_LOAD) {
            fault = push(machine, machine->names[code->cell[at++]]);
        } else if (op == OP_JUMP) {
            at = (int)code->cell[at];
        } else if (machine->depth == 0) {
            fault = FAULT_STACK;
        } else {
            number top = machine->stack[--machine->depth];
            if (op == OP_STORE)
                machine->names[code->cell[at++]] = top;
            else if (op == OP_PRINT)
                machine->printed = machine->printed * 33 + (unsigned long)top;
            else
                at = top ? at + 1 : (int)code->cell[at];
        }
    }
    return fault;
}
