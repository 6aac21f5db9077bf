/* SPDX-License-Identifier: BSD-3-Clause */
/* The stress test of a multiprocessor kernel's file systems: what its parts share. */
#ifndef STRESS_H
#define STRESS_H

#include <stdint.h>
#include <sys/types.h>

#define SELF "/init"
#define SHARED_NAMES 8
#define LOG_RECORD 64

/* One process of the test: who it is, where it works, its random numbers. */
struct worker {
    int number;
    const char *mount;  /* a file system that all share */
    char home[64];      /* a directory of its own there */
    uint64_t random;
};

typedef void job(struct worker *);

/* Ends the process, and with it the test, unless ok; says where and errno. */
#define CHECK(ok) \
    do { \
        if (!(ok)) \
            stress_fail(#ok, __FILE__, __LINE__); \
    } while (0)

_Noreturn void stress_fail(const char *what, const char *file, int line);

unsigned worker_random(struct worker *w, unsigned below);
const char *worker_path(const struct worker *w, const char *name);
void write_whole(int fd, const void *data, size_t bytes);
void read_whole(int fd, void *data, size_t bytes);
void reap(pid_t pid, int status);

/* Contents that tell by themselves whether they are whole: a seed, then what follows from it. */
#define TEXT_MAX 20000
size_t text_fill(unsigned char *text, uint32_t seed, size_t bytes);
void text_check(const unsigned char *text, size_t bytes);

extern job *const stress_jobs[];
extern const int stress_job_count;

#endif
