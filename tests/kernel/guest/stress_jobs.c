/* SPDX-License-Identifier: BSD-3-Clause */
/* What the processes do: each job checks all that it can know of the outcome. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

static unsigned char text[TEXT_MAX], found[TEXT_MAX + 1];

static void make_file(const char *path, const void *data, size_t bytes)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    CHECK(fd >= 0);
    write_whole(fd, data, bytes);
    CHECK(close(fd) == 0);
}

/* Write in pieces, read back, cut, grow, name, rename, unlink. */
static void own_file(struct worker *w)
{
    const char *path = worker_path(w, "file"), *other = worker_path(w, "other");
    size_t bytes = text_fill(text, worker_random(w, 1u << 30), 8 + worker_random(w, TEXT_MAX - 8));
    size_t half = bytes / 2;
    struct iovec parts[2] = {{text, half}, {text + half, bytes - half}};
    struct stat st;
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR, 0600);
    CHECK(fd >= 0);
    CHECK(writev(fd, parts, 2) == (ssize_t)bytes);
    if (worker_random(w, 4) == 0)
        CHECK(fsync(fd) == 0);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    read_whole(fd, found, bytes);
    CHECK(memcmp(text, found, bytes) == 0);
    CHECK(rename(path, other) == 0 && access(path, F_OK) == -1 && errno == ENOENT);
    CHECK(ftruncate(fd, half) == 0 && fstat(fd, &st) == 0 && st.st_size == (off_t)half);
    CHECK(pwrite(fd, "end", 3, bytes) == 3);
    CHECK(pread(fd, found, bytes - half, half) == (ssize_t)(bytes - half));
    for (size_t i = 0; i < bytes - half; i++)
        CHECK(found[i] == 0);
    CHECK(link(other, path) == 0 && stat(path, &st) == 0 && st.st_nlink == 2);
    CHECK(chmod(path, 0400) == 0 && utimensat(AT_FDCWD, path, NULL, 0) == 0);
    CHECK(unlink(path) == 0 && unlink(other) == 0);
    CHECK(fstat(fd, &st) == 0 && st.st_nlink == 0 && st.st_size == (off_t)bytes + 3);
    CHECK(close(fd) == 0);
}

/* Directories: made, listed, entered, removed. */
static void own_directory(struct worker *w)
{
    const char *path = worker_path(w, "dir");
    char name[32], where[256], target[16];
    struct statfs fs;
    int files = 1 + worker_random(w, 12), seen = 0;
    CHECK(mkdir(path, 0755) == 0 && chdir(path) == 0);
    CHECK(getcwd(where, sizeof where) && strcmp(where, path) == 0);
    CHECK(statfs(".", &fs) == 0);
    for (int i = 0; i < files; i++) {
        snprintf(name, sizeof name, "file-%d", i);
        make_file(name, name, sizeof name);
    }
    CHECK(symlink("file-0", "link") == 0 && readlink("link", target, sizeof target) == 6);
    DIR *dir = opendir(".");
    CHECK(dir);
    while (readdir(dir))
        seen++;
    CHECK(closedir(dir) == 0 && seen == files + 3);
    for (int i = 0; i < files; i++) {
        snprintf(name, sizeof name, "file-%d", i);
        CHECK(unlink(name) == 0);
    }
    CHECK(unlink("link") == 0 && chdir("/") == 0 && rmdir(path) == 0);
}

/* Names that all fight for: whatever a name shows must be whole, at any moment. */
static void shared_names(struct worker *w)
{
    char path[64], fresh[80];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/shared/%u", w->mount, worker_random(w, SHARED_NAMES));
        snprintf(fresh, sizeof fresh, "%s/shared/new-%d", w->mount, w->number);
        size_t bytes = 8 + worker_random(w, TEXT_MAX - 8);
        make_file(fresh, text, text_fill(text, worker_random(w, 1u << 30), bytes));
        CHECK(rename(fresh, path) == 0);
        snprintf(path, sizeof path, "%s/shared/%u", w->mount, worker_random(w, SHARED_NAMES));
        if (worker_random(w, 4) == 0) {
            CHECK(unlink(path) == 0 || errno == ENOENT);
            continue;
        }
        int fd = open(path, O_RDONLY);
        CHECK(fd >= 0 || errno == ENOENT);
        if (fd < 0)
            continue;
        ssize_t n = read(fd, found, sizeof found);
        CHECK(n > 0 && close(fd) == 0);
        text_check(found, n);
    }
}

/* Every record of the log must be found whole at the end: see check_log(). */
static void append(struct worker *w)
{
    char path[64], record[LOG_RECORD + 1];
    snprintf(path, sizeof path, "%s/log", w->mount);
    snprintf(record, sizeof record, "%-*d\n", LOG_RECORD - 1, w->number);
    int fd = open(path, O_WRONLY | O_APPEND);
    CHECK(fd >= 0);
    write_whole(fd, record, LOG_RECORD);
    CHECK(close(fd) == 0);
}

