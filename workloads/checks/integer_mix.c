/* SPDX-License-Identifier: BSD-3-Clause */
/* User-mode integer work for the MIPS rating: loads, stores, branches, calls,
 * shifts and a few multiplies over some KB, never entering the kernel. */
#include <string.h>

#include "bench.h"

#define WORDS 128
#define SLOTS 256
#define EXPECTED 0xc2c2fa5bu

static uint32_t words[WORDS], slots[SLOTS];
static char text[1024];
static uint32_t sum;

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* Shell sort: data-dependent branches, loads and stores. */
static void sort_words(void)
{
    for (int gap = 40; gap; gap /= 3)
        for (int i = gap; i < WORDS; i++) {
            uint32_t held = words[i];
            int j = i;
            for (; j >= gap && words[j - gap] > held; j -= gap)
                words[j] = words[j - gap];
            words[j] = held;
        }
}

/* A small hash table with linear probing. */
static uint32_t hash_words(void)
{
    uint32_t probes = 0;
    memset(slots, 0, sizeof slots);
    for (int i = 0; i < WORDS; i++) {
        uint32_t at = words[i] * 2654435761u >> 24;
        while (slots[at] && slots[at] != words[i]) {
            at = (at + 1) % SLOTS;
            probes++;
        }
        slots[at] = words[i];
    }
    return probes;
}

__attribute__((noinline)) static uint32_t tree_depth(uint32_t n)
{
    if (n < 2)
        return n;
    uint32_t left = tree_depth(n / 2), right = tree_depth(n - n / 2 - 1);
    return 1 + (left > right ? left : right);
}

/* Numbers to decimal text and back: bytes and divisions by a constant. */
static uint32_t print_and_read(void)
{
    char *out = text;
    for (int i = 0; i < WORDS / 4; i++) {
        char digits[12];
        int n = 0;
        for (uint32_t left = words[i]; left; left /= 10)
            digits[n++] = (char)('0' + left % 10);
        while (n)
            *out++ = digits[--n];
        *out++ = ' ';
    }
    *out = '\0';
    uint32_t value = 0, total = 0;
    for (const char *c = text; *c; c++)
        if (*c == ' ')
            total ^= value, value = 0;
        else
            value = value * 10 + (uint32_t)(*c - '0');
    return total;
}

static int body(struct run *run, uint64_t count)
{
    (void)run;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t state = 2463534242u;
        for (int k = 0; k < WORDS; k++)
            words[k] = next_random(&state);
        sum = words[WORDS - 1];
        sort_words();
        sum = sum * 31 + words[WORDS / 2];
        sum = sum * 31 + hash_words();
        sum = sum * 31 + tree_depth(100);
        sum = sum * 31 + print_and_read();
        barrier();
    }
    return 0;
}

static int check(struct run *run)
{
    return sum == EXPECTED ? 0 : bench_fail(run, "wrong-sum");
}

BENCHMARK(integer_mix, .metric = "MIPS", .count = 6, .body = body, .check = check);
