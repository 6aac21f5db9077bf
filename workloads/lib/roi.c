/* SPDX-License-Identifier: BSD-3-Clause */
/* Region marks: a sim-control device (rvsim's), m5 operations (gem5's), or none. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runner.h"

#define SIM_CONTROL 0x102000
#define SIM_COMMAND 0
#define SIM_ARGUMENT 1                       /* 64-bit registers */
enum { SIM_DUMP = 2, SIM_EXIT = 3 };

static volatile uint64_t *sim;
static enum marks marking;

static void sim_command(uint64_t command, uint64_t argument)
{
    sim[SIM_ARGUMENT] = argument;
    sim[SIM_COMMAND] = command;
}

#ifdef __riscv
#define M5_OP(name, function)                                               \
    static long name(long first, long second, long third)                   \
    {                                                                       \
        register long a0 __asm__("a0") = first;                             \
        register long a1 __asm__("a1") = second;                            \
        register long a2 __asm__("a2") = third;                             \
        __asm__ volatile(".word %3"                                         \
                         : "+r"(a0)                                         \
                         : "r"(a1), "r"(a2), "i"(((function) << 25) | 0x7b) \
                         : "memory");                                       \
        return a0;                                                          \
    }
#else
#define M5_OP(name, function)                                               \
    static long name(long first, long second, long third)                   \
    {                                                                       \
        (void)first, (void)second, (void)third;                             \
        return -1;                                                          \
    }
#endif

M5_OP(m5_exit, 0x21)
M5_OP(m5_reset_stats, 0x40)
M5_OP(m5_dump_stats, 0x41)
M5_OP(m5_checkpoint, 0x43)
M5_OP(m5_read_file, 0x50)

/* Called once, before any fork: the mapping is inherited. */
int roi_open(enum marks marks)
{
    marking = marks;
    if (marks != MARKS_SIM_CONTROL)
        return 0;
    int fd = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
    if (fd < 0)
        return -1;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, SIM_CONTROL);
    close(fd);
    if (page == MAP_FAILED)
        return -1;
    sim = page;
    return 0;
}

/* Faults in the device's page, which a fork does not copy. */
void roi_touch(void)
{
    if (marking == MARKS_SIM_CONTROL)
        sim[SIM_ARGUMENT] = 0;
}

void roi_begin(uint64_t region)
{
    if (marking == MARKS_SIM_CONTROL)
        sim_command(SIM_DUMP, 2 * region);
    else if (marking == MARKS_M5)
        m5_reset_stats(0, 0, 0);
}

void roi_end(uint64_t region)
{
    if (marking == MARKS_SIM_CONTROL)
        sim_command(SIM_DUMP, 2 * region + 1);
    else if (marking == MARKS_M5)
        m5_dump_stats(0, 0, 0);
}

/* Returns if there is no such command. */
void roi_exit(int code)
{
    if (marking == MARKS_SIM_CONTROL && sim)
        sim_command(SIM_EXIT, (uint64_t)code);
    else if (marking == MARKS_M5)
        m5_exit(0, 0, 0);
}

void m5_make_checkpoint(void)
{
    m5_checkpoint(0, 0, 0);
}

/* gem5 writes through the page table, so the pages must exist already. */
long m5_read_orders(void *buffer, size_t bytes)
{
    static long offset;
    memset(buffer, 0, bytes);
    long n = m5_read_file((long)buffer, (long)bytes, offset);
    if (n > 0)
        offset += n;
    return n;
}
