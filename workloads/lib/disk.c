/* SPDX-License-Identifier: BSD-3-Clause */
/* The modelled disk's parameters and counters, in sysfs. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"

#define PARAMETERS "/sys/module/osgap_disk/parameters/"

static const char *const fields[DISK_FIELDS] = {
    "reads", "writes", "sectors", "seek_ns",
    "rotation_ns", "transfer_ns", "overhead_ns", "queue_ns",
};

int disk_present(void)
{
    return access(PARAMETERS "stats", R_OK) == 0;
}

static const char *set_one(const struct parameter *parameter)
{
    char path[sizeof PARAMETERS + MAX_WORD];
    snprintf(path, sizeof path, PARAMETERS "%s", parameter->key);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return "unknown-disk-key";
    int failed = write_all(fd, parameter->value, strlen(parameter->value));
    close(fd);
    return failed ? "bad-disk-value" : NULL;
}

const char *disk_set(const struct orders *orders)
{
    const char *fault = NULL;
    if (orders->ndisk && !disk_present())
        return "no-disk";
    for (unsigned i = 0; !fault && i < orders->ndisk; i++)
        fault = set_one(&orders->disk[i]);
    return fault;
}

static int parse_stats(char *text, struct disk_stats *stats)
{
    for (unsigned i = 0; i < DISK_FIELDS; i++) {
        char *field = next_field(&text, ' '), *key, *value;
        if (!field || split_pair(field, &key, &value) || strcmp(key, fields[i]) ||
            parse_number(value, UINT64_MAX, &stats->field[i]))
            return -1;
    }
    return text ? -1 : 0;
}

int disk_read(struct disk_stats *stats)
{
    char text[512];
    int fd = open(PARAMETERS "stats", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return -1;
    text[n] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return parse_stats(text, stats);
}

void say_disk(const char *name, enum fs fs, const struct disk_stats *before,
              const struct disk_stats *after)
{
    char line[512];
    int n = snprintf(line, sizeof line, "@osgap disk name=%s fs=%s", name, fs_word(fs));
    for (unsigned i = 0; i < DISK_FIELDS; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, " %s=%" PRIu64, fields[i],
                      after->field[i] - before->field[i]);
    snprintf(line + n, sizeof line - (size_t)n, "\n");
    say_text(line);
}
