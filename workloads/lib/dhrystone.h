/* SPDX-License-Identifier: BSD-3-Clause */
/* After the published description of Weicker's synthetic program (CACM, October
 * 1984): its mix of statements, types and operand places, in code of our own.
 * Procedures are kept from being inlined, as separate compilation would.
 *
 * A file defines what it wants before it includes this, and declares a benchmark:
 * DHRYSTONE   1, or 2 (the default): the later version's last statements use their
 *             results in another order, and a branch never taken does more
 * REGISTER    the storage class of the variables that Weicker marks for registers:
 *             nothing (the default), or register */
#ifndef OSGAP_DHRYSTONE_H
#define OSGAP_DHRYSTONE_H

#include <string.h>

#include "bench.h"

#ifndef DHRYSTONE
#define DHRYSTONE 2
#endif
#ifndef REGISTER
#define REGISTER
#endif

/* clang knows no noclone; "used" keeps it from assuming that it sees every call. */
#ifdef __clang__
#define APART __attribute__((noinline, used)) static
#else
#define APART __attribute__((noinline, noclone)) static
#endif

enum ident { IDENT_1, IDENT_2, IDENT_3, IDENT_4, IDENT_5 };

struct record {
    struct record *link;
    enum ident variant;
    enum ident choice;
    int number;
    char text[31];
};

static struct record first_record, second_record, *head, *second;
static int global_number, global_flag, numbers[50], table[50][50];
static char global_char_1, global_char_2;
static int last_1, last_2, last_3;
static enum ident last_ident;
static uint64_t passes;

APART enum ident compare_chars(char a, char b)
{
    char copy = a;
    if (copy != b)
        return IDENT_1;
    global_char_1 = copy;
    return IDENT_2;
}

APART int compare_texts(const char *a, const char *b)
{
    REGISTER int i = 2;
    char found = '\0';
    while (i <= 2)
        if (compare_chars(a[i], b[i + 1]) == IDENT_1) {
            found = 'A';
            i++;
        }
    if (found >= 'W' && found < 'Z')
        i = 7;
    if (found == 'R')
        return 1;
    if (strcmp(a, b) <= 0)
        return 0;
    global_number = i + 7;
    return 1;
}

APART int is_third(enum ident value)
{
    enum ident copy = value;
    return copy == IDENT_3;
}

APART void add_offset(int a, int b, int *result)
{
    int sum = a + 2;
    *result = b + sum;
}

APART void map_ident(enum ident value, enum ident *result)
{
    *result = is_third(value) ? value : IDENT_4;
    switch (value) {
    case IDENT_1:
        *result = IDENT_1;
        break;
    case IDENT_2:
        *result = global_number > 100 ? IDENT_1 : IDENT_4;
        break;
    case IDENT_3:
        *result = IDENT_2;
        break;
    case IDENT_4:
        break;
    case IDENT_5:
        *result = IDENT_3;
        break;
    }
}

APART void step_number(int *number)
{
    int value = *number + 10;
    enum ident where = IDENT_2;
    for (;;) {
        if (global_char_1 == 'A') {
            value--;
            *number = value - global_number;
            where = IDENT_1;
        }
        if (where == IDENT_1)
            return;
    }
}

APART void follow_head(struct record **link)
{
    if (head)
        *link = head->link;
    add_offset(10, global_number, &head->number);
}

APART void visit_record(REGISTER struct record *record)
{
    REGISTER struct record *next = record->link;
    *record->link = *head;
    record->number = 5;
    next->number = record->number;
    next->link = record->link;
    follow_head(&next->link);
    if (next->variant != IDENT_1) {
        *record = *record->link;
        return;
    }
    next->number = 6;
    map_ident(record->choice, &next->choice);
    next->link = head->link;
    add_offset(next->number, 10, &next->number);
}

APART void fill_arrays(int *row, int (*square)[50], int index, int value)
{
    REGISTER int at = index + 5;
    row[at] = value;
    row[at + 1] = row[at];
    row[at + 30] = at;
    for (REGISTER int i = at; i <= at + 1; i++)
        square[at][i] = at;
    square[at][at - 1] += 1;
    square[at + 20][at] = row[at];
    global_number = 5;
}

APART void set_flag(void)
{
    int is_a = global_char_1 == 'A';
    global_flag = is_a | global_flag;
    global_char_2 = 'B';
}

APART void set_globals(void)
{
    global_char_1 = 'A';
    global_flag = 0;
}

static void one_pass(int pass, const char *text_1)
{
    int a = 2, c = 0;
    REGISTER int b = 3;
    char text_2[31];
    enum ident where = IDENT_2;
    set_globals();
    set_flag();
    strcpy(text_2, "WORDS OF A RECORD, 2'ND STRING");
    global_flag = !compare_texts(text_1, text_2);
    while (a < b) {
        c = 5 * a - b;
        add_offset(a, b, &c);
        a++;
    }
    fill_arrays(numbers, table, a, c);
    visit_record(head);
    for (REGISTER char i = 'A'; i <= global_char_2; i++)
        if (where == compare_chars(i, 'C')) {
            map_ident(IDENT_1, &where);
#if DHRYSTONE == 2
            strcpy(text_2, "WORDS OF A RECORD, 3'RD STRING");
            b = pass;
            global_number = pass;
#endif
        }
#if DHRYSTONE == 2
    b = b * a;
    a = b / c;
    b = 7 * (b - c) - a;
#else
    (void)pass;
    c = b * a;
    b = c / a;
    b = 7 * (c - b) - a;
#endif
    step_number(&a);
    last_1 = a, last_2 = b, last_3 = c, last_ident = where;
}

static int dhrystone_setup(struct run *run)
{
    (void)run;
    head = &first_record;
    second = &second_record;
    head->link = second;
    head->variant = IDENT_1;
    head->choice = IDENT_3;
    head->number = 40;
    strcpy(head->text, "WORDS OF A RECORD, SOME STRING");
    table[8][7] = 10;
    return 0;
}

static int dhrystone_body(struct run *run, uint64_t count)
{
    char text_1[31];
    (void)run;
    strcpy(text_1, "WORDS OF A RECORD, 1'ST STRING");
    for (REGISTER uint64_t i = 1; i <= count; i++) {
        barrier();
        one_pass((int)i, text_1);
    }
    passes += count;
    return 0;
}

static int dhrystone_check(struct run *run)
{
    int globals = global_number == 5 && global_flag == 1 && global_char_1 == 'A' &&
                  global_char_2 == 'B' && numbers[8] == 7 &&
                  (uint64_t)table[8][7] == passes + 10;
    int records = head->number == 17 && head->choice == IDENT_3 &&
                  second->number == 18 && second->choice == IDENT_2 &&
                  !strcmp(second->text, head->text);
#if DHRYSTONE == 2
    int locals = last_1 == 5 && last_2 == 13 && last_3 == 7 && last_ident == IDENT_2;
#else
    int locals = last_1 == 7 && last_2 == 39 && last_3 == 9 && last_ident == IDENT_2;
#endif
    return globals && records && locals ? 0 : bench_fail(run, "wrong-result");
}

#endif
