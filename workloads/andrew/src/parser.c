/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts the text of a program into tokens, and those into code for the stack
 * machine by recursive descent. A name is one small letter; longer words are
 * the language's own. */
#include "mill.h"
#include "lexer.h"
#include "code.h"

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static int same_word(const char *text, const char *word, int length)
{
    int i;
    for (i = 0; i < length; i++)
        if (word[i] != text[i])
            return 0;
    return word[length] == '\0';
}

static enum token word_token(const char *text, int length)
{
    if (length == 1)
        return T_NAME;
    if (same_word(text, "while", length))
        return T_WHILE;
    if (same_word(text, "if", length))
        return T_IF;
    if (same_word(text, "print", length))
        return T_PRINT;
    return T_BAD;
}

static enum token sign_token(char c)
{
    switch (c) {
    case '+': return T_PLUS;
    case '-': return T_MINUS;
    case '*': return T_TIMES;
    case '/': return T_OVER;
    case '%': return T_REST;
    case '<': return T_LESS;
    case '~': return T_SAME;
    case '!': return T_UNLIKE;
    case '=': return T_IS;
    case '(': return T_OPEN;
    case ')': return T_CLOSE;
    case '{': return T_BEGIN;
    case '}': return T_DONE;
    case ';': return T_STOP;
    }
    return T_BAD;
}

void lexer_next(struct lexer *lexer)
{
    const char *at = lexer->at;
    while (*at == ' ' || *at == '\n')
        at++;
    if (*at == '\0') {
        lexer->token = T_END;
    } else if (is_digit(*at)) {
        lexer->token = T_NUMBER;
        lexer->value = 0;
        while (is_digit(*at))
            lexer->value = lexer->value * 10 + (*at++ - '0');
    } else if (is_letter(*at)) {
        const char *start = at;
        while (is_letter(*at))
            at++;
        lexer->token = word_token(start, (int)(at - start));
        lexer->value = *start - 'a';
    } else {
        lexer->token = sign_token(*at++);
    }
    lexer->at = at;
}

void lexer_start(struct lexer *lexer, const char *text)
{
    lexer->at = text;
    lexer->value = 0;
    lexer_next(lexer);
}

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
