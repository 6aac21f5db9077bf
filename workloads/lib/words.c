/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the words and numbers of the protocol. */
#include <string.h>

#include "runner.h"

/* Allows decimal digits only: no sign, space, leading zero or overflow. */
int parse_number(const char *text, uint64_t highest, uint64_t *number)
{
    uint64_t n = 0;
    if (!*text || (text[0] == '0' && text[1]))
        return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        unsigned digit = (unsigned)(*text - '0');
        if (n > (highest - digit) / 10 || digit > highest)
            return -1;
        n = n * 10 + digit;
    }
    *number = n;
    return 0;
}

int is_word(const char *text)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789_.-";
    return text && *text && text[strspn(text, allowed)] == '\0' && strlen(text) < MAX_WORD;
}

/* Cuts the next field off; an empty field stays visible as "". */
char *next_field(char **rest, char separator)
{
    char *field = *rest;
    if (!field)
        return NULL;
    char *end = strchr(field, separator);
    if (end)
        *end++ = '\0';
    *rest = end;
    return field;
}

int split_pair(char *field, char **key, char **value)
{
    char *equals = strchr(field, '=');
    if (!equals || strchr(equals + 1, '='))
        return -1;
    *equals = '\0';
    *key = field;
    *value = equals + 1;
    return is_word(*key) && is_word(*value) ? 0 : -1;
}
