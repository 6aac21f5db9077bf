/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEXER_H
#define LEXER_H

enum token {
    T_END, T_NUMBER, T_NAME, T_WHILE, T_IF, T_PRINT,
    T_PLUS, T_MINUS, T_TIMES, T_OVER, T_REST, T_LESS, T_SAME, T_UNLIKE,
    T_IS, T_OPEN, T_CLOSE, T_BEGIN, T_DONE, T_STOP, T_BAD
};

struct lexer {
    const char *at;
    enum token token;
    long value;
};

void lexer_start(struct lexer *lexer, const char *text);
void lexer_next(struct lexer *lexer);

#endif
