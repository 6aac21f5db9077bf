/* SPDX-License-Identifier: BSD-3-Clause */
/* A random chase over BYTES without a kernel, for rvsim: STEPS dependent loads between two dumps.
 * With COPY, SET or READ a pass over BYTES in order. */
typedef unsigned long u64;

#define CONTROL ((volatile u64 *)0x102000)   /* rvsim's device: command, argument */
#define DUMP 2
#define EXIT 3
#define BLOCK 0x81000000UL
#define TARGET 0x84000000UL
#define RESULT ((volatile u64 *)0x80100000)
#define LINE 64

__attribute__((section(".text.start"), naked)) void _start(void)
{
    __asm__("li sp, 0x80100000\n j run");
}

static void control(u64 command, u64 argument)
{
    CONTROL[1] = argument;
    CONTROL[0] = command;
}

struct line {
    struct line *next;
    char rest[LINE - sizeof(struct line *)];
};

/* Multiplication by an odd number permutes the lines; adding the first line's place gives a cycle
 * over all of them (Hull and Dobell, 1962). The high bits, which are the random ones, choose it. */
static struct line *chain(void)
{
    struct line *lines = (struct line *)BLOCK;
    unsigned total = BYTES / LINE, at = 1;
    for (unsigned i = 0; i < total; i++) {
        unsigned next = (at * 1664525u + 1013904223u) & (total - 1);
        lines[at].next = &lines[next];
        at = next;
    }
    return lines + 1;
}

static void chase(void)
{
    struct line *p = chain();
    unsigned warm = BYTES / LINE;
    while (warm--)
        p = p->next;
    control(DUMP, 0);
    for (unsigned i = 0; i < STEPS; i += 10) {
        p = p->next->next->next->next->next;
        p = p->next->next->next->next->next;
    }
    control(DUMP, 1);
    *RESULT = (u64)p;
}

static void copy(void)
{
    const u64 *a = (const u64 *)BLOCK, *end = a + BYTES / sizeof *a;
    u64 *b = (u64 *)TARGET;
    control(DUMP, 0);
    for (; a != end; a += 8, b += 8) {
        u64 x0 = a[0], x1 = a[1], x2 = a[2], x3 = a[3], x4 = a[4], x5 = a[5], x6 = a[6], x7 = a[7];
        b[0] = x0, b[1] = x1, b[2] = x2, b[3] = x3, b[4] = x4, b[5] = x5, b[6] = x6, b[7] = x7;
    }
    control(DUMP, 1);
}

void run(void)
{
#ifdef COPY
    copy();
#else
    chase();
#endif
    control(EXIT, 0);
    for (;;)
        ;
}
