/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes in the user's programs after `ready`, just before the orders, so that the boot
 * and its checkpoint are the same for all programs. They come as a cpio archive: in the
 * pages reserved here, into which rvsim's engine writes it between checkpoint and orders
 * (osgap/engines/rvsim_programs.py); before the orders, by m5 readfile; or unpacked already
 * by the kernel, from QEMU's -initrd. The linker gives /init __wrap_orders_read in place of
 * orders_read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"
#include "runner.h"

#define ROOM ((size_t)16 << 20)              /* as osgap/image/builder/programarchive.py has it */
#define PAGE 4096
#define MARK 0x6f73676170726f67u, 0x72616d706167e55fu
#define ANNOUNCEMENT "programs "             /* what comes before an archive by m5 readfile */
#define LIST "/program/.list"
#define LIST_BYTES 65536
#define LONGEST_PATH 256

/* The header of an entry: its magic, 13 fields of 8 digits, and behind it the name. */
#define MAGIC "070701"
#define HEADER 110
enum field { MODE = 1, SIZE = 6, NAME_SIZE = 11 };

static const char *const fault = "bad-programs";
static unsigned char *room;
static char begun[PAGE];                     /* what the source gave first, until orders take it */
static size_t held, taken;
static order_source source;

static int make_room(int flags)
{
    room = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return room == MAP_FAILED ? (room = NULL, -1) : 0;
}

static int is_marked(const unsigned char *page, uint64_t number)
{
    const uint64_t mark[] = {MARK, number};
    return !memcmp(page, mark, sizeof mark);
}

/* Marks each page with its number, by which the host finds it in a checkpoint. */
__attribute__((constructor)) static void reserve(void)
{
    if (getenv("osgap_orders") || make_room(MAP_POPULATE))
        return;
    for (size_t page = 0; page < ROOM / PAGE; page++) {
        const uint64_t mark[] = {MARK, page};
        memcpy(room + page * PAGE, mark, sizeof mark);
    }
}

static size_t number_in(const unsigned char *header, enum field field)
{
    char digits[9] = "";
    memcpy(digits, header + sizeof MAGIC - 1 + 8 * field, 8);
    return strtoul(digits, NULL, 16);
}

static size_t aligned(size_t bytes)
{
    return (bytes + 3) & ~(size_t)3;
}

static int make_entry(const char *name, size_t mode, const unsigned char *data, size_t size)
{
    char path[LONGEST_PATH];
    if (snprintf(path, sizeof path, "/%s", name) >= LONGEST_PATH)
        return -1;
    if (S_ISDIR(mode)) {
        mkdir(path, mode & 07777);
        return 0;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode & 07777);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, data, size);
    return close(fd) || failed;
}

static const char *unpack(const unsigned char *at, const unsigned char *end)
{
    while (at + HEADER < end && !memcmp(at, MAGIC, sizeof MAGIC - 1)) {
        size_t size = number_in(at, SIZE), name_size = number_in(at, NAME_SIZE);
        const char *name = (const char *)at + HEADER;
        const unsigned char *data = at + aligned(HEADER + name_size);
        if (data > end || size > (size_t)(end - data))
            return fault;
        if (!strcmp(name, "TRAILER!!!"))
            return NULL;
        if (make_entry(name, number_in(at, MODE), data, size))
            return fault;
        at = data + aligned(size);
    }
    return fault;
}

/* Returns the archive's size after it has come through the source; 0 is a fault.
 * What the source gave behind the archive is left to the orders. */
static size_t fetch(void)
{
    char *line = begun + sizeof ANNOUNCEMENT - 1, *end;
    size_t size = strtoul(line, &end, 10);
    if (*end != '\n' || size > ROOM || make_room(0))
        return 0;
    taken = (size_t)(end + 1 - begun);
    size_t have = held - taken < size ? held - taken : size;
    memcpy(room, begun + taken, have);
    taken += have;
    while (have < size) {
        long n = source(room + have, size - have < PAGE ? size - have : PAGE);
        if (n <= 0)
            return 0;
        have += (size_t)n;
    }
    return size;
}

static const char *receive(void)
{
    const char *wrong = NULL;
    if (held >= sizeof ANNOUNCEMENT && !memcmp(begun, ANNOUNCEMENT, sizeof ANNOUNCEMENT - 1)) {
        size_t size = fetch();
        wrong = size ? unpack(room, room + size) : fault;
    } else if (room && !is_marked(room, 0)) {
        wrong = unpack(room, room + ROOM);
    }
    if (room)
        munmap(room, ROOM);
    return wrong;
}

static const char *register_programs(void)
{
    static char list[LIST_BYTES];
    int fd = open(LIST, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    ssize_t n = read(fd, list, sizeof list - 1);
    close(fd);
    return n < 0 || program_register(list, list + n) ? fault : NULL;
}

static void read_first_line(void)
{
    long n;
    do {
        n = source(begun + held, sizeof begun - held);
        held += n > 0 ? (size_t)n : 0;
    } while (n > 0 && held < sizeof begun && !memchr(begun, '\n', held));
}

static long rest(void *buffer, size_t bytes)
{
    if (taken == held)
        return source(buffer, bytes);
    size_t n = held - taken < bytes ? held - taken : bytes;
    memcpy(buffer, begun + taken, n);
    taken += n;
    return (long)n;
}

const char *__real_orders_read(struct orders *orders, order_source from);

/* The first line of orders tells that the engine has done its part. A console gives it in parts. */
const char *__wrap_orders_read(struct orders *orders, order_source from)
{
    source = from;
    read_first_line();
    const char *wrong = receive();
    if (!wrong)
        wrong = register_programs();
    return wrong ? wrong : __real_orders_read(orders, rest);
}
