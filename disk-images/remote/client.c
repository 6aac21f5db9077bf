/* SPDX-License-Identifier: BSD-3-Clause */
/* Mounts what the server exports, as clients of 1989 did: version 2, UDP, 8 KB a message. */
#include <arpa/inet.h>
#include <linux/nfs_mount.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/mount.h>

#include "remote.h"

#define PORT 2049
#define MESSAGE_BYTES 8192
#define WAIT_TENTHS 7                        /* s/10 for an answer, at first: mount's usual */
#define REPEATS 4                            /* of a call, each waits twice as long */
#define AS_SPRITE "/sys/module/nfs/parameters/as_sprite"

/* Seconds for which a client trusts the attributes that it has. */
struct trust {
    int least, most;
};
static const struct trust usual = {3, 60};   /* SunOS's, of files */
static const struct trust by_callback = {3600, 3600};

int client_mount(enum fs fs, const unsigned char handle[HANDLE_BYTES], const char *where)
{
    const struct trust trust = fs == FS_WORD_AFS ? by_callback : usual;
    struct nfs_mount_data data = {
        .version = 6,
        .flags = NFS_MOUNT_SOFT | NFS_MOUNT_NONLM | (fs == FS_WORD_AFS ? NFS_MOUNT_NOCTO : 0),
        .rsize = MESSAGE_BYTES, .wsize = MESSAGE_BYTES,
        .timeo = WAIT_TENTHS, .retrans = REPEATS,
        .acregmin = trust.least, .acregmax = trust.most,
        .acdirmin = trust.least, .acdirmax = trust.most,
        .addr = {.sin_family = AF_INET, .sin_port = htons(PORT),
                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
        .hostname = "server", .namlen = 255,
        .root = {.size = HANDLE_BYTES},
    };
    memcpy(data.root.data, handle, HANDLE_BYTES);
    /* Patch 0008: 1 for a client that asks the server at each close, and writes later.
     * Older kernels lack it, and are no such client. */
    int is_sprite = fs == FS_WORD_DISKLESS;
    if (control_write(AS_SPRITE, is_sprite ? "1" : "0") && is_sprite)
        return -1;
    return mount("server:" SERVER_ROOT, where, "nfs", 0, &data);
}
