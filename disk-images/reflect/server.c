/* SPDX-License-Identifier: BSD-3-Clause */
/* The server: knows its clients' identities and which of their descriptors are
 * /dev/null, and answers for these. All else it lets the client do: memory,
 * descriptors and processes are the client's own. */
#include <asm/unistd.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/sched/types.h>

#include "library.h"

#define TRACKED 64                           /* descriptors from 0 on */
#define SCHED_FIFO 1
#define USER_END (1ul << 38)                 /* of Sv39 */
#define MOST_BYTES 0x7ffff000ul              /* that one read or write moves */

enum { FREE, COMING, THERE };

struct client {
    unsigned state;
    long pid;                                /* before it is there: its parent's */
    int identity_known;
    long uid, euid, gid, egid;
    uint64_t readable, writable, closes;     /* descriptors that are /dev/null */
};

static struct client clients[REFLECT_SLOTS];

static struct answer done(long value)
{
    return (struct answer){DONE, value};
}

static struct answer do_it(void)
{
    return (struct answer){DO_IT, 0};
}

static uint64_t bit(uint64_t fd)
{
    return fd < TRACKED ? 1ul << fd : 0;
}

static int is_tracked(const struct client *client, uint64_t fd)
{
    return ((client->readable | client->writable) & bit(fd)) != 0;
}

static void forget(struct client *client, uint64_t bits)
{
    client->readable &= ~bits;
    client->writable &= ~bits;
    client->closes &= ~bits;
}

static void opened(struct client *client, uint64_t fd, uint64_t flags)
{
    forget(client, bit(fd));
    if ((flags & O_ACCMODE) != O_WRONLY)
        client->readable |= bit(fd);
    if ((flags & O_ACCMODE) != O_RDONLY)
        client->writable |= bit(fd);
    if (flags & O_CLOEXEC)
        client->closes |= bit(fd);
}

static void duplicated(struct client *client, uint64_t from, uint64_t to, uint64_t closes)
{
    uint64_t readable = client->readable & bit(from), writable = client->writable & bit(from);
    if (from == to)
        return;
    forget(client, bit(to));
    client->readable |= readable ? bit(to) : 0;
    client->writable |= writable ? bit(to) : 0;
    client->closes |= closes && (readable | writable) ? bit(to) : 0;
}

/* Slots of processes that a signal killed are found when none is free. */
static void reclaim(void)
{
    for (unsigned i = 1; i < REFLECT_SLOTS; i++)
        if (clients[i].state != FREE && CALL2(__NR_kill, (uint64_t)clients[i].pid, 0) == -ESRCH)
            clients[i].state = FREE;
}

static unsigned free_slot(void)
{
    unsigned i = 1;
    while (i < REFLECT_SLOTS && clients[i].state != FREE)
        i++;
    return i < REFLECT_SLOTS ? i : 0;
}

static struct answer new_slot(const struct client *like)
{
    unsigned slot = free_slot();
    if (!slot) {
        reclaim();
        slot = free_slot();
    }
    if (!slot)
        return done(-EAGAIN);
    clients[slot] = *like;
    clients[slot].state = COMING;
    return done(slot);
}

static struct answer attach(const uint64_t a[6])
{
    const struct client fresh = {
        .pid = (long)a[0], .identity_known = 1, .uid = (long)a[1],
        .euid = (long)a[2], .gid = (long)a[3], .egid = (long)a[4],
    };
    struct answer slot = new_slot(&fresh);
    if (slot.value > 0)
        clients[slot.value].state = THERE;
    return slot;
}

static struct answer identity(const struct client *client, long value)
{
    return client->identity_known ? done(value) : do_it();
}

static struct answer move_bytes(uint64_t fds, const uint64_t a[6], int writes)
{
    /* What the kernel would refuse is left to it. */
    if (!(fds & bit(a[0])) || a[2] > USER_END || a[1] > USER_END - a[2])
        return do_it();
    return done(!writes ? 0 : (long)(a[2] < MOST_BYTES ? a[2] : MOST_BYTES));
}

static struct answer close_range(struct client *client, const uint64_t a[6])
{
    for (uint64_t fd = a[0]; fd <= a[1] && fd < TRACKED; fd++)
        forget(client, bit(fd));
    return do_it();
}

