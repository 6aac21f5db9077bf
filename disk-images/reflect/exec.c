/* SPDX-License-Identifier: BSD-3-Clause */
/* execve of a program becomes execve of this one, which loads that program and
 * arms itself: reflection outlives the exec. What can fail is tried before. */
#include <asm/unistd.h>
#include <linux/elf.h>
#include <linux/errno.h>
#include <linux/fcntl.h>

#include "library.h"

#define HEADER 256
#define SCRIPTS 4                            /* one script may run another */
#define X_OK 1

struct target {
    const char *path;
    long fd;
    char header[HEADER + 1];
};

/* mode, slot and descriptor in sixteen digits: the loader's argv[0] */
void load_word(char *text, int fd)
{
    uint64_t word = (uint64_t)own.calls << 56 | (uint64_t)own.slot << 32 | (unsigned)fd;
    for (unsigned i = 0; i < LOAD_WORD_LENGTH - 1; i++)
        text[i] = "0123456789abcdef"[word >> (60 - 4 * i) & 15];
    text[LOAD_WORD_LENGTH - 1] = '\0';
}

static long open_target(struct target *target)
{
    target->fd = CALL4(__NR_openat, (uint64_t)AT_FDCWD, POINTER(target->path), O_RDONLY, 0);
    if (target->fd < 0)
        return target->fd;
    memset(target->header, 0, sizeof target->header);
    long failed = CALL3(__NR_faccessat, (uint64_t)AT_FDCWD, POINTER(target->path), X_OK);
    if (!failed)
        failed = CALL4(__NR_pread64, (uint64_t)target->fd, POINTER(target->header), HEADER, 0);
    if (failed < 0)
        CALL1(__NR_close, (uint64_t)target->fd);
    return failed == -EISDIR ? -EACCES : failed < 0 ? failed : 0;
}

static int is_program(const char *header)
{
    const Elf64_Ehdr *elf = (const Elf64_Ehdr *)(const void *)header;
    return header[0] == ELFMAG0 && header[1] == ELFMAG1 && header[2] == ELFMAG2 &&
           header[3] == ELFMAG3 && elf->e_type == ET_EXEC && elf->e_machine == EM_RISCV;
}

/* Cuts "#! interpreter argument" up in place; an argument is all that follows. */
static const char *interpreter(char *line, const char **argument)
{
    char *end = line;
    *argument = NULL;
    while (*end && *end != '\n')
        end++;
    do
        *end = '\0';
    while (end-- > line && (*end == ' ' || *end == '\t'));
    for (line += 2; *line == ' ' || *line == '\t'; line++)
        ;
    char *name = line;
    while (*line && *line != ' ' && *line != '\t')
        line++;
    if (*line) {
        *line++ = '\0';
        while (*line == ' ' || *line == '\t')
            line++;
        *argument = line;
    }
    return *name ? name : NULL;
}

static unsigned count(char *const list[])
{
    unsigned n = 0;
    while (list && list[n])
        n++;
    return n;
}

static long become(const struct target *target, const char *const argv[], char *const envp[])
{
    unsigned n = count((char *const *)(uintptr_t)argv);
    const char *loaded[n + 3];
    char word[LOAD_WORD_LENGTH];
    load_word(word, (int)target->fd);
    loaded[0] = word;
    loaded[1] = target->path;
    for (unsigned i = 0; i <= n; i++)
        loaded[2 + i] = argv[i];
    return CALL3(__NR_execve, POINTER(REFLECT_PROGRAM), POINTER(loaded), POINTER(envp));
}

static long exec_deep(const char *path, const char *const argv[], char *const envp[],
                      unsigned scripts);

/* The script's path takes the place of argv[0], after its interpreter. */
static long exec_script(struct target *script, const char *const argv[], char *const envp[],
                        unsigned scripts)
{
    const char *argument, *program = interpreter(script->header, &argument);
    unsigned n = count((char *const *)(uintptr_t)argv), used = 0;
    const char *changed[n + 4];
    if (!program)
        return -ENOEXEC;
    if (scripts == SCRIPTS)
        return -ELOOP;
    changed[used++] = program;
    if (argument)
        changed[used++] = argument;
    changed[used++] = script->path;
    for (unsigned i = 1; i <= n; i++)
        changed[used++] = argv[i];
    changed[used] = NULL;
    return exec_deep(program, changed, envp, scripts + 1);
}

static long exec_deep(const char *path, const char *const argv[], char *const envp[],
                      unsigned scripts)
{
    struct target target = {.path = path};
    long failed = open_target(&target);
    if (failed)
        return failed;
    if (is_program(target.header))
        failed = become(&target, argv, envp);
    /* Only exec itself may leave the descriptor open. */
    CALL1(__NR_close, (uint64_t)target.fd);
    if (failed)
        return failed;
    if (target.header[0] == '#' && target.header[1] == '!')
        return exec_script(&target, argv, envp, scripts);
    return -ENOEXEC;
}

/* Returns only what went wrong. */
long reflected_exec(const char *path, char *const argv[], char *const envp[])
{
    static const char *const none[] = {"", NULL};
    return exec_deep(path, argv && argv[0] ? (const char *const *)argv : none, envp, 0);
}
