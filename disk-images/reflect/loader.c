/* SPDX-License-Identifier: BSD-3-Clause */
/* The program: the server, or what an execve has become. Loads a static program,
 * not position-independent, as the kernel would have. */
#include <asm/unistd.h>
#include <linux/auxvec.h>
#include <linux/elf.h>
#include <linux/mman.h>
#include <linux/prctl.h>

#include "library.h"

#define PAGE 4096ul
#define SEGMENTS 16
#define NOT_LOADED 127

struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segments[SEGMENTS];
};

__attribute__((noreturn)) static void leave(void)
{
    for (;;)
        CALL1(__NR_exit_group, NOT_LOADED);
}

static int map(uint64_t at, uint64_t bytes, int protection, int flags, long fd, uint64_t offset)
{
    flags |= MAP_PRIVATE | MAP_FIXED_NOREPLACE;
    return CALL6(__NR_mmap, at, bytes, (uint64_t)protection, (uint64_t)flags, (uint64_t)fd,
                 offset) != (long)at;
}

static int map_segment(const Elf64_Phdr *segment, long fd)
{
    uint64_t begin = segment->p_vaddr & -PAGE, skew = segment->p_vaddr - begin;
    uint64_t file_end = segment->p_vaddr + segment->p_filesz;
    uint64_t filled = (file_end + PAGE - 1) & -PAGE;
    uint64_t end = (segment->p_vaddr + segment->p_memsz + PAGE - 1) & -PAGE;
    int protection = (segment->p_flags & PF_R ? PROT_READ : 0) |
                     (segment->p_flags & PF_W ? PROT_WRITE : 0) |
                     (segment->p_flags & PF_X ? PROT_EXEC : 0);
    if (segment->p_filesz == 0)
        filled = begin;
    else if (map(begin, segment->p_filesz + skew, protection, 0, fd, segment->p_offset - skew))
        return -1;
    /* What the last page of the file holds beyond the segment is not the program's. */
    if (segment->p_memsz > segment->p_filesz && segment->p_filesz)
        memset((void *)file_end, 0, filled - file_end);
    return end > filled && map(filled, end - filled, protection, MAP_ANONYMOUS, -1, 0);
}

static int map_image(struct image *image, long fd)
{
    const Elf64_Ehdr *header = &image->header;
    if (CALL4(__NR_pread64, (uint64_t)fd, POINTER(header), sizeof *header, 0) !=
            (long)sizeof *header || header->e_phnum > SEGMENTS)
        return -1;
    uint64_t bytes = header->e_phnum * sizeof *image->segments;
    if (CALL4(__NR_pread64, (uint64_t)fd, POINTER(image->segments), bytes, header->e_phoff) !=
        (long)bytes)
        return -1;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        /* An interpreter would have to be loaded too: no program here has one. */
        if (image->segments[i].p_type == PT_INTERP)
            return -1;
        if (image->segments[i].p_type == PT_LOAD && map_segment(&image->segments[i], fd))
            return -1;
    }
    return 0;
}

/* Where the program headers are in memory, as the kernel finds it. */
static uint64_t headers_at(const struct image *image)
{
    uint64_t offset = image->header.e_phoff;
    for (unsigned i = 0; i < image->header.e_phnum; i++) {
        const Elf64_Phdr *segment = &image->segments[i];
        if (segment->p_type == PT_LOAD && offset >= segment->p_offset &&
            offset < segment->p_offset + segment->p_filesz)
            return offset - segment->p_offset + segment->p_vaddr;
    }
    return 0;
}

static void correct_vector(uint64_t *vector, const struct image *image, uint64_t path)
{
    for (; vector[0] != AT_NULL; vector += 2) {
        if (vector[0] == AT_PHDR)
            vector[1] = headers_at(image);
        else if (vector[0] == AT_PHNUM)
            vector[1] = image->header.e_phnum;
        else if (vector[0] == AT_ENTRY)
            vector[1] = image->header.e_entry;
        else if (vector[0] == AT_EXECFN)
            vector[1] = path;
    }
}

static const char *last_name(const char *path)
{
    const char *name = path;
    for (; *path; path++)
        if (*path == '/')
            name = path + 1;
    return name;
}

/* Two arguments fewer: the stack begins two words later, still aligned. */
void load_program(uint64_t *stack, int fd)
{
    struct image image;
    uint64_t path = stack[2], *vector = stack + 1 + stack[0] + 1;
    own.channel = channel_open();
    if (!own.channel || map_image(&image, fd))
        leave();
    CALL1(__NR_close, (uint64_t)fd);
    while (*vector++)
        ;
    correct_vector(vector, &image, path);
    stack[2] = stack[0] - 2;
    CALL2(__NR_prctl, PR_SET_NAME, POINTER(last_name((const char *)path)));
    if (arm())
        leave();
    start_program(image.header.e_entry, stack + 2);
}

static int read_word(const char *text, uint64_t *word)
{
    unsigned i = 0;
    for (*word = 0; text[i]; i++) {
        char c = text[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f'))
            return -1;
        *word = *word << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return i == LOAD_WORD_LENGTH - 1 ? 0 : -1;
}

/* argv[0] is "serve" or sixteen digits, argv[1] the program to be loaded. */
__attribute__((noreturn)) void program(uint64_t *stack);
void program(uint64_t *stack)
{
    uint64_t word;
    const char *name = (const char *)stack[1];
    if (stack[0] == 2 && same_text(name, "serve"))
        serve((enum calls)(*(const char *)stack[2] - '0'));
    if (stack[0] < 3 || read_word(name, &word))
        leave();
    own.calls = (enum calls)(word >> 56);
    own.slot = word >> 32 & (REFLECT_SLOTS - 1);
    load_program(stack, (int)(word & 0x7fffffff));
}
