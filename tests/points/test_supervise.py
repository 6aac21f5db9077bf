# SPDX-License-Identifier: BSD-3-Clause
"""How a worker judges the end of what it watched."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from osgap.base import processes
from osgap.points import supervise
from osgap.points.record import State
from osgap.points.work import PointResult

KILLED = "gem5 was killed by SIGKILL"


@pytest.mark.parametrize(
    ("line", "kills", "state"),
    [
        (KILLED, 3, State.SIMULATOR_ERROR),
        (KILLED, 4, State.OUT_OF_MEMORY),
        ("gem5 stopped with status 3: fatal: no such file", 4, State.SIMULATOR_ERROR),
        ("gem5 stopped: what(): std::bad_alloc", 3, State.OUT_OF_MEMORY),
    ],
)
def test_a_kill_by_the_kernel_for_memory_is_told_from_others(
    monkeypatch: pytest.MonkeyPatch, line: str, kills: int, state: State
) -> None:
    monkeypatch.setattr(processes, "kernel_oom_kills", lambda: kills)
    assert supervise._blame_memory(PointResult(State.SIMULATOR_ERROR, line), 3).state is state
    timed_out = PointResult(State.TIMED_OUT, line)
    assert supervise._blame_memory(timed_out, 0) == timed_out


def test_a_process_is_known_by_more_than_its_number() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert processes.start_time(child.pid) not in ("", processes.start_time(os.getpid()))
        _wait_until(lambda: processes.MemoryMeter(child.pid).mib() > 1)
        child.kill()
        child.wait()
    assert processes.start_time(child.pid) == "" and processes.MemoryMeter(child.pid).mib() == 0


def test_memory_of_a_processs_children_counts() -> None:
    eater = (
        "import time; held = bytearray(b'x' * (96 << 20)); print('held', flush=True);time.sleep(60)"
    )
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {eater!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as child:
        assert child.stdout and child.stdout.readline()
        memory = processes.MemoryMeter(child.pid)
        assert memory.mib() > 100 and memory.peak_mib > 100
        for process in processes.tree(child.pid)[::-1]:
            os.kill(process, signal.SIGKILL)


def test_a_child_dies_with_its_parent() -> None:
    """However the parent is killed."""
    script = (
        "import os, subprocess, sys, functools; from osgap.base.processes import die_with;"
        "child = subprocess.Popen(['sleep', '60'],"
        " preexec_fn=functools.partial(die_with, os.getpid()));"
        "print(child.pid, flush=True); child.wait()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        assert processes.start_time(child)
        parent.kill()
    _wait_until(lambda: processes.start_time(child) == "")


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)
