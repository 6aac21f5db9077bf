/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive descent, straight to code for the stack machine. */
#include "mill.h"
#include "lexer.h"
#include "code.h"

static struct lexer lexer;

static void expression(struct code *code);
static void statement(struct code *code);

static void expect(struct code *code, enum token token)
{
    if (lexer.token != token)
        code->bad = 1;
    lexer_next(&lexer);
}

static void factor(struct code *code)
{
    if (lexer.token == T_OPEN) {
        lexer_next(&lexer);
        expression(code);
        expect(code, T_CLOSE);
        return;
    }
    if (lexer.token != T_NUMBER && lexer.token != T_NAME)
        code->bad = 1;
    code_add(code, lexer.token == T_NUMBER ? OP_PUSH : OP_LOAD);
    code_add(code, lexer.value);
    lexer_next(&lexer);
}

static void term(struct code *code)
{
    factor(code);
    while (lexer.token >= T_TIMES && lexer.token <= T_REST) {
        int op = OP_MUL + (lexer.token - T_TIMES);
        lexer_next(&lexer);
        factor(code);
        code_add(code, op);
    }
}

static void sum(struct code *code)
{
    term(code);
    while (lexer.token == T_PLUS || lexer.token == T_MINUS) {
        int op = lexer.token == T_PLUS ? OP_ADD : OP_SUB;
        lexer_next(&lexer);
        term(code);
        code_add(code, op);
    }
}

static void expression(struct code *code)
{
    sum(code);
    if (lexer.token >= T_LESS && lexer.token <= T_UNLIKE) {
        int op = OP_LESS + (lexer.token - T_LESS);
        lexer_next(&lexer);
        sum(code);
        code_add(code, op);
    }
}

static void branch(struct code *code, int again)
{
    int start = code->used, hole;
    lexer_next(&lexer);
    expression(code);
    code_add(code, OP_UNLESS);
    hole = code_add(code, 0);
    statement(code);
    if (again) {
        code_add(code, OP_JUMP);
        code_add(code, start);
    }
    code->cell[hole] = code->used;
}

static void assign(struct code *code)
{
    long name = lexer.value;
    lexer_next(&lexer);
    expect(code, T_IS);
    expression(code);
    expect(code, T_STOP);
    code_add(code, OP_STORE);
    code_add(code, name);
}

static void block(struct code *code)
{
    lexer_next(&lexer);
    while (lexer.token != T_DONE && !code->bad)
        statement(code);
    expect(code, T_DONE);
}

static void statement(struct code *code)
{
    if (lexer.token == T_BEGIN) {
        block(code);
    } else if (lexer.token == T_WHILE || lexer.token == T_IF) {
        branch(code, lexer.token == T_WHILE);
    } else if (lexer.token == T_PRINT) {
        lexer_next(&lexer);
        expression(code);
        expect(code, T_STOP);
        code_add(code, OP_PRINT);
    } else {
        assign(code);
    }
}

int compile(struct code *code, const char *text)
{
    code_clear(code);
    lexer_start(&lexer, text);
    while (lexer.token != T_END && !code->bad)
        statement(code);
    code_add(code, OP_HALT);
    return code->bad;
}
