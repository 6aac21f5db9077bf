/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs benchmarks with their system calls reflected: starts the server, and maps
 * the library into the process that a benchmark gets. */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reflect.h"
#include "runner.h"

#define PAGE 4096ul
#define SEGMENTS 8
#define START_POLLS 5000
#define POLL_US 1000
#define PROOF_CALLS 16

static enum calls chosen;
static struct reflect_channel *channel;
static long slot;

static int make_channel(void)
{
    int fd = open(REFLECT_CHANNEL, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return -1;
    void *at = MAP_FAILED;
    if (!ftruncate(fd, sizeof *channel))
        at = mmap(NULL, sizeof *channel, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    channel = at == MAP_FAILED ? NULL : at;
    return channel ? 0 : -1;
}

/* Standard output belongs to the protocol. */
static void become_server(enum calls calls)
{
    char number[2] = {(char)('0' + calls)};
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    execv(REFLECT_PROGRAM, (char *[]){"serve", number, NULL});
    _exit(127);
}

/* The server ends at once if this kernel cannot reflect in the ordered way. */
int reflect_start(enum calls calls)
{
    chosen = calls;
    if (calls == CALLS_DIRECT)
        return 0;
    if (make_channel())
        return -1;
    pid_t server = fork();
    if (server == 0)
        become_server(calls);
    for (int i = 0; server > 0 && i < START_POLLS; i++) {
        if (__atomic_load_n(&channel->ready, __ATOMIC_SEQ_CST))
            return 0;
        if (waitpid(server, NULL, WNOHANG))
            return -1;
        usleep(POLL_US);
    }
    return -1;
}

static int map_segment(const Elf64_Phdr *segment, int fd)
{
    uint64_t begin = segment->p_vaddr & -PAGE, skew = segment->p_vaddr - begin;
    uint64_t filled = (segment->p_vaddr + segment->p_filesz + PAGE - 1) & -PAGE;
    uint64_t end = (segment->p_vaddr + segment->p_memsz + PAGE - 1) & -PAGE;
    int protection = (segment->p_flags & PF_W ? PROT_WRITE : PROT_EXEC) | PROT_READ;
    int flags = MAP_PRIVATE | MAP_FIXED_NOREPLACE;
    if (segment->p_filesz == 0)
        filled = begin;
    else if (segment->p_memsz != segment->p_filesz ||
             mmap((void *)begin, segment->p_filesz + skew, protection, flags, fd,
                  (off_t)(segment->p_offset - skew)) == MAP_FAILED)
        return -1;
    return end > filled && mmap((void *)filled, end - filled, protection,
                                flags | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

/* NULL, or the library's function that switches reflection on. */
static reflect_arm_function map_library(void)
{
    struct {
        Elf64_Ehdr header;
        Elf64_Phdr segments[SEGMENTS];
    } image;
    int fd = open(REFLECT_PROGRAM, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    int failed = pread(fd, &image, sizeof image, 0) != (ssize_t)sizeof image ||
                 image.header.e_phnum > SEGMENTS || image.header.e_phoff != sizeof image.header;
    for (unsigned i = 0; !failed && i < image.header.e_phnum; i++)
        if (image.segments[i].p_type == PT_LOAD)
            failed = map_segment(&image.segments[i], fd);
    close(fd);
    return failed ? NULL : (reflect_arm_function)(image.header.e_entry + REFLECT_ARM_OFFSET);
}

int reflect_active(void)
{
    return chosen != CALLS_DIRECT;
}

uint64_t reflect_served(void)
{
    return chosen == CALLS_DIRECT ? 0 : channel->served[slot];
}

uint64_t reflect_served_all(void)
{
    return chosen == CALLS_DIRECT ? 0 : channel->served_all;
}

/* Checks that the server saw as many calls as were made: otherwise some call was
 * not reflected, and the run must not count as reflected. */
int reflect_proved(void)
{
    if (chosen == CALLS_DIRECT)
        return 1;
    uint64_t before = reflect_served();
    for (int i = 0; i < PROOF_CALLS; i++)
        syscall(SYS_getpid);
    return reflect_served() - before == PROOF_CALLS;
}

/* Reflects all later calls of a benchmark's process. */
const char *reflect_arm(void)
{
    if (chosen == CALLS_DIRECT)
        return NULL;
    reflect_arm_function function = map_library();
    long given = function ? function(chosen) : -1;
    if (given <= 0)
        return "no-reflect";
    slot = given;
    return reflect_proved() ? NULL : "not-reflected";
}
