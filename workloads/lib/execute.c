/* SPDX-License-Identifier: BSD-3-Clause */
/* Carries orders out. Neighbouring file benchmarks form a group, which runs
 * once on each file system, mounted for that group. */
#include "runner.h"

static int uses_files(const struct planned *planned)
{
    return (planned->bench->flags & (FS_EACH | FS_FIRST)) != 0;
}

/* Files on a server: all of them are compared with local ones. */
#ifdef OSGAP_REMOTE
#define ON_EACH (FS_EACH | FS_FIRST)
#else
#define ON_EACH FS_EACH
#endif

static int runs_on(const struct planned *planned, unsigned fs_index)
{
    return fs_index == 0 || (planned->bench->flags & ON_EACH);
}

static int run_mounted(const struct orders *orders, const struct host *host,
                       unsigned first, unsigned last, unsigned fs_index)
{
    int failed = 0;
    enum fs fs = orders->fs[fs_index];
    for (unsigned i = first; i < last; i++)
        if (runs_on(&orders->plan[i], fs_index))
            failed |= harness_run(&orders->plan[i], fs, host->fs_scratch,
                                  orders->seed) != 0;
    return failed;
}

static int run_group(const struct orders *orders, const struct host *host,
                     unsigned first, unsigned last, int *failed)
{
    for (unsigned k = 0; k < orders->nfs; k++) {
        int any = 0;
        for (unsigned i = first; i < last; i++)
            any |= runs_on(&orders->plan[i], k);
        if (!any)
            continue;
        if (host->mount && host->mount(orders->fs[k]))
            return -1;
        *failed |= run_mounted(orders, host, first, last, k);
        if (scrub(host->fs_scratch) || (host->unmount && host->unmount()))
            return -1;
    }
    return 0;
}

/* Returns the runner's exit code, after it has written the last line. */
int execute(struct orders *orders, const struct host *host)
{
    int failed = 0;
    if (!orders_fit_memory(orders)) {
        say_error("no-memory");
        return 1;
    }
    layout_shuffle(host->layout, orders->plan, orders->nplan);
    for (unsigned i = 0, next; i < orders->nplan; i = next) {
        next = i + 1;
        if (!uses_files(&orders->plan[i])) {
            failed |= harness_run(&orders->plan[i], FS_WORD_NONE, host->scratch,
                                  orders->seed) != 0;
            continue;
        }
        while (next < orders->nplan && uses_files(&orders->plan[next]))
            next++;
        if (run_group(orders, host, i, next, &failed)) {
            say_error("file-system");
            return 1;
        }
    }
    say_end(failed, harness_regions());
    return failed;
}
