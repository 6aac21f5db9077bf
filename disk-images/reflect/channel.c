/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions and answers through shared pages. The server has a higher priority
 * than all that it serves, so that on one CPU waking it is a switch to it, and
 * the answer is there when the call that wakes it returns. */
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/futex.h>
#include <linux/mman.h>
#include <linux/time_types.h>

#include "library.h"

enum { ANSWERED, ASKED, AWAITED };

#define PATIENCE_S 60

struct library own;

static long futex(uint32_t *word, int operation, uint32_t value, const void *timeout)
{
    return CALL4(__NR_futex, POINTER(word), (uint64_t)operation, value, POINTER(timeout));
}

struct reflect_channel *channel_open(void)
{
    long fd = CALL4(__NR_openat, (uint64_t)AT_FDCWD, POINTER(REFLECT_CHANNEL),
                    O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    long at = CALL6(__NR_mmap, 0, sizeof(struct reflect_channel), PROT_READ | PROT_WRITE,
                    MAP_SHARED, (uint64_t)fd, 0);
    CALL1(__NR_close, (uint64_t)fd);
    return at < 0 && at > -4096 ? NULL : (struct reflect_channel *)at;
}

struct reflect_record *record_at(struct reflect_channel *channel, uint32_t entry)
{
    return &channel->records[(entry - 1) / REFLECT_DEPTH][(entry - 1) % REFLECT_DEPTH];
}

/* Puts a record on the pending ones; the server sleeps while there are none. */
static void ring(struct reflect_channel *channel, uint32_t entry)
{
    struct reflect_record *record = record_at(channel, entry);
    uint32_t top = __atomic_load_n(&channel->doorbell, __ATOMIC_RELAXED);
    do
        record->next = top;
    while (!__atomic_compare_exchange_n(&channel->doorbell, &top, entry, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED));
    if (!top)
        futex(&channel->doorbell, FUTEX_WAKE, 1, NULL);
}

static void await(struct reflect_record *record)
{
    const struct __kernel_timespec patience = {PATIENCE_S, 0};
    uint32_t state;
    while ((state = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE)) != ANSWERED) {
        if (state == ASKED && !__atomic_compare_exchange_n(&record->state, &state, AWAITED, 0,
                                                           __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            continue;
        /* A server that is gone can't be done without: no call may be made unseen. */
        if (futex(&record->state, FUTEX_WAIT, AWAITED, &patience) == -ETIMEDOUT)
            __builtin_trap();
    }
}

static uint32_t prepare(uint64_t number, const uint64_t argument[6], unsigned depth)
{
    uint32_t entry = own.slot * REFLECT_DEPTH + depth % REFLECT_DEPTH + 1;
    struct reflect_record *record = record_at(own.channel, entry);
    record->state = ASKED;
    record->number = number;
    for (unsigned i = 0; i < 6; i++)
        record->argument[i] = argument[i];
    return entry;
}

/* A signal's handler may ask while this waits: it takes the next record. */
struct answer ask(uint64_t number, const uint64_t argument[6])
{
    unsigned depth = own.depth;
    __atomic_store_n(&own.depth, depth + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint32_t entry = prepare(number, argument, depth);
    struct reflect_record *record = record_at(own.channel, entry);
    ring(own.channel, entry);
    await(record);
    struct answer answer = {(enum verdict)record->number, (long)record->argument[0]};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&own.depth, depth, __ATOMIC_RELAXED);
    return answer;
}

/* The slot is another's as soon as the server knows: there is no answer. */
void say_exit(void)
{
    static const uint64_t nothing[6];
    ring(own.channel, prepare(ASK_EXIT, nothing, own.depth));
}

/* The server's side: the pending records, newest first; waits for one. */
uint32_t channel_take(struct reflect_channel *channel)
{
    uint32_t entry;
    while (!(entry = __atomic_exchange_n(&channel->doorbell, 0, __ATOMIC_SEQ_CST)))
        futex(&channel->doorbell, FUTEX_WAIT, 0, NULL);
    return entry;
}

void record_answer(struct reflect_record *record, struct answer answer)
{
    record->number = answer.verdict;
    record->argument[0] = (uint64_t)answer.value;
    if (__atomic_exchange_n(&record->state, ANSWERED, __ATOMIC_SEQ_CST) == AWAITED)
        futex(&record->state, FUTEX_WAKE, 1, NULL);
}
