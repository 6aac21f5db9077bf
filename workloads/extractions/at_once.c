/* SPDX-License-Identifier: BSD-3-Clause */
/* N extractions of one tarball that begin at one moment: Kennaway's test of 2005 with
 * a barrier. Each tar runs until its first read and is stopped there; the timed part is
 * from the signal that lets all go on to the end of the last one. So starting them is
 * not timed. The tarball's files have the sizes of a source tree's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/loop.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static char kib[16];                         /* of the RAM disk, for the trees of a batch */
#define KIB kib

static int mount_ext2(void);
#define MOUNT_EXT2() mount_ext2()
#include "../kennaway/extraction.h"
#include "tarball.h"

#define KIB_EACH 1024                        /* of the RAM disk, for each tree */
#define MOST 12
#define SEEDS 10                             /* the published test ran ten times */
#define LOOP "/dev/loop0"
#define STACK_BYTES 4096                     /* the most that a stack is moved by */

static pid_t leader;
static int through_thread;

/* A loop device on the RAM disk, which is gone when nothing uses it; its descriptor. */
static int make_loop(void)
{
    struct loop_config config = {.info.lo_flags = LO_FLAGS_AUTOCLEAR};
    unlink(LOOP);
    int loop = mknod(LOOP, S_IFBLK | 0600, makedev(7, 0)) ? -1 : open(LOOP, O_RDWR);
    int disk = open(RAM_DISK, O_RDWR);
    config.fd = (unsigned)disk;
    int failed = loop < 0 || disk < 0 || ioctl(loop, LOOP_CONFIGURE, &config);
    if (disk >= 0)
        close(disk);
    if (failed && loop >= 0)
        close(loop);
    return failed ? -1 : loop;
}

/* "md" is what the published test had: a kernel thread does the RAM disk's transfers, one
 * after the other, and changes of directories and inodes are written at once. */
static int mount_ext2(void)
{
    if (!through_thread)
        return mount(RAM_DISK, TREES, "ext2", 0, NULL);
    int loop = make_loop();
    int failed = loop < 0 || mount(LOOP, TREES, "ext2", MS_DIRSYNC, NULL);
    if (loop >= 0)
        close(loop);
    return failed;
}

/* Starts a tar that reads the tarball from its standard input, in the first one's process
 * group. */
static pid_t start(long tree)
{
    static char moved[STACK_BYTES];
    char path[64];
    char *argv[] = {BUSYBOX, "tar", "xf", "-", "-C", path, NULL};
    char *environment[] = {moved, NULL};
    unsigned bytes = 2 + draw(STACK_BYTES - 2);
    memset(moved, '=', bytes);
    moved[0] = 'A';
    moved[bytes] = '\0';
    snprintf(path, sizeof path, TREES "/%ld", tree);
    pid_t pid = vfork();
    if (pid == 0) {
        int fd = open(TARBALL, O_RDONLY);
        if (fd < 0 || dup2(fd, 0) || close(fd) || setpgid(0, leader) ||
            ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            _exit(127);
        execve(argv[0], argv, environment);
        execvpe(argv[1], argv + 1, environment);
        _exit(127);
    }
    return pid;
}

static int is_first_read(pid_t pid)
{
    struct __ptrace_syscall_info info;
    return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) > 0 &&
           info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == SYS_read &&
           info.entry.args[0] == 0;
}

/* Follows a tar to its first read of the tarball, stops it, and leaves it alone. */
static int stop_at_first_read(pid_t pid)
{
    int status;
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
        ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL))
        return -1;
    do {
        if (ptrace(PTRACE_SYSCALL, pid, 0, 0) || waitpid(pid, &status, 0) != pid ||
            !WIFSTOPPED(status))
            return -1;
    } while (!is_first_read(pid));
    /* The signal stops it behind the call, which reads the first header at most. */
    return kill(pid, SIGSTOP) || ptrace(PTRACE_DETACH, pid, 0, 0) ||
           waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status);
}

static void end_all(void)
{
    if (leader > 0)
        kill(-leader, SIGKILL);
    while (wait(NULL) > 0)
        ;
    leader = 0;
}

