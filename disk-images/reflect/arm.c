/* SPDX-License-Identifier: BSD-3-Clause */
/* Switching reflection on, and the two ways in which a call then comes here. */
#include <asm/signal.h>
#include <asm/siginfo.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/prctl.h>

#include "library.h"

#ifndef PR_OSGAP_REFLECT
#define PR_OSGAP_REFLECT 0x4f534741          /* patch 0003 */
#endif

int uses_patch(enum calls calls)
{
    return calls == CALLS_PATCH_FIRST || calls == CALLS_PATCH_OPTIMISED;
}

long arm_patch(void)
{
    return CALL6(__NR_prctl, PR_OSGAP_REFLECT, POINTER(raw_begin), POINTER(raw_end),
                 POINTER(patch_entry), POINTER(gates), 0);
}

/* In its handler SIGSYS may come again: a handler's return is a call too. */
static long arm_dispatch(void)
{
    struct sigaction action = {
        .sa_handler = (__sighandler_t)sud_entry,
        .sa_flags = SA_SIGINFO | SA_NODEFER,
    };
    long failed = CALL4(__NR_rt_sigaction, SIGSYS, POINTER(&action), 0, sizeof action.sa_mask);
    if (failed)
        return failed;
    return CALL6(__NR_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON,
                 POINTER(raw_begin), (uint64_t)(raw_end - raw_begin), 0, 0);
}

long arm(void)
{
    return uses_patch(own.calls) ? arm_patch() : arm_dispatch();
}

/* The harness calls this in the process that a benchmark gets. */
long reflect_arm(enum calls calls);
long reflect_arm(enum calls calls)
{
    const uint64_t self[6] = {
        (uint64_t)CALL0(__NR_getpid),  (uint64_t)CALL0(__NR_getuid),
        (uint64_t)CALL0(__NR_geteuid), (uint64_t)CALL0(__NR_getgid),
        (uint64_t)CALL0(__NR_getegid),
    };
    own = (struct library){.channel = channel_open(), .calls = calls};
    if (!own.channel || !own.channel->ready)
        return -ENOENT;
    /* Slot 0 is for this question only: the harness runs one benchmark at a time. */
    long slot = ask(ASK_ATTACH, self).value;
    if (slot < 0)
        return slot;
    own.slot = (unsigned)slot;
    long failed = arm();
    return failed ? failed : slot;
}

/* From entry.S: the frame that the kernel made is {pc, sp}. */
long patch_reflected(uint64_t a[8], uint64_t frame[2]);
long patch_reflected(uint64_t a[8], uint64_t frame[2])
{
    const struct caller caller = {&frame[1], NULL};
    return reflected(a, &caller);
}

/* From entry.S: returns the signal frame to go back by. */
void *sud_reflected(int signal, siginfo_t *info, struct ucontext *context, void *frame);
void *sud_reflected(int signal, siginfo_t *info, struct ucontext *context, void *frame)
{
    struct user_regs_struct *registers = &context->uc_mcontext.sc_regs;
    const struct caller caller = {(uint64_t *)&registers->sp, (uint64_t *)&registers->tp};
    uint64_t *a = (uint64_t *)registers + offsetof(struct user_regs_struct, a0) / 8;
    (void)signal, (void)info;
    /* The end of a program's own handler: its frame is where the stack was. */
    if (a[7] == __NR_rt_sigreturn)
        return (void *)registers->sp;
    if (reflected(a, &caller))
        a[0] = (uint64_t)sud_call(a, context);
    return frame;
}
