/* SPDX-License-Identifier: BSD-3-Clause */
/* The loopback interface as a half-duplex Ethernet: frames of both directions wait in
 * one queue (netem), which gives each its transfer and its delay in simulated time. */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "remote.h"

#define LOOPBACK "lo"
#define QUEUE_FRAMES 1000
#define NETEM_SEED 14                        /* TCA_NETEM_PRNG_SEED, of Linux 6.6 and later */
#define MILLION 1000000u

struct request {
    struct nlmsghdr header;
    struct tcmsg tc;
    char attributes[256];
};

static struct rtattr *add(struct request *request, unsigned short type, const void *value,
                          size_t bytes)
{
    struct rtattr *at = (struct rtattr *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    at->rta_type = type;
    at->rta_len = (unsigned short)RTA_LENGTH(bytes);
    if (bytes)
        memcpy(RTA_DATA(at), value, bytes);
    request->header.nlmsg_len = NLMSG_ALIGN(request->header.nlmsg_len) + RTA_ALIGN(at->rta_len);
    return at;
}

/* From a seed with few bits netem's generator begins with zeros, each a lost frame. So the seed
 * is mixed, as by splitmix64 (Steele and others, OOPSLA 2014). */
static uint64_t mixed(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111eb;
    return seed ^ seed >> 31;
}

/* netem's options: a struct, and attributes behind it. */
static void add_netem(struct request *request, const struct link *link)
{
    const struct tc_netem_qopt options = {
        .limit = QUEUE_FRAMES,
        .loss = (uint32_t)(link->lost_per_million * UINT32_MAX / MILLION),
    };
    const struct tc_netem_rate rate = {
        .rate = (uint32_t)link->bytes_per_s,
        .packet_overhead = (int32_t)link->overhead_bytes,
    };
    const int64_t delay = (int64_t)link->delay_ns;
    const uint64_t seed = mixed(link->seed);
    add(request, TCA_KIND, "netem", sizeof "netem");
    struct rtattr *outer = add(request, TCA_OPTIONS, &options, sizeof options);
    add(request, TCA_NETEM_LATENCY64, &delay, sizeof delay);
    add(request, TCA_NETEM_RATE, &rate, sizeof rate);
    add(request, NETEM_SEED, &seed, sizeof seed);
    outer->rta_len = (unsigned short)((char *)request + request->header.nlmsg_len - (char *)outer);
}

/* Sends a request and takes the kernel's answer: 0, or -1 where that is an error. */
static int ask(struct request *request)
{
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char copy[512];
    } answer;
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0)
        return -1;
    int failed = send(fd, request, request->header.nlmsg_len, 0) < 0 ||
                 recv(fd, &answer, sizeof answer, 0) < 0 ||
                 answer.header.nlmsg_type != NLMSG_ERROR || answer.error.error;
    close(fd);
    return failed ? -1 : 0;
}

/* As an Ethernet's: larger messages of UDP are sent in fragments. */
static int set_frame_bytes(void)
{
    struct ifreq request = {.ifr_name = LOOPBACK, .ifr_mtu = ETH_DATA_LEN};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    int failed = ioctl(fd, SIOCSIFMTU, &request);
    close(fd);
    return failed;
}

int link_set(const struct link *link)
{
    struct request request = {
        .header = {.nlmsg_len = NLMSG_LENGTH(sizeof(struct tcmsg)), .nlmsg_type = RTM_NEWQDISC,
                   .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE},
        .tc = {.tcm_family = AF_UNSPEC, .tcm_parent = TC_H_ROOT},
    };
    request.tc.tcm_ifindex = (int)if_nametoindex(LOOPBACK);
    add_netem(&request, link);
    return set_frame_bytes() || ask(&request) ? -1 : 0;
}
