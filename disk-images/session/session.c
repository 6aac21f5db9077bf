/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of a user's programs under systemd 252: a slice of users, the user's slice, and a scope
 * for each session. Each counts memory and processes (DefaultMemoryAccounting= and
 * DefaultTasksAccounting= of systemd-system.conf are on by default); the other controllers are off. */
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

#define GROUPS "/sys/fs/cgroup"
#define USERS GROUPS "/user.slice"
#define USER USERS "/user-0.slice"
#define SCOPE USER "/session-1.scope"
#define CONTROLLERS "+memory +pids"

static int write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = write(fd, text, strlen(text));
    close(fd);
    return n < 0 ? -1 : 0;
}

int session_enter(void)
{
    if (mount("cgroup2", GROUPS, "cgroup2", 0, NULL) ||
        write_file(GROUPS "/cgroup.subtree_control", CONTROLLERS) || mkdir(USERS, 0755) ||
        write_file(USERS "/cgroup.subtree_control", CONTROLLERS) || mkdir(USER, 0755) ||
        write_file(USER "/cgroup.subtree_control", CONTROLLERS) || mkdir(SCOPE, 0755) ||
        write_file(SCOPE "/cgroup.procs", "0"))
        return -1;
    return setsid() < 0 ? -1 : 0;
}
