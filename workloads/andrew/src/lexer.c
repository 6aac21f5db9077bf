/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts the text of a program into tokens. A name is one small letter; longer
 * words are the language's own. */
#include "mill.h"
#include "lexer.h"

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
