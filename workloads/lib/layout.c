/* SPDX-License-Identifier: BSD-3-Clause */
/* Perturbs what a layout changes beside the addresses of functions and data: which
 * free pages the benchmarks get, and the order in which they run. A file of the image
 * holds the layout's number; the same number always gives the same perturbation. */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runner.h"

#define NUMBER_FILE "/layout"
#define PAGE 4096
#define PAGES 1024                           /* 4 MiB of a process's pages, */
#define PIPES 16                             /* and 1 MiB of the kernel's own */
#define PIPE_PAGES 16

static uint64_t state;

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t next_random(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(unsigned *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    for (unsigned i = count; i > 1; i--) {
        unsigned j = (unsigned)(next_random() % i), kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

unsigned layout_number(void)
{
    char text[16];
    uint64_t number = 0;
    int fd = open(NUMBER_FILE, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n - 1 : 0] = '\0';
    return parse_number(text, UINT16_MAX, &number) ? 0 : (unsigned)number;
}

static int fill_pipes(int ends[PIPES][2])
{
    static char page[PAGE];
    for (unsigned i = 0; i < PIPES; i++) {
        if (pipe(ends[i]))
            return -1;
        for (unsigned k = 0; k < PIPE_PAGES; k++)
            if (write(ends[i][1], page, PAGE) != PAGE)
                return -1;
    }
    return 0;
}

/* Frees half of the pages in a random order: the free lists begin with them. */
static int scatter(void)
{
    static unsigned order[PAGES];
    static char page[PAGE];
    int ends[PIPES][2];
    char *pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                       -1, 0);
    if (pages == MAP_FAILED || fill_pipes(ends))
        return -1;
    for (unsigned i = 0; i < PAGES; i++)
        ((volatile char *)pages)[i * PAGE] = 1;
    shuffle(order, PAGES);
    for (unsigned i = 0; i < PAGES / 2; i++)
        if (munmap(pages + (size_t)order[i] * PAGE, PAGE))
            return -1;
    shuffle(order, PIPES * PIPE_PAGES);
    for (unsigned i = 0; i < PIPES * PIPE_PAGES / 2; i++)
        if (read(ends[order[i] / PIPE_PAGES][0], page, PAGE) != PAGE)
            return -1;
    return 0;
}

/* A separate process holds the rest for good, so that forks of the runner stay cheap. */
int layout_scatter_pages(unsigned layout)
{
    int done[2];
    char word = 'n';
    if (!layout)
        return 0;
    state = layout;
    if (pipe(done))
        return -1;
    pid_t holder = fork();
    if (holder == 0) {
        word = scatter() ? 'n' : 'y';
        if (write(done[1], &word, 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    close(done[1]);
    int failed = holder < 0 || read(done[0], &word, 1) != 1 || word != 'y';
    close(done[0]);
    return failed ? -1 : 0;
}

static int same_unit(const struct planned *a, const struct planned *b)
{
    unsigned files = FS_EACH | FS_FIRST;
    return (a->bench->flags & files) && (b->bench->flags & files);
}

/* Neighbouring file benchmarks stay together and in their order: a phase of Andrew's
 * begins where the one before it ended. */
void layout_shuffle(unsigned layout, struct planned *plan, unsigned nplan)
{
    static struct planned kept[MAX_PLAN];
    static unsigned order[MAX_PLAN], first[MAX_PLAN + 1];
    unsigned units = 0, at = 0;
    if (!layout)
        return;
    for (unsigned i = 0; i < nplan; i++)
        if (i == 0 || !same_unit(&plan[i - 1], &plan[i]))
            first[units++] = i;
    first[units] = nplan;
    state = layout;
    shuffle(order, units);
    memcpy(kept, plan, nplan * sizeof *plan);
    for (unsigned i = 0; i < units; i++)
        for (unsigned k = first[order[i]]; k < first[order[i] + 1]; k++)
            plan[at++] = kept[k];
}