static int start_all(struct run *run)
{
    long order[MOST];
    state = run->batch;
    shuffle(order, run->bench->arg);
    leader = 0;
    for (long i = 0; i < run->bench->arg; i++) {
        pid_t pid = start(order[i]);
        if (!leader)
            leader = pid;
        if (pid < 0 || stop_at_first_read(pid)) {
            end_all();
            return bench_fail(run, "no-barrier");
        }
    }
    return 0;
}

static int body(struct run *run, uint64_t count)
{
    int failed = kill(-leader, SIGCONT), status;
    (void)count;
    while (wait(&status) > 0)
        failed |= status;
    leader = 0;
    return failed ? bench_fail(run, "tar") : 0;
}

static int check_file(const char *tree, const struct member *file)
{
    static unsigned char text[1 << 18];
    char path[256];
    int fd = join_path(path, sizeof path, tree, file->name) ? -1 : open(path, O_RDONLY);
    if (fd < 0)
        return -1;
    size_t bytes = 0;
    ssize_t n;
    while ((n = read(fd, text + bytes, sizeof text - bytes)) > 0)
        bytes += (size_t)n;
    close(fd);
    return n == 0 && bytes == file->bytes && !memcmp(text, file->text, bytes) ? 0 : -1;
}

/* Each tree has what the tarball holds, byte by byte, and nothing else. */
static int check(struct run *run)
{
    static struct tree found;
    char path[64];
    for (long i = 0; i < run->bench->arg; i++) {
        snprintf(path, sizeof path, TREES "/%ld", i);
        if (tree_load(&found, path) || found.ndirectories != DIRECTORIES ||
            found.nfiles != FILES)
            return bench_fail(run, "wrong-tree");
        for (int k = 0; k < FILES; k++)
            if (check_file(path, &member[k]))
                return bench_fail(run, "wrong-file");
    }
    return 0;
}

/* The untimed pass is an extraction beforehand, as the published ones had: programs
 * and tarball are cached, and the kernel has made what it makes once. */
static int setup(struct run *run)
{
    return chdir(run->scratch) || make_tarball() ? bench_fail(run, "no-tarball") : 0;
}

/* What the batch before this one left is checked. */
static int before(struct run *run)
{
    if (made && check(run))
        return -1;
    if (made && remove_file_system())
        return bench_fail(run, "unmount");
    through_thread = strstr(run->bench->name, "_md_") != NULL;
    snprintf(kib, sizeof kib, "%ld", (run->bench->arg + 1) * KIB_EACH);
    return make_file_system(run) || start_all(run) ? -1 : 0;
}

static void teardown(struct run *run)
{
    end_all();
    if (made)
        remove_file_system();
    scrub(run->scratch);
}

#define AT_ONCE(medium, fs, n)                                                  \
    BENCHMARK(at_once_##medium##_##n, .metric = "ms", .bytes = n * 441226,       \
              .count = 1, .batches = SEEDS, .flags = BENCH_MODES | BENCH_COUNTERS, \
              .arg = n, .text = #fs, .setup = setup, .before = before,          \
              .body = body, .check = check, .teardown = teardown)

AT_ONCE(tmpfs, tmpfs, 1);
AT_ONCE(tmpfs, tmpfs, 2);
AT_ONCE(tmpfs, tmpfs, 3);
AT_ONCE(tmpfs, tmpfs, 4);
AT_ONCE(tmpfs, tmpfs, 8);
AT_ONCE(tmpfs, tmpfs, 10);
AT_ONCE(tmpfs, tmpfs, 12);
AT_ONCE(ext2, ext2, 1);
AT_ONCE(ext2, ext2, 2);
AT_ONCE(ext2, ext2, 3);
AT_ONCE(ext2, ext2, 4);
AT_ONCE(ext2, ext2, 8);
AT_ONCE(ext2, ext2, 10);
AT_ONCE(ext2, ext2, 12);
AT_ONCE(md, ext2, 1);
AT_ONCE(md, ext2, 2);
AT_ONCE(md, ext2, 3);
AT_ONCE(md, ext2, 4);
AT_ONCE(md, ext2, 8);
AT_ONCE(md, ext2, 10);
AT_ONCE(md, ext2, 12);
