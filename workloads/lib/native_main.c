/* SPDX-License-Identifier: BSD-3-Clause */
/* osgap-bench [--list]: the same benchmarks on the machine that built them,
 * orders on standard input. Its figures are a check of the code, no result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

static long from_stdin(void *buffer, size_t bytes)
{
    return read(STDIN_FILENO, buffer, bytes);
}

static int list(void)
{
    const char *fault = registry_fault();
    for (unsigned i = 0; i < bench_total(); i++)
        printf("%s/%s\n", bench_at(i)->suite, bench_at(i)->name);
    if (fault)
        fprintf(stderr, "osgap-bench: %s\n", fault);
    return fault ? 1 : 0;
}

static int error(const char *word)
{
    say_error(word);
    return 1;
}

static int run_orders(const char *scratch)
{
    static struct orders orders;
    struct host host = {.scratch = scratch, .fs_scratch = scratch};
    say_ready();
    const char *fault = orders_read(&orders, from_stdin);
    if (!fault && orders.marks != MARKS_NONE)
        fault = "wrong-marks";
    if (!fault && orders.calls != CALLS_DIRECT)
        fault = "no-reflect";
    if (!fault)
        fault = disk_set(&orders);
    if (!fault && (roi_open(orders.marks) || harness_open()))
        fault = "memory";
    return fault ? error(fault) : execute(&orders, &host);
}

/* A directory of our own below the given one: scratch is emptied after use. */
static char *make_scratch(void)
{
    static char path[256];
    const char *given = getenv("OSGAP_SCRATCH");
    int n = snprintf(path, sizeof path, "%s/osgap-bench.XXXXXX", given ? given : "/tmp");
    return n < (int)sizeof path ? mkdtemp(path) : NULL;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--list"))
        return list();
    if (argc != 1) {
        fprintf(stderr, "usage: osgap-bench [--list] < ORDERS\n");
        return 2;
    }
    char *scratch = make_scratch();
    if (!scratch)
        return error("scratch");
    int code = run_orders(scratch);
    scrub(scratch);
    rmdir(scratch);
    return code;
}
