/* SPDX-License-Identifier: BSD-3-Clause */
/* How long an open waits before it fails: for a server that no longer runs, and for one
 * that no longer exports the file. Neither answers, and the client gives up. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "bench.h"
#include "remote.h"

enum { SERVER, EXPORT };

static int is_gone;

static int setup(struct run *run)
{
    return chdir(run->scratch) || make_file("here", 1) ? bench_fail(run, "make-file") : 0;
}

static int before(struct run *run)
{
    if (!server_cpu_ns())                    /* a local file system */
        return bench_fail(run, "no-server");
    is_gone = 1;
    int failed = run->bench->arg == SERVER ? server_pause() : server_forget();
    return failed ? bench_fail(run, "server") : 0;
}

static int body(struct run *run, uint64_t count)
{
    (void)count;                             /* 1 */
    int fd = open("here", O_RDONLY);
    if (fd >= 0)
        return bench_fail(run, "opened");
    static char word[32];
    snprintf(word, sizeof word, "errno-%d", errno);
    return errno == EIO ? 0 : bench_fail(run, word);
}

/* For what comes after it: the server runs and exports again. */
static void teardown(struct run *run)
{
    (void)run;
    if (is_gone)
        server_resume();
    unlink("here");
}

#define GONE(name, what)                                                    \
    BENCHMARK(name, .metric = "s", .count = 1, .batches = 1,                \
              .flags = FS_EACH | BENCH_COLD, .arg = what, .setup = setup,   \
              .before = before, .body = body, .teardown = teardown)

GONE(server_gone, SERVER);
GONE(export_gone, EXPORT);
