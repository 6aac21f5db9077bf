/* SPDX-License-Identifier: BSD-3-Clause */
/* An init that gets ready like the guest's own, and then says what it should not.
 * It says BYTES of SAY, or of OTHER to orders that begin with x; with CALL it then calls getppid; at
 * the end it exits, which no init may. */
#ifndef OTHER
#define OTHER SAY
#endif
enum { SYS_READ = 63, SYS_WRITE = 64, SYS_EXIT = 93, SYS_GETPPID = 173 };

static long call(long number, long a, const void *b, long c)
{
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = a;
    register const void *a1 __asm__("a1") = b;
    register long a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}

static char block[4096];

void _start(void)
{
    static const char ready[] = "@osgap ready protocol=2\n", say[] = SAY, other[] = OTHER;
    char orders[1];
    call(SYS_WRITE, 1, ready, sizeof ready - 1);
    call(SYS_READ, 0, orders, 1);
    const char *text = orders[0] == 'x' ? other : say;
    unsigned long size = (orders[0] == 'x' ? sizeof other : sizeof say) - 1;
    unsigned long each = (sizeof block) / size * size;
    for (unsigned long i = 0; i < each; i++)
        block[i] = text[i % size];
    for (unsigned long left = BYTES; left; left -= left < each ? left : each)
        call(SYS_WRITE, 1, block, left < each ? left : each);
#ifdef CALL
    call(SYS_GETPPID, 0, 0, 0);
#endif
    call(SYS_EXIT, 0, 0, 0);
}
