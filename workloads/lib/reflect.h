/* SPDX-License-Identifier: BSD-3-Clause */
/* Reflected system calls: what the harness, the library and its server share.
 * docs/method/reflect.md says how they work together. */
#ifndef OSGAP_REFLECT_H
#define OSGAP_REFLECT_H

#include <stdint.h>

#define REFLECT_PROGRAM "/lib/reflect"
#define REFLECT_CHANNEL "/lib/reflect.channel"

/* In the order of the words in orders.c. */
enum calls {
    CALLS_DIRECT,
    CALLS_PATCH_FIRST,
    CALLS_PATCH_OPTIMISED,
    CALLS_SUD_FIRST,
    CALLS_SUD_OPTIMISED,
};

/* The library's program starts with two jumps of four bytes: the first is where
 * the kernel starts it, the second is this function, for a process that has
 * mapped it. Returns the process's slot, or a negative error number. */
#define REFLECT_ARM_OFFSET 4
typedef long (*reflect_arm_function)(enum calls calls);

#define REFLECT_SLOTS 256                    /* one for each process */
#define REFLECT_DEPTH 4                      /* calls from signal handlers in the library */

/* A cache line: a question of the library and, over it, the server's answer. */
struct reflect_record {
    uint32_t state;
    uint32_t next;                           /* the pending record below, + 1 */
    uint64_t number;                         /* of the call; answered: the verdict */
    uint64_t argument[6];                    /* answered: the value in the first */
};

/* The pages that the server shares with all that it serves. */
struct reflect_channel {
    uint32_t doorbell;                       /* the newest pending record, + 1 */
    uint32_t ready;                          /* set by the server when it listens */
    char names[6][65];                       /* the answer to uname */
    uint64_t served_all;
    uint64_t served[REFLECT_SLOTS];          /* to the processes that had a slot */
    struct reflect_record records[REFLECT_SLOTS][REFLECT_DEPTH]
        __attribute__((aligned(64)));
};

#endif
