/* SPDX-License-Identifier: BSD-3-Clause */
/* Timer interrupts so far, from the one file of sysfs that has this interrupt's
 * counts alone: the kernel spends thousands of instructions on /proc/interrupts. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

static int counts = -1;

/* Returns the number of the timer's interrupt, or -1: a row of `interrupts` is
 * "  5:  COUNT COUNT ...  CHIP ... riscv-timer". */
static long timer_number(FILE *interrupts)
{
    char row[1024];
    while (fgets(row, sizeof row, interrupts))
        if (strstr(row, "riscv-timer"))
            return strtol(row, NULL, 10);
    return -1;
}

void irqs_open(void)
{
    char path[64];
    FILE *interrupts = fopen("/proc/interrupts", "re");
    long number = interrupts ? timer_number(interrupts) : -1;
    if (interrupts)
        fclose(interrupts);
    if (number < 0)
        return;
    snprintf(path, sizeof path, "/sys/kernel/irq/%ld/per_cpu_count", number);
    counts = open(path, O_RDONLY | O_CLOEXEC);
}

/* Sums "COUNT,COUNT,...", a count for a CPU. */
uint64_t irqs_parse(const char *text)
{
    uint64_t sum = 0, count = 0;
    for (; *text; text++) {
        if (*text >= '0' && *text <= '9') {
            count = count * 10 + (uint64_t)(*text - '0');
            continue;
        }
        sum += count;
        count = 0;
    }
    return sum + count;
}

uint64_t irqs_timer(void)
{
    char text[1024];
    ssize_t length = counts < 0 ? 0 : pread(counts, text, sizeof text - 1, 0);
    text[length < 0 ? 0 : length] = '\0';
    return irqs_parse(text);
}
