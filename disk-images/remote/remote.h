/* SPDX-License-Identifier: BSD-3-Clause */
/* Files on a server (image variants `remote`): client and server are this machine, with
 * a network of 1989 between them. Functions return 0, or -1. */
#ifndef OSGAP_REMOTE_H
#define OSGAP_REMOTE_H

#include "runner.h"

#define SERVER_ROOT "/srv"                   /* what the server exports */
#define HANDLE_BYTES 32                      /* of a file handle of version 2 */

/* remote.c: what init calls */
int remote_open(void);                       /* once, before orders */
int remote_connect(void);                    /* once, after them */
int remote_is(enum fs fs);
int remote_mount(enum fs fs, const char *disk, const char *where);
int remote_unmount(void);

/* control.c: reads at most bytes - 1, and ends the text with a zero */
int control_write(const char *path, const char *text);
int control_read(const char *path, char *text, size_t bytes);

/* portmapper.c: answers the kernel's registrations, which would otherwise wait for it */
int portmapper_start(void);

/* link.c: the loopback interface as an Ethernet */
struct link {
    uint64_t bytes_per_s;
    uint64_t delay_ns;                       /* of a frame, beside its transfer */
    uint64_t overhead_bytes;                 /* of a frame, beside its IP packet and addresses */
    uint64_t lost_per_million;               /* frames */
    uint64_t seed;                           /* which of them */
};
int link_set(const struct link *link);

/* counters.c: once, before any benchmark */
int counters_share(void);

/* server.c: is_async lets the server answer before its disk has the data */
int server_start(int is_async, unsigned char handle[HANDLE_BYTES]);
int server_stop(void);
int server_pause(void);                      /* answers nothing */
int server_forget(void);                     /* exports nothing */
int server_resume(void);                     /* after either */
uint64_t server_cpu_ns(void);                /* of its thread; 0 where there is none */

/* workfiles.c: the server gets what Andrew reads and runs; the client sees it under the paths of
 * the image, between show and hide */
int workfiles_store(void);
int workfiles_show(const char *where);
int workfiles_hide(void);

/* client.c */
int client_mount(enum fs fs, const unsigned char handle[HANDLE_BYTES], const char *where);

#endif
