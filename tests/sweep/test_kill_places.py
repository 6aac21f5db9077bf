# SPDX-License-Identifier: BSD-3-Clause
"""Killed between the last write and the rename, at every place of osgap that renames anything.

Places are found in the code: a new one fails the first test until tests/support/kill_steps.py has
a command that reaches it.
"""

import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from forks import forked
from kill_steps import SITE, STEPS, SWEPT, Step
from naming_places import places
from shared import Once

from osgap.base import durable

# Reached on the way to others, or much like others: with all tests.
LATER = {place for place, step in STEPS.items() if step is SWEPT or step is SITE} - {
    "osgap.points.record:write",
    "osgap.rundir.pointfiles:publish",
    "osgap.report.site:write_site",
} | {
    "osgap.drawing.figure:save",
    "osgap.points.work:_failed",
    "osgap.report.site_pages:_explorer",
    "osgap.report.target:write",
    "osgap.sweep.run:_limited",
}


def test_every_place_is_tried() -> None:
    assert sorted(STEPS) == places()


def run(step: Step, here: Path, fault: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the step's command in a fork, which kills itself at the place `fault`."""
    return forked(step.command(here), {"OSGAP_CACHE": str(here / "cache"), durable.FAULT: fault})


def undisturbed(step: Step, ready: Path, whole: Path) -> Mapping[str, str]:
    """What the step leaves that nobody kills."""
    shutil.copytree(ready, whole)
    done = run(step, whole)
    assert done.returncode == step.status, done.stderr
    return step.kept(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [pytest.param(p, marks=pytest.mark.long) if p in LATER else p for p in STEPS],
)
def test_killed_there_nothing_is_torn_and_the_repeated_command_does_it(
    tmp_path: Path, fake_run: Path, once: Once, place: str
) -> None:
    step, ready, here = STEPS[place], tmp_path / "ready", tmp_path / "here"
    ready.mkdir()
    step.before(ready, fake_run)
    first = next(name for name, other in STEPS.items() if other is step)
    wanted = once.value(f"kill-{first}", lambda: undisturbed(step, ready, tmp_path / "whole"))
    shutil.copytree(ready, here)
    before = step.kept(here)
    killed = run(step, here, place)
    in_worker = place in ("osgap.rundir.pointfiles:publish", "osgap.points.work:_failed")
    assert killed.returncode == (2 if in_worker else -signal.SIGKILL), killed.stderr
    now = {name: digest for name, digest in step.kept(here).items() if ".partial" not in name}
    torn = [name for name, digest in now.items() if digest not in (before.get(name), wanted[name])]
    assert torn == []
    again = run(step, here)
    assert again.returncode == step.status, again.stderr
    assert step.kept(here) == wanted != {}
    assert list(here.rglob("*.partial")) == []