/* A page that all map and count in; and a file written by mapping, read by read(). */
static void mapping(struct worker *w)
{
    char path[64];
    snprintf(path, sizeof path, "%s/counter", w->mount);
    int fd = open(path, O_RDWR);
    unsigned *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(fd >= 0 && count != MAP_FAILED && close(fd) == 0);
    __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
    CHECK(munmap(count, 4096) == 0);

    const char *own = worker_path(w, "mapped");
    size_t bytes = text_fill(text, worker_random(w, 1u << 30), TEXT_MAX);
    fd = open(own, O_CREAT | O_TRUNC | O_RDWR, 0600);
    CHECK(fd >= 0 && ftruncate(fd, bytes) == 0);
    unsigned char *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(map != MAP_FAILED);
    memcpy(map, text, bytes);
    if (worker_random(w, 4) == 0)
        CHECK(msync(map, bytes, MS_SYNC) == 0);
    read_whole(fd, found, bytes);
    CHECK(memcmp(found, text, bytes) == 0 && munmap(map, bytes) == 0);
    map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    CHECK(map != MAP_FAILED && memcmp(map, text, bytes) == 0);
    map[0]++;
    CHECK(munmap(map, bytes) == 0 && pread(fd, found, 1, 0) == 1 && found[0] == text[0]);
    CHECK(close(fd) == 0 && unlink(own) == 0);
}

/* A file through a pipe to a child, which writes it to another file and says so through a second. */
static void piping(struct worker *w)
{
    const char *from = worker_path(w, "from"), *to = worker_path(w, "to");
    size_t bytes = text_fill(text, worker_random(w, 1u << 30), 4096 + worker_random(w, 8000));
    int ends[2], back[2];
    make_file(from, text, bytes);
    CHECK(pipe(ends) == 0 && pipe(back) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int out = open(to, O_CREAT | O_TRUNC | O_WRONLY, 0600);
        close(ends[1]);
        CHECK(out >= 0 && close(back[0]) == 0);
        for (ssize_t n; (n = splice(ends[0], NULL, out, NULL, bytes, 0)) != 0;)
            CHECK(n > 0);
        write_whole(back[1], "done", 4);
        _exit(0);
    }
    int in = open(from, O_RDONLY);
    CHECK(in >= 0 && close(ends[0]) == 0 && close(back[1]) == 0);
    for (size_t sent = 0; sent < bytes;) {
        ssize_t n = sent % 2 ? splice(in, NULL, ends[1], NULL, bytes - sent, 0)
                             : sendfile(ends[1], in, NULL, bytes / 3 | 1);
        CHECK(n > 0);
        sent += n;
    }
    CHECK(close(ends[1]) == 0 && close(in) == 0);
    read_whole(back[0], found, 4);
    reap(child, 0);
    CHECK(close(back[0]) == 0);
    in = open(to, O_RDONLY);
    CHECK(in >= 0 && read(in, found, sizeof found) == (ssize_t)bytes);
    CHECK(memcmp(found, text, bytes) == 0 && close(in) == 0);
    CHECK(unlink(from) == 0 && unlink(to) == 0);
}

/* The test's own program, copied to this file system, run from there. */
static void executing(struct worker *w)
{
    char path[64], number[16];
    snprintf(path, sizeof path, "%s/program", w->mount);
    snprintf(number, sizeof number, "%u", worker_random(w, 200));
    pid_t child = worker_random(w, 2) ? fork() : vfork();
    CHECK(child >= 0);
    if (child == 0) {
        execl(path, path, number, NULL);
        _exit(255);
    }
    reap(child, atoi(number) << 8);
}

/* Killed wherever it happens to be: it may leave files, but neither lock nor damage. */
static void killing(struct worker *w)
{
    const char *path = worker_path(w, "victim");
    pid_t child = fork();
    CHECK(child >= 0);
    while (child == 0) {
        make_file(path, text, sizeof text);
        unlink(path);
    }
    usleep(worker_random(w, 20000));
    CHECK(kill(child, SIGKILL) == 0);
    reap(child, SIGKILL);
    CHECK(unlink(path) == 0 || errno == ENOENT);
}

#define REMAPS 20

/* Maps and unmaps, so that the faults of the other threads must wait for mmap_lock. */
static void *remap(void *argument)
{
    int fd = *(int *)argument;
    for (int i = 0; i < REMAPS; i++) {
        volatile unsigned char *map = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
        CHECK(map != MAP_FAILED && map[8] == text[8]);
        CHECK(munmap((void *)map, 8192) == 0);
    }
    return NULL;
}

/* Reads of a file into pages that are themselves a file's, by threads of one address space. */
static void threads(struct worker *w)
{
    size_t bytes = text_fill(text, worker_random(w, 1u << 30), TEXT_MAX);
    int fd = open(worker_path(w, "threads"), O_CREAT | O_TRUNC | O_RDWR, 0600);
    pthread_t other[2];
    CHECK(fd >= 0);
    write_whole(fd, text, bytes);
    CHECK(ftruncate(fd, 3 * TEXT_MAX) == 0);
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&other[i], NULL, remap, &fd) == 0);
    for (int i = 0; i < 4; i++) {
        unsigned char *map = mmap(NULL, 3 * TEXT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        CHECK(map != MAP_FAILED);
        CHECK(pread(fd, map + TEXT_MAX + i, bytes, 0) == (ssize_t)bytes);
        CHECK(memcmp(map + TEXT_MAX + i, text, bytes) == 0);
        CHECK(munmap(map, 3 * TEXT_MAX) == 0);
    }
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(other[i], NULL) == 0);
    CHECK(close(fd) == 0 && unlink(worker_path(w, "threads")) == 0);
}

/* Caches emptied under all others, so that the disk is read and names are looked up anew. */
static void dropping(struct worker *w)
{
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);
    CHECK(fd >= 0);
    write_whole(fd, worker_random(w, 2) ? "1" : "3", 1);
    CHECK(close(fd) == 0);
    sync();
}

job *const stress_jobs[] = {own_file, own_directory, shared_names, append, mapping,
                            piping, executing, killing, threads, dropping};
const int stress_job_count = sizeof stress_jobs / sizeof *stress_jobs;
