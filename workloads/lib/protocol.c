/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the guest's lines of docs/reference/protocol.md. Lines are gathered and written
 * together, because console writes are slow. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

static char pending[8192];
static size_t used;

void say_flush(void)
{
    write_all(STDOUT_FILENO, pending, used);
    used = 0;
}

void say_text(const char *text)
{
    size_t length = strlen(text);
    if (length > sizeof pending - used)
        say_flush();
    if (length > sizeof pending)
        return;
    memcpy(pending + used, text, length);
    used += length;
}

__attribute__((format(printf, 1, 2)))
static void say(const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    say_text(line);
}

const char *fs_word(enum fs fs)
{
    static const char *const words[] = {
        "none", "unix", "sprite",
#ifdef OSGAP_REMOTE
        "nfs", "afs", "diskless",
#endif
    };
    return words[fs];
}

void say_ready(void)
{
    say("@osgap ready protocol=%d\n", PROTOCOL_VERSION);
    say_flush();
}

void say_error(const char *word)
{
    say("@osgap error reason=%s\n", word);
    say_flush();
}

void say_end(int failed, uint64_t regions)
{
    say("@osgap end status=%s regions=%" PRIu64 "\n", failed ? "failed" : "ok", regions);
    say_flush();
}

void say_bench(const struct planned *planned, enum fs fs, uint64_t regions)
{
    const struct bench *bench = planned->bench;
    uint64_t bytes = bench->bytes && planned->working_set ? planned->working_set : bench->bytes;
    say("@osgap bench name=%s fs=%s metric=%s bytes=%" PRIu64 " count=%" PRIu64
        " batches=%" PRIu64 "\n", bench->name, fs_word(fs), bench->metric,
        bytes, planned->count, regions);
    say_flush();
}

void say_sample(const char *name, enum fs fs, uint64_t region, unsigned batch,
                uint64_t ns, uint64_t irqs)
{
    say("@osgap sample region=%" PRIu64 " name=%s fs=%s batch=%u ns=%" PRIu64
        " irqs=%" PRIu64 "\n", region, name, fs_word(fs), batch, ns, irqs);
}

void say_modes(uint64_t region, const struct modes *modes)
{
    say("@osgap modes region=%" PRIu64 " user_ns=%" PRIu64 " kernel_ns=%" PRIu64
        " idle_ns=%" PRIu64 "\n", region, modes->user_ns, modes->kernel_ns,
        modes->idle_ns);
}

void say_counters(uint64_t region, const struct counters *counters)
{
    for (unsigned i = 0; i < COUNTERS; i++)
        say("@osgap counter region=%" PRIu64 " name=%s value=%" PRIu64 "\n", region,
            counter_names[i], counters->value[i]);
}

void say_fail(const char *name, enum fs fs, const char *word)
{
    say("@osgap fail name=%s fs=%s reason=%s\n", name, fs_word(fs), word);
    say_flush();
}
