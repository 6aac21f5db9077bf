# SPDX-License-Identifier: BSD-3-Clause
"""A real Slurm cluster of one node on this machine, for the length of a test.

The daemons are children of a keeper process (this file run as a program). The keeper adopts
whatever they leave behind and kills everything when its standard input ends, so that nothing
outlives the test, not even a test that was itself killed.
"""

import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sinfo", "srun")
SEARCH_PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/local/sbin:/usr/sbin:/sbin"
START_SECONDS = 30.0
PR_SET_CHILD_SUBREAPER = 36

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={directory}/munge.socket
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait={kill_wait}
MinJobAge=3600
DefMemPerCPU=100
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory}
PartitionName=test Nodes=node Default=YES MaxTime=INFINITE State=UP
"""
# Snakemake's executor takes SLURM_CONF away from the srun that it runs in a job.
SRUN = '#!/bin/sh\nSLURM_CONF="{}/slurm.conf" exec "{}" "$@"\n'


class ClusterUnavailable(Exception):
    """The cluster cannot run here; the message is the reason, in one line."""


@contextmanager
def one_node_cluster(directory: Path, kill_wait: int = 5) -> Iterator[Mapping[str, str]]:
    """Run a cluster in `directory`; the value is the environment its commands need."""
    if missing := [name for name in PROGRAMS if not shutil.which(name, path=SEARCH_PATH)]:
        raise ClusterUnavailable(f"not installed: {', '.join(missing)}")
    directory = directory.resolve()
    configure(directory, kill_wait)
    command, pipe = [sys.executable, __file__, str(directory)], subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, text=True, start_new_session=True
    ) as keeper:
        assert keeper.stdin and keeper.stdout
        try:
            answer = keeper.stdout.readline().strip()
            if answer != "ready":
                raise ClusterUnavailable(answer or "the cluster's keeper ended early")
            path = f"{directory}/bin:{os.environ.get('PATH', os.defpath)}"
            yield {"SLURM_CONF": f"{directory}/slurm.conf", "PATH": path}
        finally:
            keeper.stdin.close()
            keeper.wait(20)


def configure(directory: Path, kill_wait: int) -> None:
    """Write the key and slurm.conf for a cluster in `directory`."""
    for name in ("state", "spool", "bin"):
        (directory / name).mkdir(parents=True, exist_ok=True)
    key = directory / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(128))
    facts = {
        "host": socket.gethostname().partition(".")[0],
        "user": pwd.getpwuid(os.getuid()).pw_name,
        "cpus": os.cpu_count() or 1,
        "memory": (os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20) * 9 // 10,
        "ports": free_ports(),
        "directory": directory,
        "kill_wait": kill_wait,
    }
    (directory / "slurm.conf").write_text(CONFIG.format(**facts))
    (directory / "bin" / "srun").write_text(SRUN.format(directory, shutil.which("srun")))
    (directory / "bin" / "srun").chmod(0o755)


def free_ports() -> tuple[int, int]:
    """Two TCP ports that nothing listens on now."""
    any_port = ("127.0.0.1", 0)
    with socket.create_server(any_port) as first, socket.create_server(any_port) as second:
        return first.getsockname()[1], second.getsockname()[1]


def keep(directory: Path) -> None:
    """Run the daemons until standard input ends, then kill every descendant."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        sys.exit("prctl(PR_SET_CHILD_SUBREAPER) failed")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        print(start(directory) or "ready", flush=True)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the adopted leave no zombies
        sys.stdin.read()
    finally:
        kill_descendants()


def start(directory: Path) -> str:
    """Start the daemons and wait for the node; the reason why not, or an empty string."""
    environment = {**os.environ, "PATH": SEARCH_PATH, "SLURM_CONF": f"{directory}/slurm.conf"}
    files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "seed-file": "seed"}
    munge = [f"--{option}={directory}/munge.{name}" for option, name in files.items()]
    daemons = {}
    # Without --force munged refuses a private directory such as pytest's tmp_path.
    for command in (["munged", "-F", "--force", *munge], ["slurmctld", "-D"], ["slurmd", "-D"]):
        with (directory / f"{command[0]}.log").open("wb") as log:
            daemons[command[0]] = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        for name, daemon in daemons.items():
            if daemon.poll() is not None:
                return f"{name} ended with status {daemon.returncode}: {logged(directory, name)}"
        time.sleep(0.2)
        sinfo = ["sinfo", "--noheader", "--format=%T"]
        answer = subprocess.run(sinfo, env=environment, capture_output=True, text=True)
        if answer.stdout.strip() == "idle":
            return ""
    return "; ".join(["no idle node", *(f"{name}: {logged(directory, name)}" for name in daemons)])


def logged(directory: Path, name: str) -> str:
    """The last two lines that a daemon logged, as one."""
    lines = (directory / f"{name}.log").read_text(errors="replace").splitlines()
    return " / ".join([line.strip() for line in lines if line.strip()][-2:]) or "no message"


def kill_descendants() -> None:
    """Kill and reap until no child is left; orphans of the killed become children."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    while True:
        for pid in children(os.getpid()):
            os.kill(pid, signal.SIGKILL)
        try:
            os.wait()
        except ChildProcessError:
            return


def children(parent: int) -> list[int]:
    """The processes whose parent is `parent`."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended since
            if status.read_text().rpartition(")")[2].split()[1] == str(parent):
                found.append(int(status.parent.name))
    return found


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
