/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts on the server what the Andrew benchmark reads and runs. In the paper all files were
 * there, programs too, but temporary ones on some machines; our Andrew makes no such files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "remote.h"

/* A directory of the image, or one file in it, and its name on the server: in a directory that
 * stays when a benchmark's files are removed. */
#define KEPT "lost+found/"
static const struct place {
    const char *directory, *file, *name;
} places[] = {
    {"/usr/share/andrew", "", KEPT "andrew-source"},
    {"/lib/andrew", "", KEPT "andrew-programs"},
    {"/bin", "tcc", KEPT "andrew-compiler"},
};
enum { NPLACES = sizeof places / sizeof *places };
static unsigned nshown;                      /* of the places, those that the server's files cover */

static int load(struct tree *tree, const struct place *place)
{
    if (!*place->file)
        return tree_load(tree, place->directory);
    *tree = (struct tree){.nfiles = 1};
    strcpy(tree->files[0], place->file);
    return 0;
}

/* Makes a file a program too, and brings it into the server's cache. */
static int serve(const char *path)
{
    char buffer[4096];
    ssize_t n = -1;
    int fd = chmod(path, 0755) ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (n = read(fd, buffer, sizeof buffer)) > 0)
        ;
    if (fd >= 0)
        close(fd);
    return n ? -1 : 0;
}

/* The disk may have the files, from the file system before. */
static int store(const struct place *place)
{
    static struct tree tree;
    char root[128], path[256];
    if (load(&tree, place) || join_path(root, sizeof root, SERVER_ROOT, place->name))
        return -1;
    if (access(root, F_OK) && (tree_make_directories(&tree, root) ||
                               tree_copy_files(&tree, place->directory, root)))
        return -1;
    for (unsigned i = 0; i < tree.nfiles; i++)
        if (join_path(path, sizeof path, root, tree.files[i]) || serve(path))
            return -1;
    return 0;
}

/* On the server's disk and in its cache, with nothing left to write. */
int workfiles_store(void)
{
    for (unsigned i = 0; i < NPLACES; i++)
        if (store(&places[i]))
            return -1;
    int fd = open(SERVER_ROOT, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = fd < 0 || syncfs(fd);
    if (fd >= 0)
        close(fd);
    return failed ? -1 : 0;
}

/* Over those of the image, so that a benchmark's paths stay. */
int workfiles_show(const char *where)
{
    char root[128], from[256], to[256];
    for (; nshown < NPLACES; nshown++) {
        const struct place *place = &places[nshown];
        if (join_path(root, sizeof root, where, place->name) ||
            join_path(from, sizeof from, root, place->file) ||
            join_path(to, sizeof to, place->directory, place->file) ||
            mount(from, to, NULL, MS_BIND, NULL))
            return -1;
    }
    return 0;
}

int workfiles_hide(void)
{
    char path[256];
    int failed = 0;
    while (nshown) {
        const struct place *place = &places[--nshown];
        failed |= join_path(path, sizeof path, place->directory, place->file) || umount(path);
    }
    return failed ? -1 : 0;
}
