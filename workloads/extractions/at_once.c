/* SPDX-License-Identifier: BSD-3-Clause */
/* N extractions of one tarball that begin at one moment: Kennaway's test of 2005 with
 * a barrier. Each tar runs until its first read and is stopped there; the timed part is
 * from the signal that lets all go on to the end of the last one. So starting them is
 * not timed. The tarball's files have the sizes of a source tree's. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

static char kib[16];                         /* of the RAM disk, for the trees of a batch */
#define KIB kib
#include "../kennaway/extraction.h"

#define KIB_EACH 1024                        /* of the RAM disk, for each tree */
#define MOST 12
#define SEEDS 10                             /* the published test ran ten times */
#define STACK_BYTES 4096                     /* the most that a stack is moved by */
#define FILES 39

/* The files of Linux 6.12.117 (Debian's linux-source-6.12 without its links): sizes in
 * bytes, the (2 i + 1) / 78th quantiles of 86,629 files. */
static const unsigned size[FILES] = {
    85, 203, 303, 401, 509, 637, 775, 916, 1072, 1243, 1397,
    1579, 1771, 1988, 2228, 2485, 2776, 3104, 3454, 3853, 4302, 4802,
    5377, 5965, 6639, 7410, 8296, 9321, 10463, 11907, 13583, 15664, 18175,
    21420, 25666, 31879, 41306, 58006, 110266,
};

/* Its directories: the 1, 3, 5 and 7 eighths of the numbers of files in 5,760. */
static const struct {
    const char *name;
    int files;
} directory[] = {{"a/", 1}, {"a/b/", 4}, {"a/b/c/", 8}, {"d/", 26}};

#define DIRECTORIES (sizeof directory / sizeof directory[0])
/* A file's size is that of the file STEP quantiles on: each directory has small and large
 * ones. STEP and FILES have no common divisor. */
#define STEP 16

static struct member {
    char name[TREE_LENGTH];
    const unsigned char *text;
    unsigned bytes;
} member[FILES];

static unsigned char *tarball;
static size_t tarball_bytes;
static pid_t leader;

static size_t blocks(size_t bytes)
{
    return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

static void add_header(const char *name, unsigned mode, size_t bytes, char kind)
{
    char *header = (char *)tarball + tarball_bytes;
    strcpy(header, name);
    fill_header(header, mode, bytes, kind);
    tarball_bytes += BLOCK;
}

static void add_file(int number, const char *folder, const unsigned char *text)
{
    struct member *file = &member[number];
    file->bytes = size[number * STEP % FILES];
    snprintf(file->name, sizeof file->name, "%sf%02d", folder, number);
    add_header(file->name, 0644, file->bytes, '0');
    file->text = memcpy(tarball + tarball_bytes, text, file->bytes);
    tarball_bytes += blocks(file->bytes);
}

static size_t most_bytes(void)
{
    size_t bytes = (DIRECTORIES + FILES + 2) * BLOCK;
    for (int i = 0; i < FILES; i++)
        bytes += blocks(size[i]);
    return bytes;
}

/* Every eight bytes of the tarball's files differ from all others. */
static int make_tarball(void)
{
    size_t most = most_bytes();
    unsigned char *text = page_buffer(most);
    tarball = page_buffer(most);
    if (!text || !tarball)
        return -1;
    fill_pattern(text, most);
    tarball_bytes = 0;
    int number = 0;
    for (size_t i = 0; i < DIRECTORIES; i++) {
        add_header(directory[i].name, 0755, 0, '5');
        for (int k = 0; k < directory[i].files; k++, number++)
            add_file(number, directory[i].name, text + tarball_bytes);
    }
    tarball_bytes += 2 * BLOCK;
    int fd = open(TARBALL, O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (fd < 0)
        return -1;
    int failed = write_all(fd, tarball, tarball_bytes);
    return close(fd) || failed ? -1 : 0;
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

#define AT_ONCE(fs, n)                                                          \
    BENCHMARK(at_once_##fs##_##n, .metric = "ms", .bytes = n * 441226,           \
              .count = 1, .batches = SEEDS, .flags = BENCH_MODES | BENCH_COUNTERS, \
              .arg = n, .text = #fs, .setup = setup, .before = before,          \
              .body = body, .check = check, .teardown = teardown)

AT_ONCE(tmpfs, 1);
AT_ONCE(tmpfs, 2);
AT_ONCE(tmpfs, 3);
AT_ONCE(tmpfs, 4);
AT_ONCE(tmpfs, 8);
AT_ONCE(tmpfs, 10);
AT_ONCE(tmpfs, 12);
AT_ONCE(ext2, 1);
AT_ONCE(ext2, 2);
AT_ONCE(ext2, 3);
AT_ONCE(ext2, 4);
AT_ONCE(ext2, 8);
AT_ONCE(ext2, 10);
AT_ONCE(ext2, 12);
