/* SPDX-License-Identifier: BSD-3-Clause */
/* By user dispatch a call is made inside the handler of SIGSYS. That signal must
 * never be blocked, or the next call kills the process; and what the handler's
 * return restores must be what the call has set. */
#include <asm/signal.h>
#include <asm/sigcontext.h>
#include <asm/ucontext.h>
#include <asm/unistd.h>
#include <linux/errno.h>

#include "library.h"

#define MASK_BYTES sizeof(sigset_t)
#define SIGSYS_BIT (1ul << (SIGSYS - 1))

struct mask_and_size {
    const sigset_t *mask;
    size_t bytes;
};

static const sigset_t *without_sigsys(const sigset_t *mask, sigset_t *copy)
{
    if (!mask)
        return NULL;
    *copy = *mask;
    copy->sig[0] &= ~SIGSYS_BIT;
    return copy;
}

/* The mask is argument number `which`, its size comes next. */
static long call_masked(const uint64_t a[8], unsigned which)
{
    sigset_t copy;
    uint64_t b[6];
    for (unsigned i = 0; i < 6; i++)
        b[i] = a[i];
    if (b[which + 1] == MASK_BYTES)
        b[which] = POINTER(without_sigsys((const sigset_t *)b[which], &copy));
    return CALL6((long)a[7], b[0], b[1], b[2], b[3], b[4], b[5]);
}

static long call_select(const uint64_t a[8])
{
    sigset_t copy;
    const struct mask_and_size *given = (const struct mask_and_size *)a[5];
    struct mask_and_size changed;
    if (given && given->bytes == MASK_BYTES) {
        changed = (struct mask_and_size){without_sigsys(given->mask, &copy), MASK_BYTES};
        given = &changed;
    }
    return CALL6((long)a[7], a[0], a[1], a[2], a[3], a[4], POINTER(given));
}

/* Changes the mask now and, as the handler's return restores the old one, there. */
static long set_mask(const uint64_t a[8], struct ucontext *context)
{
    sigset_t copy, *set = (sigset_t *)a[1];
    if (a[3] != MASK_BYTES)
        return -EINVAL;
    long failed = CALL4(__NR_rt_sigprocmask, a[0], POINTER(without_sigsys(set, &copy)), a[2],
                        MASK_BYTES);
    if (!failed && set)
        failed = CALL4(__NR_rt_sigprocmask, SIG_BLOCK, 0, POINTER(&context->uc_sigmask),
                       MASK_BYTES);
    return failed;
}

/* The old handler of SIGSYS is told to be the default one, a new one not taken. */
static long set_action(const uint64_t a[8])
{
    struct sigaction action;
    if (a[0] == SIGSYS) {
        if (a[2])
            memset((void *)a[2], 0, sizeof action);
        return 0;
    }
    if (!a[1] || a[3] != MASK_BYTES)
        return CALL4(__NR_rt_sigaction, a[0], a[1], a[2], a[3]);
    action = *(const struct sigaction *)a[1];
    action.sa_mask.sig[0] &= ~SIGSYS_BIT;
    return CALL4(__NR_rt_sigaction, a[0], POINTER(&action), a[2], a[3]);
}

static long set_stack(const uint64_t a[8], struct ucontext *context)
{
    long failed = CALL2(__NR_sigaltstack, a[0], a[1]);
    if (!failed && a[0])
        context->uc_stack = *(const stack_t *)a[0];
    return failed;
}

long sud_call(uint64_t a[8], void *context)
{
    switch (a[7]) {
    case __NR_rt_sigaction:
        return set_action(a);
    case __NR_rt_sigprocmask:
        return set_mask(a, context);
    case __NR_rt_sigsuspend:
        return call_masked(a, 0);
    case __NR_ppoll:
        return call_masked(a, 3);
    case __NR_epoll_pwait:
    case __NR_epoll_pwait2:
        return call_masked(a, 4);
    case __NR_pselect6:
        return call_select(a);
    case __NR_sigaltstack:
        return set_stack(a, context);
    default:
        return CALL6((long)a[7], a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}
