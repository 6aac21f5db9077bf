/* SPDX-License-Identifier: BSD-3-Clause */
/* Sockets of 127.0.0.1; type is SOCK_STREAM (TCP) or SOCK_DGRAM (UDP). */
#ifndef OSGAP_LOOPBACK_H
#define OSGAP_LOOPBACK_H

/* A socket at a port that was free, listening if it is TCP; -1 on failure. */
int loopback_server(int type);

/* A socket connected to that one; -1 on failure. */
int loopback_client(int type, int server);

#endif
