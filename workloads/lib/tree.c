/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and copies directory trees. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

int join_path(char *path, size_t bytes, const char *root, const char *name)
{
    int n = snprintf(path, bytes, "%s%s%s", root, *root && *name ? "/" : "", name);
    return n < 0 || (size_t)n >= bytes ? -1 : 0;
}

static int add_entry(struct tree *tree, const char *root, const char *name, int *is_directory)
{
    char path[512];
    struct stat status;
    if (strlen(name) >= TREE_LENGTH || join_path(path, sizeof path, root, name) ||
        stat(path, &status))
        return -1;
    *is_directory = S_ISDIR(status.st_mode);
    unsigned *used = *is_directory ? &tree->ndirectories : &tree->nfiles;
    if (*used == TREE_PATHS)
        return -1;
    strcpy((*is_directory ? tree->directories : tree->files)[(*used)++], name);
    return 0;
}

static int load_below(struct tree *tree, const char *root, const char *below)
{
    char path[512], name[512];
    struct dirent *entry;
    int failed = join_path(path, sizeof path, root, below);
    DIR *directory = failed ? NULL : opendir(path);
    if (!directory)
        return -1;
    while (!failed && (entry = readdir(directory))) {
        int is_directory = 0;
        if (entry->d_name[0] == '.')
            continue;
        failed = join_path(name, sizeof name, below, entry->d_name) ||
                 add_entry(tree, root, name, &is_directory) ||
                 (is_directory && load_below(tree, root, name));
    }
    closedir(directory);
    return failed ? -1 : 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Sorts the paths, because the order of a directory differs between file systems;
 * a parent sorts before its entries. */
int tree_load(struct tree *tree, const char *root)
{
    tree->ndirectories = tree->nfiles = 0;
    if (load_below(tree, root, ""))
        return -1;
    qsort(tree->directories, tree->ndirectories, TREE_LENGTH, compare);
    qsort(tree->files, tree->nfiles, TREE_LENGTH, compare);
    return 0;
}

int tree_make_directories(const struct tree *tree, const char *root)
{
    char path[512];
    if (mkdir(root, 0755))
        return -1;
    for (unsigned i = 0; i < tree->ndirectories; i++)
        if (join_path(path, sizeof path, root, tree->directories[i]) || mkdir(path, 0755))
            return -1;
    return 0;
}

static int copy_file(const char *from, const char *to)
{
    char buffer[4096];
    ssize_t n = -1;
    int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_EXCL | O_WRONLY, 0644);
    int failed = in < 0 || out < 0;
    while (!failed && (n = read(in, buffer, sizeof buffer)) > 0)
        failed = write_all(out, buffer, (size_t)n);
    if (in >= 0)
        close(in);
    if (out >= 0)
        failed |= close(out);
    return failed || n ? -1 : 0;
}

int tree_copy_files(const struct tree *tree, const char *from, const char *to)
{
    char source[512], target[512];
    for (unsigned i = 0; i < tree->nfiles; i++)
        if (join_path(source, sizeof source, from, tree->files[i]) ||
            join_path(target, sizeof target, to, tree->files[i]) ||
            copy_file(source, target))
            return -1;
    return 0;
}
