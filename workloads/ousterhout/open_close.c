/* SPDX-License-Identifier: BSD-3-Clause */
/* Name look-up: one file, opened and closed again and again. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

static int setup(struct run *run)
{
    if (chdir(run->scratch) || mkdir("a", 0755) || mkdir("a/b", 0755) ||
        mkdir("a/b/c", 0755))
        return bench_fail(run, "mkdir");
    return make_file(run->bench->text, 1) ? bench_fail(run, "make-file") : 0;
}

static int body(struct run *run, uint64_t count)
{
    const char *path = run->bench->text;
    for (uint64_t i = 0; i < count; i++) {
        int fd = open(path, O_RDONLY);
        if (fd < 0 || close(fd))
            return bench_fail(run, "open");
    }
    return 0;
}

static void teardown(struct run *run)
{
    scrub(run->scratch);
}

BENCHMARK(open_close_foo, .metric = "ms", .count = 20, .flags = FS_FIRST, .text = "foo",
          .setup = setup, .body = body, .teardown = teardown);
BENCHMARK(open_close_path, .metric = "ms", .count = 20, .flags = FS_FIRST, .text = "a/b/c/foo",
          .setup = setup, .body = body, .teardown = teardown);
