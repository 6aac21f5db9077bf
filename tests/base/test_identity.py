# SPDX-License-Identifier: BSD-3-Clause
"""Which process is which, among those of all hosts, boots and PID name spaces."""

import os
import subprocess
import sys

import pytest

from osgap.base.identity import Process, this_process

TELL = "from osgap.base.identity import this_process; print(this_process().model_dump_json())"


def test_a_process_lives_until_it_has_ended() -> None:
    me = this_process()
    assert me.lives() and str(os.getpid()) in str(me)
    assert me.same_as(this_process().model_copy(update={"host": "renamed"}))
    told = subprocess.run([sys.executable, "-c", TELL], capture_output=True, check=True)
    child = Process.model_validate_json(told.stdout)
    assert child.lives() is False and not child.same_as(me)
    assert me.model_copy(update={"pid_ticks": "1"}).lives() is False


@pytest.mark.parametrize("unseen", [{"boot": "another"}, {"space": "pid:[1]"}, {"space": ""}])
def test_a_process_elsewhere_cannot_be_judged_by_its_number(unseen: dict[str, str]) -> None:
    process = this_process().model_copy(update={"host": "far", **unseen})
    assert process.lives() is None and f"process {os.getpid()} on far" in str(process)
    assert ("PID name space" in str(process)) == ("boot" not in unseen)


@pytest.mark.parametrize("mounted", [True, False])
def test_a_name_spaces_numbers_are_its_own(mounted: bool) -> None:
    """Also where /proc still shows the processes of the space around it."""
    unshare = ["unshare", "--pid", "--fork", *(["--mount-proc"] if mounted else [])]
    unshare += ["--user", "--map-root-user"] if os.getuid() else []
    told = subprocess.run([*unshare, sys.executable, "-c", TELL], capture_output=True)
    if told.returncode:
        pytest.skip("this system lets no test make a name space")
    inner = Process.model_validate_json(told.stdout)
    assert inner.boot == this_process().boot and inner.lives() is None
    assert bool(inner.space) == mounted