static struct answer control(struct client *client, const uint64_t a[6])
{
    if (!is_tracked(client, a[0]))
        return do_it();
    if (a[1] == F_DUPFD || a[1] == F_DUPFD_CLOEXEC)
        return (struct answer){DO_AND_TELL, 0};
    if (a[1] == F_SETFD)
        client->closes = (client->closes & ~bit(a[0])) | (a[2] & FD_CLOEXEC ? bit(a[0]) : 0);
    return do_it();
}

static struct answer files(struct client *client, uint64_t number, const uint64_t a[6])
{
    switch (number) {
    case __NR_write:
        return move_bytes(client->writable, a, 1);
    case __NR_read:
        return move_bytes(client->readable, a, 0);
    case __NR_close:
        forget(client, bit(a[0]));
        return do_it();
    case __NR_close_range:
        return close_range(client, a);
    case __NR_dup:
    case __NR_dup3:
        if (is_tracked(client, a[0]) || (number == __NR_dup3 && is_tracked(client, a[1])))
            return (struct answer){DO_AND_TELL, 0};
        return do_it();
    case __NR_fcntl:
        return control(client, a);
    case __NR_ioctl:
        /* FIOCLEX and its kind. */
        forget(client, bit(a[0]));
        return do_it();
    default:
        return do_it();
    }
}

static struct answer call(struct reflect_channel *channel, struct client *client,
                          uint64_t number, const uint64_t a[6])
{
    switch (number) {
    /* A client has one thread. */
    case __NR_getpid:
    case __NR_gettid:
        return done(client->pid);
    case __NR_getuid:
        return identity(client, client->uid);
    case __NR_geteuid:
        return identity(client, client->euid);
    case __NR_getgid:
        return identity(client, client->gid);
    case __NR_getegid:
        return identity(client, client->egid);
    case __NR_uname:
        CALL1(__NR_uname, POINTER(channel->names));
        return (struct answer){NAMES, 0};
    case __NR_setuid:
    case __NR_setgid:
    case __NR_setreuid:
    case __NR_setregid:
    case __NR_setresuid:
    case __NR_setresgid:
    case __NR_setfsuid:
    case __NR_setfsgid:
        client->identity_known = 0;
        return do_it();
    default:
        return files(client, number, a);
    }
}

static struct answer question(struct client *client, uint64_t number, const uint64_t a[6])
{
    switch (number) {
    case ASK_ATTACH:
        return attach(a);
    case ASK_FORK:
        return new_slot(client);
    case ASK_UNFORK:
        clients[a[0] % REFLECT_SLOTS].state = FREE;
        break;
    case ASK_BORN:
        client->pid = (long)a[0];
        client->state = THERE;
        break;
    case ASK_EXEC:
        forget(client, client->closes);
        break;
    case TELL_NULL:
        opened(client, a[0], a[1]);
        break;
    case TELL_DUPLICATE:
        duplicated(client, a[0], a[1], a[2]);
        break;
    default:
        break;
    }
    return done(0);
}

static void answer_one(struct reflect_channel *channel, uint32_t entry)
{
    unsigned slot = (entry - 1) / REFLECT_DEPTH;
    struct reflect_record *record = record_at(channel, entry);
    struct client *client = &clients[slot];
    uint64_t number = record->number;
    channel->served[slot]++;
    channel->served_all++;
    if (number == ASK_EXIT)
        client->state = FREE;
    else if (number < ASK_ATTACH)
        record_answer(record, call(channel, client, number, record->argument));
    else
        record_answer(record, question(client, number, record->argument));
}

/* Arming itself shows whether the kernel can: the server's own calls are all
 * from the library's range. */
static int begin(struct reflect_channel *channel, enum calls calls)
{
    const struct sched_param priority = {1};
    if (!channel || (uses_patch(calls) && arm_patch()))
        return -1;
    if (CALL3(__NR_sched_setscheduler, 0, SCHED_FIFO, POINTER(&priority)))
        return -1;
    __atomic_store_n(&channel->ready, 1, __ATOMIC_SEQ_CST);
    return 0;
}

void serve(enum calls calls)
{
    struct reflect_channel *channel = channel_open();
    if (begin(channel, calls))
        for (;;)
            CALL1(__NR_exit_group, 1);
    for (;;)
        for (uint32_t entry = channel_take(channel), next; entry; entry = next) {
            /* Answered, a record is the client's again. */
            next = record_at(channel, entry)->next;
            answer_one(channel, entry);
        }
}
