/* SPDX-License-Identifier: BSD-3-Clause */
/* Timer interrupts so far. The kernel spends thousands of instructions on
 * /proc/interrupts, so this is called between batches only. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

static int interrupts = -1;

void irqs_open(void)
{
    interrupts = open("/proc/interrupts", O_RDONLY | O_CLOEXEC);
}

/* A row is "  5:  COUNT COUNT ...  CHIP ... riscv-timer", a count for a CPU. */
static uint64_t sum_row(const char *row)
{
    uint64_t sum = 0;
    while (*row && *row++ != ':')
        ;
    for (;;) {
        uint64_t n = 0;
        while (*row == ' ')
            row++;
        if (*row < '0' || *row > '9')
            return sum;
        for (; *row >= '0' && *row <= '9'; row++)
            n = n * 10 + (uint64_t)(*row - '0');
        sum += n;
    }
}

uint64_t irqs_parse(const char *text)
{
    const char *found = strstr(text, "riscv-timer");
    if (!found)
        return 0;
    while (found > text && found[-1] != '\n')
        found--;
    return sum_row(found);
}

uint64_t irqs_timer(void)
{
    static char text[16384];
    size_t length = 0;
    while (interrupts >= 0 && length < sizeof text - 1) {
        ssize_t n = pread(interrupts, text + length, sizeof text - 1 - length,
                          (off_t)length);
        if (n <= 0)
            break;
        length += (size_t)n;
    }
    text[length] = '\0';
    return irqs_parse(text);
}
