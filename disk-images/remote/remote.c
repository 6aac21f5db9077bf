/* SPDX-License-Identifier: BSD-3-Clause */
/* Files on a server, from the orders' words to a mounted directory. */
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "remote.h"

#define LEAST_RATE 1u                        /* bytes a second */
#define MOST_RATE 4000000000u
#define MOST_DELAY 4000000000u               /* ns */
#define MOST_OVERHEAD 1000u                  /* bytes */
#define MOST_LOST 500000u                    /* of a million frames */

static struct link settings;
static int is_mounted;

int remote_is(enum fs fs)
{
    return fs >= FS_WORD_NFS;
}

enum fs remote_fs_named(const char *word)
{
    for (enum fs fs = FS_WORD_NFS; fs <= FS_WORD_DISKLESS; fs++)
        if (!strcmp(word, fs_word(fs)))
            return fs;
    return FS_WORD_NONE;
}

static const struct key {
    const char *word;
    uint64_t *value;
    uint64_t least, most;
} keys[] = {
    {"bytes_per_s", &settings.bytes_per_s, LEAST_RATE, MOST_RATE},
    {"delay_ns", &settings.delay_ns, 0, MOST_DELAY},
    {"overhead_bytes", &settings.overhead_bytes, 0, MOST_OVERHEAD},
    {"lost_per_million", &settings.lost_per_million, 0, MOST_LOST},
};

static const char *set_one(const char *word, const char *value)
{
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct key *key = &keys[i];
        if (strcmp(key->word, word))
            continue;
        return parse_number(value, key->most, key->value) || *key->value < key->least
                   ? "bad-network-value" : NULL;
    }
    return "unknown-network-key";
}

const char *order_network(struct orders *orders, char *text)
{
    const char *fault = NULL;
    settings.seed = orders->seed;
    for (char *field; !fault && (field = next_field(&text, ' '));) {
        char *key, *value;
        fault = split_pair(field, &key, &value) ? "bad-network" : set_one(key, value);
    }
    return fault;
}

int remote_open(void)
{
    mkdir(SERVER_ROOT, 0755);
    return counters_share() || portmapper_start() ? -1 : 0;
}

int remote_connect(void)
{
    return settings.bytes_per_s ? link_set(&settings) : 0;
}

/* The server of each: UNIX's writes what names a file at once, and NFS its data; Sprite's
 * writes neither. */
int remote_mount(enum fs fs, const char *disk, const char *where)
{
    unsigned char handle[HANDLE_BYTES];
    int is_sprite = fs == FS_WORD_DISKLESS;
    if (!settings.bytes_per_s || mount(disk, SERVER_ROOT, "ext2", is_sprite ? 0 : MS_DIRSYNC, NULL))
        return -1;
    is_mounted = 1;
    return workfiles_store() || server_start(is_sprite, handle) ||
           client_mount(fs, handle, where) || workfiles_show(where) ? -1 : 0;
}

int remote_unmount(void)
{
    if (!is_mounted)
        return 0;
    is_mounted = 0;
    int failed = workfiles_hide();
    return server_stop() || umount(SERVER_ROOT) || failed ? -1 : 0;
}
