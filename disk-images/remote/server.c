/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's NFS server. User programs usually answer its questions, a mount daemon
 * among them; here the answers are written beforehand: the client's address, the directory
 * that is exported to that client, and its number. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "remote.h"

#define CONTROL "/proc/fs/nfsd"
#define CACHES "/proc/net/rpc"
#define DOMAIN "client"
#define NEVER 2000000000                     /* seconds since 1970 */
#define FLUSH "1\n"                          /* everything; the kernel asks for a number */
#define FILE_SYSTEM 1                        /* the number of what is exported */
enum { EXPORT_ASYNC = 0x10, EXPORT_NO_SUBTREE_CHECK = 0x400, EXPORT_NUMBERED = 0x2000 };

static int answers_early;                    /* before its disk has the data */

static int export(void)
{
    const int flags = EXPORT_NO_SUBTREE_CHECK | EXPORT_NUMBERED | (answers_early ? EXPORT_ASYNC : 0);
    char exported[128], numbered[128], client[64];
    snprintf(client, sizeof client, "nfsd 127.0.0.1 %d " DOMAIN "\n", NEVER);
    snprintf(exported, sizeof exported, DOMAIN " " SERVER_ROOT " %d %d 0 0 %d\n", NEVER, flags,
             FILE_SYSTEM);
    /* A number of four bytes, as the machine has them. */
    snprintf(numbered, sizeof numbered, DOMAIN " 1 \\x%02x000000 %d " SERVER_ROOT "\n",
             FILE_SYSTEM, NEVER);
    return control_write(CACHES "/auth.unix.ip/channel", client) ||
           control_write(CACHES "/nfsd.export/channel", exported) ||
           control_write(CACHES "/nfsd.fh/channel", numbered) ? -1 : 0;
}

/* What a mount daemon would tell a client. */
static int root_handle(unsigned char handle[HANDLE_BYTES])
{
    static const char question[] = DOMAIN " " SERVER_ROOT " 32\n";
    char text[2 * HANDLE_BYTES + 8] = "", digits[3] = "";
    int fd = open(CONTROL "/filehandle", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -1;
    int failed = write(fd, question, sizeof question - 1) < 0 || read(fd, text, sizeof text - 1) < 4;
    close(fd);
    if (failed || strncmp(text, "\\x", 2))
        return -1;
    memset(handle, 0, HANDLE_BYTES);
    for (size_t i = 0; i < HANDLE_BYTES; i++) {
        const char *at = text + 2 + 2 * i;
        if (*at == '\n' || !*at)
            break;
        memcpy(digits, at, 2);
        handle[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return 0;
}

static int is_server(const char *number)
{
    char path[300], name[8];
    snprintf(path, sizeof path, "/proc/%s/comm", number);
    return !control_read(path, name, sizeof name) && !strcmp(name, "nfsd\n");
}

static pid_t find_server(void)
{
    struct dirent *entry;
    pid_t number = 0;
    DIR *processes = opendir("/proc");
    while (processes && !number && (entry = readdir(processes)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_server(entry->d_name))
            number = (pid_t)atoi(entry->d_name);
    if (processes)
        closedir(processes);
    return number;
}

/* Looks for the thread again if it has ended: a benchmark's process may end it. */
static pid_t thread(void)
{
    static pid_t number;
    if (!number || kill(number, 0))
        number = find_server();
    return number;
}

#ifdef OSGAP_SEVERAL_HARTS
static int pin(pid_t process, int hart)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(hart, &one);
    return sched_setaffinity(process, sizeof one, &one);
}
#endif

/* With several harts this process and its children stay on the first, the server's thread on
 * the second. The client's work queues stay on the first by the kernel's command line. */
static int keep_apart(void)
{
#ifdef OSGAP_SEVERAL_HARTS
    cpu_set_t all;
    if (sched_getaffinity(thread(), sizeof all, &all))
        return -1;
    if (CPU_COUNT(&all) > 1)
        return pin(0, 0) || pin(thread(), 1) ? -1 : 0;
#endif
    return 0;
}

static int start_thread(void)
{
    if (access(CONTROL "/threads", F_OK) && mount("nfsd", CONTROL, "nfsd", 0, NULL))
        return -1;
    if (control_write(CONTROL "/versions", "+2 +3 +4\n") ||
        control_write(CONTROL "/portlist", "udp 2049\n") ||
        control_write(CONTROL "/threads", "1\n"))
        return -1;
    return thread() ? keep_apart() : -1;
}

int server_start(int is_async, unsigned char handle[HANDLE_BYTES])
{
    answers_early = is_async;
    return start_thread() || export() || root_handle(handle) ? -1 : 0;
}

/* Ends the thread, which closes the files that it keeps open. */
int server_pause(void)
{
    return control_write(CONTROL "/threads", "0\n");
}

int server_forget(void)
{
    int failed = control_write(CACHES "/nfsd.fh/flush", FLUSH);
    failed |= control_write(CACHES "/nfsd.export/flush", FLUSH);
    failed |= control_write(CACHES "/auth.unix.ip/flush", FLUSH);
    return failed ? -1 : 0;
}

int server_resume(void)
{
    return (!thread() && start_thread()) || export() ? -1 : 0;
}

int server_stop(void)
{
    int failed = server_pause();
    return server_forget() || failed ? -1 : 0;
}

/* By the clock of its scheduled time: clock_getcpuclockid(3) asks for no threads. */
uint64_t server_cpu_ns(void)
{
    struct timespec t = {0};
    const pid_t server = thread();
    if (!server || clock_gettime((clockid_t)(~(unsigned)server << 3 | 2), &t))
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
