/* SPDX-License-Identifier: BSD-3-Clause */
/* Start-up code of the program that the Andrew benchmark compiles. It is built
 * beforehand, as the benchmark's compiler has no assembler for this machine. */
int osgap_andrew_main(void);

#if defined(__riscv)
static void leave(long status)
{
    register long a0 __asm__("a0") = status;
    register long a7 __asm__("a7") = 93;
    __asm__ volatile("ecall" : : "r"(a0), "r"(a7));
}
#elif defined(__x86_64__)
static void leave(long status)
{
    __asm__ volatile("syscall" : : "a"(60), "D"(status) : "rcx", "r11", "memory");
}
#elif defined(__aarch64__)
static void leave(long status)
{
    register long x0 __asm__("x0") = status;
    register long x8 __asm__("x8") = 93;
    __asm__ volatile("svc 0" : : "r"(x0), "r"(x8));
}
#else
#error "no exit system call for this machine"
#endif

void _start(void);

void _start(void)
{
    leave(osgap_andrew_main());
    for (;;)
        ;
}
