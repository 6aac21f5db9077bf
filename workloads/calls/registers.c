/* SPDX-License-Identifier: BSD-3-Clause */
/* Linux keeps every register but a0 over a system call, and compilers count on
 * it: so must a call that is reflected. */
#ifdef __riscv
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

/* x1 to x31 without sp, in order; sp is looked at alone. */
enum { RA, GP, TP, T0, T1, T2, S0, S1, A0, A1, A7 = A0 + 7, S2, T3 = S2 + 10, T6 = T3 + 3,
       REGISTERS };

struct registers {
    uint64_t x[REGISTERS];
    uint64_t f[32];
    uint64_t sp;
};

/* Loads all registers, makes one call and stores them all. */
void call_with(const struct registers *in, struct registers *out);

__asm__(
    "    .macro each_x operation, base\n"
    "    \\operation x1, 0(\\base)\n"
    "    \\operation x3, 8(\\base)\n"
    "    \\operation x4, 16(\\base)\n"
    "    .set offset, 32\n"
    "    .irp n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,"
    " 26, 27, 28, 29, 30, 31\n"
    "    \\operation x\\n, offset(\\base)\n"
    "    .set offset, offset + 8\n"
    "    .endr\n"
    "    .endm\n"
    "    .macro each_f operation, base\n"
    "    .set offset, 240\n"
    "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,"
    " 22, 23, 24, 25, 26, 27, 28, 29, 30, 31\n"
    "    \\operation f\\n, offset(\\base)\n"
    "    .set offset, offset + 8\n"
    "    .endr\n"
    "    .endm\n"
    "    .globl call_with\n"
    "call_with:\n"
    "    addi sp, sp, -272\n"
    "    sd x5, 256(sp)\n"
    "    each_x sd, sp\n"
    "    sd a1, 248(sp)\n"
    "    mv x5, a0\n"
    "    each_f fld, x5\n"
    "    sd sp, 496(a1)\n"
    "    each_x ld, x5\n"
    "    ld x5, 24(x5)\n"
    "    ecall\n"
    "    sd x5, 264(sp)\n"
    "    ld x5, 248(sp)\n"
    "    each_x sd, x5\n"
    "    each_f fsd, x5\n"
    "    ld x6, 496(x5)\n"
    "    sub x6, sp, x6\n"
    "    sd x6, 496(x5)\n"
    "    ld x6, 264(sp)\n"
    "    sd x6, 24(x5)\n"
    "    each_x ld, sp\n"
    "    ld x5, 256(sp)\n"
    "    addi sp, sp, 272\n"
    "    ret\n");

static struct registers in, out;

static void fill(uint64_t seed)
{
    memset(&out, 0, sizeof out);
    for (unsigned i = 0; i < REGISTERS; i++)
        in.x[i] = (seed + i) * 0x9e3779b97f4a7c15u;
    for (unsigned i = 0; i < 32; i++)
        in.f[i] = (seed + 100 + i) * 0xc2b2ae3d27d4eb4fu;
}

static long call(uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t arguments[] = {a, b, c, d, 0};
    memcpy(&in.x[A0], arguments, sizeof arguments);
    in.x[A7] = number;
    call_with(&in, &out);
    return (long)out.x[A0];
}

static int kept(void)
{
    in.x[A0] = out.x[A0];
    return !out.sp && !memcmp(in.x, out.x, sizeof in.x) && !memcmp(in.f, out.f, sizeof in.f);
}

static int over_fork(void)
{
    int status;
    fill(7);
    long pid = call(SYS_clone, SIGCHLD, 0, 0, 0);
    if (pid == 0)
        _exit(kept() ? 0 : 1);
    return pid > 0 && kept() && waitpid((pid_t)pid, &status, 0) == pid && status == 0;
}

static int body(struct run *run, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        fill(i);
        if (call(SYS_getpid, 1, 2, 3, 4) != getpid() || !kept())
            return bench_fail(run, "getpid");
        fill(i);
        if (call(SYS_getppid, 1, 2, 3, 4) != getppid() || !kept())
            return bench_fail(run, "getppid");
        fill(i);
        long fd = call(SYS_openat, (uint64_t)AT_FDCWD, (uint64_t)(uintptr_t)"/dev/null", O_WRONLY, 0);
        if (fd < 0 || !kept())
            return bench_fail(run, "openat");
        fill(i);
        if (call(SYS_write, (uint64_t)fd, (uint64_t)(uintptr_t)"x", 1, 0) != 1 || !kept())
            return bench_fail(run, "write");
        close((int)fd);
        if (!over_fork())
            return bench_fail(run, "fork");
    }
    return 0;
}

BENCHMARK(registers, .metric = "us", .count = 3, .batches = 1, .body = body);
#endif
