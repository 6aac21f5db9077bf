/* SPDX-License-Identifier: BSD-3-Clause */
/* The Andrew benchmark at a fifth of its size, a benchmark for each phase:
 * make the directories of a tree, copy its files (a process for each), stat
 * every file, read every byte, compile and link. A phase that finds the work of
 * those before it undone does it first, untimed and without processes. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#define TARGET "andrew"
#define COPIER "/lib/andrew/cp"
#define ANSWER 38                            /* what the compiled program returns */

enum phase { MAKEDIR, COPY, SCANDIR, READALL, MAKE };

static const char *source, *copier, *compiler, *startup;
static struct tree tree;
static uint64_t tree_bytes;

static const char *place(const char *variable, const char *usual)
{
    const char *given = getenv(variable);
    return given ? given : usual;
}

static int has_files(void)
{
    char path[512];
    return !join_path(path, sizeof path, TARGET, tree.files[tree.nfiles - 1]) &&
           access(path, F_OK) == 0;
}

/* Leaves the target as the phase expects it. */
static int prepare(enum phase phase)
{
    int made = access(TARGET, F_OK) == 0;
    int want_files = phase > COPY;
    if (made && phase > MAKEDIR && has_files() == want_files)
        return 0;
    if (made && (scrub(TARGET) || rmdir(TARGET)))
        return -1;
    if (phase > MAKEDIR && tree_make_directories(&tree, TARGET))
        return -1;
    return want_files ? tree_copy_files(&tree, source, TARGET) : 0;
}

static int setup(struct run *run)
{
    struct stat status;
    char path[512];
    source = place("OSGAP_ANDREW", "/usr/share/andrew");
    compiler = place("OSGAP_TCC", "/bin/tcc");
    copier = access(COPIER, X_OK) ? "cp" : COPIER;
    startup = place("OSGAP_CRT", "/lib/andrew/crt.o");
    if (tree_load(&tree, source) || !tree.nfiles)
        return bench_fail(run, "no-source-tree");
    for (unsigned i = 0; i < tree.nfiles; i++) {
        if (join_path(path, sizeof path, source, tree.files[i]) || stat(path, &status))
            return bench_fail(run, "no-source-tree");
        tree_bytes += (uint64_t)status.st_size;
    }
    if (chdir(run->scratch) || prepare((enum phase)run->bench->arg))
        return bench_fail(run, "prepare");
    return 0;
}

static int makedir(struct run *run, uint64_t count)
{
    (void)count;
    return tree_make_directories(&tree, TARGET) ? bench_fail(run, "mkdir") : 0;
}

static int copy(struct run *run, uint64_t count)
{
    char from[512], to[512];
    char *argv[] = {(char *)copier, from, to, NULL};
    (void)count;
    for (unsigned i = 0; i < tree.nfiles; i++)
        if (join_path(from, sizeof from, source, tree.files[i]) ||
            join_path(to, sizeof to, TARGET, tree.files[i]) || run_process(argv))
            return bench_fail(run, "cp");
    return 0;
}

/* The sizes of all files below; the entries are found as a user would. */
static int scan(const char *below, uint64_t *bytes)
{
    char path[512];
    struct stat status;
    struct dirent *entry;
    DIR *directory = opendir(below);
    int failed = !directory;
    while (!failed && (entry = readdir(directory))) {
        if (entry->d_name[0] == '.')
            continue;
        failed = join_path(path, sizeof path, below, entry->d_name) ||
                 stat(path, &status) ||
                 (S_ISDIR(status.st_mode) && scan(path, bytes));
        if (!failed && S_ISREG(status.st_mode))
            *bytes += (uint64_t)status.st_size;
    }
    if (directory)
        closedir(directory);
    return failed ? -1 : 0;
}

static int scandir_phase(struct run *run, uint64_t count)
{
    uint64_t bytes = 0;
    (void)count;
    if (scan(TARGET, &bytes))
        return bench_fail(run, "stat");
    return bytes == tree_bytes ? 0 : bench_fail(run, "wrong-size");
}

static int readall(struct run *run, uint64_t count)
{
    char path[512], buffer[4096];
    uint64_t bytes = 0;
    (void)count;
    for (unsigned i = 0; i < tree.nfiles; i++) {
        ssize_t n;
        int fd = join_path(path, sizeof path, TARGET, tree.files[i]) ? -1
                                                                     : open(path, O_RDONLY);
        while ((n = read(fd, buffer, sizeof buffer)) > 0)
            bytes += (uint64_t)n;
        if (n < 0 || close(fd))
            return bench_fail(run, "read");
    }
    return bytes == tree_bytes ? 0 : bench_fail(run, "wrong-size");
}

static int is_c(const char *name)
{
    size_t length = strlen(name);
    return length > 2 && !strcmp(name + length - 2, ".c");
}

static int compile_all(struct run *run, char objects[][TREE_LENGTH], unsigned *nobjects)
{
    for (unsigned i = 0; i < tree.nfiles; i++) {
        char *object = objects[*nobjects];
        if (!is_c(tree.files[i]))
            continue;
        strcpy(object, tree.files[i]);
        object[strlen(object) - 1] = 'o';
        int status = run_process((char *[]){(char *)compiler, "-c", "-Iinclude", "-o",
                                            object, tree.files[i], NULL});
        if (status)
            return bench_fail(run, status == 127 ? "no-compiler" : "compile");
        ++*nobjects;
    }
    return 0;
}

static int link_all(char objects[][TREE_LENGTH], unsigned nobjects)
{
    char *command[TREE_PATHS + 8] = {(char *)compiler, "-nostdlib", "-static", "-o",
                                     "prog", (char *)startup};
    for (unsigned i = 0; i < nobjects; i++)
        command[6 + i] = objects[i];
    return run_process(command);
}

static int make(struct run *run, uint64_t count)
{
    static char objects[TREE_PATHS][TREE_LENGTH];
    unsigned nobjects = 0;
    (void)count;
    if (chdir(TARGET))
        return bench_fail(run, "chdir");
    if (compile_all(run, objects, &nobjects))
        return -1;
    if (link_all(objects, nobjects))
        return bench_fail(run, "link");
    return run_process((char *[]){"./prog", NULL}) == ANSWER ? 0 : bench_fail(run, "wrong-answer");
}

static void remove_target(struct run *run)
{
    if (chdir(run->scratch) == 0 && scrub(TARGET) == 0)
        rmdir(TARGET);
}

#define PHASE(name, number, work, ...)                                      \
    BENCHMARK(andrew_##name, .metric = "s", .count = 1, .batches = 1,       \
              .flags = FS_FIRST | BENCH_COLD, .arg = number, .setup = setup, \
              .body = work, ##__VA_ARGS__)

PHASE(makedir, MAKEDIR, makedir);
PHASE(copy, COPY, copy);
PHASE(scandir, SCANDIR, scandir_phase);
PHASE(readall, READALL, readall);
PHASE(make, MAKE, make, .teardown = remove_target);
