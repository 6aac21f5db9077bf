/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the library of reflected system calls. It has no C library, and uses no
 * floating point: those registers stay as the program left them. */
#ifndef OSGAP_REFLECT_LIBRARY_H
#define OSGAP_REFLECT_LIBRARY_H

#include <stddef.h>

#include "reflect.h"

/* Questions beside the numbers of system calls. */
enum question {
    ASK_ATTACH = 0x10000,                    /* pid, uid, euid, gid, egid: a slot */
    ASK_FORK,                                /* a slot for the child to come */
    ASK_UNFORK,                              /* slot: the child did not come */
    ASK_BORN,                                /* pid: the child is here */
    ASK_EXEC,
    ASK_EXIT,                                /* not answered */
    TELL_NULL,                               /* descriptor, flags: /dev/null was opened */
    TELL_DUPLICATE,                          /* old, new, close on exec */
    TELL_OTHER,                              /* call, result: nothing to keep */
};

enum verdict {
    DO_IT,                                   /* the process makes the call itself */
    DONE,                                    /* the value is the call's result */
    DO_AND_TELL,                             /* and the server wants to know the result */
    NAMES,                                   /* the result is in the channel */
};

struct answer {
    enum verdict verdict;
    long value;
};

/* This process; a fork copies it. */
struct library {
    struct reflect_channel *channel;
    enum calls calls;
    unsigned slot;
    unsigned depth;                          /* questions under way: signals nest */
};
extern struct library own;

/* Where a reflected call can be changed: the stack pointer and the thread
 * pointer that the process goes on with; NULL: the register itself is it. */
struct caller {
    uint64_t *sp;
    uint64_t *tp;
};

/* entry.S: the only code that makes system calls */
long raw_call(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
              uint64_t f);
__attribute__((noreturn)) void start_program(uint64_t entry, uint64_t *stack);
extern char raw_begin[], raw_end[], gates[], patch_entry[], sud_entry[];

#define POINTER(p) ((uint64_t)(uintptr_t)(p))
#define CALL0(n) raw_call(n, 0, 0, 0, 0, 0, 0)
#define CALL1(n, a) raw_call(n, a, 0, 0, 0, 0, 0)
#define CALL2(n, a, b) raw_call(n, a, b, 0, 0, 0, 0)
#define CALL3(n, a, b, c) raw_call(n, a, b, c, 0, 0, 0)
#define CALL4(n, a, b, c, d) raw_call(n, a, b, c, d, 0, 0)
#define CALL6(n, a, b, c, d, e, f) raw_call(n, a, b, c, d, e, f)

/* channel.c */
struct reflect_channel *channel_open(void);
struct answer ask(uint64_t number, const uint64_t argument[6]);
void say_exit(void);
uint32_t channel_take(struct reflect_channel *channel);
struct reflect_record *record_at(struct reflect_channel *channel, uint32_t entry);
void record_answer(struct reflect_record *record, struct answer answer);

/* calls.c: 0 when a[0] holds the result, 1 when the call is still to be made */
int reflected(uint64_t a[8], const struct caller *caller);

/* arm.c */
long arm(void);
int uses_patch(enum calls calls);
long arm_patch(void);

/* signals.c */
long sud_call(uint64_t a[8], void *context);

/* exec.c */
#define LOAD_WORD_LENGTH 17
void load_word(char *text, int fd);
long reflected_exec(const char *path, char *const argv[], char *const envp[]);

/* loader.c */
__attribute__((noreturn)) void load_program(uint64_t *stack, int fd);

/* server.c */
__attribute__((noreturn)) void serve(enum calls calls);

/* text.c */
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
int same_text(const char *a, const char *b);

#endif
