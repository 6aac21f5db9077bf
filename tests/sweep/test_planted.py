# SPDX-License-Identifier: BSD-3-Clause
"""Code in a run directory, in the current one or on PYTHONPATH is run by no process of ours."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import forks
import pytest
from checkout import copy_checkout
from kills import results
from planting import break_plot, first_names, names, plant
from shared import Once
from sweeping import SWEEP, command

from osgap.base.durable import digests
from osgap.base.processes import osgap_command

AXES = ("--cpu-mhz", "20,40", "--memory", "fixed,scaled")
STEPS = (("status",), ("analyze",), ("plot",), ("resume",), ("retry", "--failed"))


BUILD = (
    "import runpy, sys; runpy.run_path(sys.argv[1]);"
    "from osgap.image.scons import scons; scons('--help')"
)


def start(words: list[str], cwd: Path, **environment: str) -> int:
    """Runs a command, which has to succeed; its process number."""
    with subprocess.Popen(
        words,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        said, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said
    return process.pid


def do_all(run: Path, sweep: Path, cwd: Path, **environment: str) -> list[int]:
    """The sweep, then what is asked of its run; the processes that a user would have started."""
    words = command(run, *AXES)
    words[1] = str(sweep)
    started = [start(words, cwd, **environment)]
    for name, *rest in STEPS:
        script = sweep.with_name(f"{name}.py") if name in ("analyze", "plot") else sweep
        own = [] if script != sweep else [name]
        words = [sys.executable, str(script), *own, str(run), *rest]
        started.append(start(words, cwd, **environment))
    return started


def outcome(run: Path) -> Mapping[str, str]:
    written = {**digests(run / "tables"), **digests(run / "figures")}
    return {**results(run), **written}


@pytest.fixture
def clean(fake_run: Path, once: Once) -> Mapping[str, str]:
    """What all of it gives where nothing is planted; the other steps change nothing."""

    def make(place: Path) -> None:
        run = shutil.copytree(fake_run, place / "run")
        for step in ("analyze", "plot"):
            done = forks.osgap(step, str(run))
            assert done.returncode == 0, done.stderr

    return outcome(once.made("clean-run", make) / "run")


@pytest.mark.long
def test_planted_modules_are_imported_by_no_process_of_a_sweep(
    tmp_path: Path, clean: Mapping[str, str]
) -> None:
    run, marks = tmp_path / "run", tmp_path / "marks"
    marks.touch()
    start(command(run, "--cpu-mhz", "20"), tmp_path)
    cwd, given = tmp_path / "cwd", tmp_path / "path"
    for place in (run, cwd):
        plant(place, marks)
    plant(given, marks, leave_out=first_names())
    break_plot(cwd)
    (cwd / "results").mkdir()
    users = do_all(run, SWEEP, cwd, PYTHONPATH=str(given))
    told = [line.split() for line in marks.read_text().splitlines()]
    # What its user tells a Python to import, the process that the user starts does import.
    others = [row for row in told if row[0] != str(given) or int(row[-1]) not in users]
    assert others == []
    assert len(names()) > 300 and told, "nothing was planted"
    assert outcome(run) == clean


@pytest.mark.long
def test_nor_are_those_in_the_checkout_where_its_user_works(
    tmp_path: Path, clean: Mapping[str, str]
) -> None:
    copy, run, marks = copy_checkout(tmp_path / "checkout"), tmp_path / "run", tmp_path / "marks"
    marks.touch()
    plant(copy, marks)
    break_plot(copy)
    do_all(run, copy / "scripts" / "sweep.py", copy)
    (copy / ".venv").symlink_to(Path(sys.executable).parents[1])
    start(["bash", "-euc", "source scripts/lib.sh; ensure_built --help"], copy)
    start([sys.executable, "-P", "-c", BUILD, str(copy / "osgap" / "start.py")], copy)
    assert marks.read_text() == ""
    assert outcome(run) == clean


NAMES = (
    "$(touch mark)",
    "`touch mark`",
    "a b",
    "-rf",
    "--",
    "'",
    '"',
    "a\nb",
    ";touch mark",
    "{key}",
    "%s",
    "*",
    "é\u202e",
    "\\",
    "#",
)


@pytest.mark.long
def test_the_name_of_a_run_directory_reaches_no_shell(tmp_path: Path) -> None:
    for name in ("-" + "".join(NAMES), NAMES[0]):
        run = tmp_path / "runs" / name / "run"
        start(command(run, "--cpu-mhz", "20"), tmp_path)
        for step, *rest in STEPS:
            start([*osgap_command("osgap"), step, str(run), *rest], tmp_path)
        assert not list(tmp_path.rglob("mark"))
        assert len(results(run)) > 3 and list((run / "figures").iterdir())
