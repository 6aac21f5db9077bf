/* SPDX-License-Identifier: BSD-3-Clause */
/* The guest's only program of its own, PID 1: prepares the machine, takes
 * orders, carries them out and stops the machine. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/random.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "runner.h"
#ifdef OSGAP_REMOTE
#include "remote.h"
#endif
#ifdef OSGAP_SESSION
#include "session.h"
#endif

#define DISK "/dev/osgapdisk"
#define DISK_NUMBER "/sys/block/osgap0/dev"
#define DISK_MODULE "/lib/osgap_disk.ko"
#define MOUNT_POINT "/mnt"

static void prepare_directories(void)
{
    static const char *const needed[] = {"/proc", "/sys", "/dev", "/tmp", MOUNT_POINT};
    for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++)
        mkdir(needed[i], 0755);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    mknod("/dev/null", S_IFCHR | 0666, makedev(1, 3));
    mknod("/dev/mem", S_IFCHR | 0600, makedev(1, 1));
}

/* Until it is seeded, the kernel hashes its pool anew for every exec. Each run
 * starts alike, so a constant is as good a seed as any. */
static void seed_random(void)
{
    struct {
        struct rand_pool_info info;
        unsigned char seed[64];
    } entropy = {.info = {.entropy_count = 512, .buf_size = 64}};
    mknod("/dev/random", S_IFCHR | 0666, makedev(1, 8));
    int fd = open("/dev/random", O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    ioctl(fd, RNDADDENTROPY, &entropy);
    close(fd);
}

/* The line discipline would cost on every byte typed and printed. */
static void make_console_raw(void)
{
    struct termios settings;
    if (tcgetattr(STDIN_FILENO, &settings))
        return;
    cfmakeraw(&settings);
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

/* Up, the loopback interface takes 127.0.0.1 by itself. A kernel without one
 * can still run the rest. */
static void bring_loopback_up(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return;
    ioctl(fd, SIOCSIFFLAGS, &request);
    close(fd);
}

static int make_disk_node(void)
{
    char text[32];
    unsigned major_number, minor_number;
    int fd = open(DISK_NUMBER, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n < 0 ? 0 : n] = '\0';
    if (sscanf(text, "%u:%u", &major_number, &minor_number) != 2)
        return -1;
    unlink(DISK);
    return mknod(DISK, S_IFBLK | 0600, makedev(major_number, minor_number));
}

/* NULL, or the word for orders that need the disk. */
static const char *prepare_disk(void)
{
    int fd = open(DISK_MODULE, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return "no-disk";
    long failed = syscall(SYS_finit_module, fd, "", 0);
    close(fd);
    if (failed || make_disk_node())
        return "no-disk";
    if (run_process((char *[]){"/bin/busybox", "mke2fs", "-b", "4096", "-i", "65536",
                               DISK, NULL}))
        return "no-file-system";
    return NULL;
}

/* dirsync can't be set by a remount, so each file system is a mount of its own. */
static int mount_disk(enum fs fs)
{
#ifdef OSGAP_REMOTE
    if (remote_is(fs))
        return remote_mount(fs, DISK, MOUNT_POINT);
#endif
    unsigned long flags = fs == FS_WORD_UNIX ? MS_SYNCHRONOUS | MS_DIRSYNC : 0;
    return mount(DISK, MOUNT_POINT, "ext2", flags, NULL);
}

static int unmount_disk(void)
{
    int failed = chdir("/") || umount(MOUNT_POINT);
#ifdef OSGAP_REMOTE
    failed |= remote_unmount();
#endif
    return failed;
}

static long from_console(void *buffer, size_t bytes)
{
    return read(STDIN_FILENO, buffer, bytes);
}

/* Where nobody can type, the kernel's command line says so; it reaches init as its
 * environment. Orders then come by m5 readfile, after m5 checkpoint. */
static int orders_come_by_m5(void)
{
    const char *way = getenv("osgap_orders");
    return way && !strcmp(way, "m5");
}

static const char *take_orders(struct orders *orders, const char *disk_fault)
{
    int by_m5 = orders_come_by_m5();
    say_ready();
    if (by_m5)
        m5_make_checkpoint();
    const char *fault = orders_read(orders, by_m5 ? m5_read_orders : from_console);
    if (fault)
        return fault;
    if (by_m5 && orders->marks != MARKS_M5)
        return "wrong-marks";
    if (disk_fault && (orders->ndisk || orders_need_disk(orders)))
        return disk_fault;
    if (reflect_start(orders->calls))
        return "no-reflect";
#ifdef OSGAP_REMOTE
    if (remote_connect())
        return "network";
#endif
    return disk_set(orders);
}

/* Never returns: the kernel panics when its first process ends. */
static void stop_machine(int code)
{
    tcdrain(STDOUT_FILENO);
    roi_exit(code);
    reboot(RB_POWER_OFF);
    for (;;)
        pause();
}

int main(void)
{
    static struct orders orders;
    const struct host host = {layout_number(), "/tmp", MOUNT_POINT, mount_disk, unmount_disk};
    prepare_directories();
    seed_random();
    make_console_raw();
    bring_loopback_up();
    const char *fault = harness_open() ? "memory" : registry_fault();
    const char *disk_fault = prepare_disk();
#ifdef OSGAP_SESSION
    if (session_enter())
        fault = "no-session";
#endif
#ifdef OSGAP_REMOTE
    if (remote_open())
        fault = "no-remote-files";
#endif
    if (layout_scatter_pages(host.layout))
        fault = "layout";
    const char *order_fault = take_orders(&orders, disk_fault);
    if (roi_open(orders_come_by_m5() ? MARKS_M5 : orders.marks))
        fault = "no-sim-control";
    if (order_fault)
        fault = order_fault;
    if (fault)
        say_error(fault);
    stop_machine(fault ? 1 : execute(&orders, &host));
}
