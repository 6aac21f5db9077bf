/* SPDX-License-Identifier: BSD-3-Clause */
/* What the library does with a reflected call: it asks the server, which answers
 * it or lets the process make it, from here or from where it came. */
#include <asm/signal.h>
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/sched.h>

#include "library.h"

#define MAKEDEV(major, minor) ((major) << 8 | (minor))
#define NULL_CALLS 8

/* L4Linux's first version asked the kernel for its own identity at least so often
 * in each system call (Hohmuth 1996, 5.3). */
static void null_calls(void)
{
    if (own.calls == CALLS_PATCH_FIRST || own.calls == CALLS_SUD_FIRST)
        for (int i = 0; i < NULL_CALLS; i++)
            CALL0(__NR_gettid);
}

static struct answer ask3(uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t argument[6] = {a, b, c};
    return ask(number, argument);
}

static long make(const uint64_t a[8])
{
    return CALL6((long)a[7], a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int is_null(long fd)
{
    struct stat status;
    return !CALL2(__NR_fstat, (uint64_t)fd, POINTER(&status)) &&
           (status.st_mode & 0170000) == 0020000 && status.st_rdev == MAKEDEV(1, 3);
}

/* The path is looked at when the kernel has proved that it can be read. */
static long open_file(const uint64_t a[8])
{
    long fd = make(a);
    if (fd >= 0 && !(a[2] & O_PATH) && same_text((const char *)a[1], "/dev/null") && is_null(fd))
        ask3(TELL_NULL, (uint64_t)fd, a[2], 0);
    else
        ask3(TELL_OTHER, a[7], (uint64_t)fd, 0);
    return fd;
}

static long duplicate(const uint64_t a[8])
{
    long fd = make(a);
    int closes = a[7] == __NR_dup3 ? (a[2] & O_CLOEXEC) != 0
                                   : a[7] == __NR_fcntl && a[1] == F_DUPFD_CLOEXEC;
    if (fd >= 0)
        ask3(TELL_DUPLICATE, a[0], (uint64_t)fd, (uint64_t)closes);
    return fd;
}

static void in_child(unsigned slot, const uint64_t a[8], const struct caller *caller)
{
    own.slot = slot;
    /* The kernel switches user dispatch off in a child. */
    if (!uses_patch(own.calls) && arm() < 0)
        __builtin_trap();
    ask3(ASK_BORN, (uint64_t)CALL0(__NR_gettid), 0, 0);
    if (a[1])
        *caller->sp = a[1];
    if (caller->tp && (a[0] & CLONE_SETTLS))
        *caller->tp = a[3];
}

/* A child that would run on its parent's memory gets a copy: two processes can't
 * share one slot. CLONE_VFORK stays, so that the parent still waits for its exec. */
static long new_process(const uint64_t a[8], const struct caller *caller)
{
    const uint64_t known = CSIGNAL | CLONE_VM | CLONE_VFORK | CLONE_SETTLS |
                           CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
    if (a[0] & ~known)
        return -ENOSYS;
    struct answer slot = ask3(ASK_FORK, 0, 0, 0);
    if (slot.value < 0)
        return slot.value;
    long pid = CALL6(__NR_clone, a[0] & ~(uint64_t)CLONE_VM, 0, a[2], a[3], a[4], 0);
    if (pid == 0)
        in_child((unsigned)slot.value, a, caller);
    else if (pid < 0)
        ask3(ASK_UNFORK, (uint64_t)slot.value, 0, 0);
    return pid;
}

static long names(uint64_t *to)
{
    memcpy(to, own.channel->names, sizeof own.channel->names);
    return 0;
}

static int asked(uint64_t a[8])
{
    struct answer answer = ask(a[7], a);
    switch (answer.verdict) {
    case DONE:
        a[0] = (uint64_t)answer.value;
        return 0;
    case NAMES:
        a[0] = (uint64_t)names((uint64_t *)a[0]);
        return 0;
    case DO_AND_TELL:
        a[0] = (uint64_t)duplicate(a);
        return 0;
    case DO_IT:
        break;
    }
    return 1;
}

int reflected(uint64_t a[8], const struct caller *caller)
{
    null_calls();
    switch (a[7]) {
    case __NR_openat:
        a[0] = (uint64_t)open_file(a);
        return 0;
    case __NR_clone:
        a[0] = (uint64_t)new_process(a, caller);
        return 0;
    case __NR_execve:
        ask3(ASK_EXEC, 0, 0, 0);
        a[0] = (uint64_t)reflected_exec((const char *)a[0], (char *const *)a[1],
                                        (char *const *)a[2]);
        return 0;
    /* The C library then does without the first; nothing here needs the second. */
    case __NR_clone3:
    case __NR_execveat:
        ask3(TELL_OTHER, a[7], 0, 0);
        a[0] = (uint64_t)-ENOSYS;
        return 0;
    case __NR_exit:
    case __NR_exit_group:
        say_exit();
        return 1;
    default:
        return asked(a);
    }
}
