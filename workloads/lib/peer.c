/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends the processes that serve a benchmark. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer.h"

#ifdef OSGAP_BOARDS
#define PEERS 15                             /* of boards/ctx.c */
#else
#define PEERS 8
#endif

static pid_t peers[PEERS];
static unsigned started;
static void (*on_death)(void);

static void died(int number)
{
    (void)number;
    if (on_death)
        on_death();
}

static void live(void (*serve)(long), long which, pid_t parent)
{
    signal(SIGCHLD, SIG_DFL);
    /* A parent that has ended already will send no signal. */
    if (!prctl(PR_SET_PDEATHSIG, SIGKILL) && getppid() == parent)
        serve(which);
    _exit(0);
}

int peer_start(void (*serve)(long), long which, void (*wake)(void))
{
    struct sigaction action = {.sa_handler = died, .sa_flags = SA_RESTART | SA_NOCLDSTOP};
    pid_t parent = getpid();
    on_death = wake;
    if (started == PEERS || sigaction(SIGCHLD, &action, NULL))
        return -1;
    pid_t pid = fork();
    if (pid == 0)
        live(serve, which, parent);
    if (pid < 0)
        return -1;
    peers[started++] = pid;
    return 0;
}

void peer_stop(struct run *run)
{
    (void)run;
    signal(SIGCHLD, SIG_DFL);
    while (started) {
        kill(peers[--started], SIGKILL);
        waitpid(peers[started], NULL, 0);
    }
}
