# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep --dry-run`: what would run, and for how long, and that nothing runs."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import copy_checkout, osgap

from osgap.engines.fake import Fake
from osgap.sweep.jobs import ASSUMED_POINT_S, LONG_S, advice

AXES = ("sweep", "--engine", "fake", "--cpu-mhz", "20,40", "--memory", "fixed,scaled", "--dry-run")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which nothing ever ran; a test that puts a run into it takes it out again."""
    return copy_checkout(tmp_path_factory.mktemp("dry-run") / "copy")


def shown(copy: Path, *words: str | Path) -> str:
    done = osgap(copy, *AXES, *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_it_shows_every_point_and_writes_nothing(copy: Path) -> None:
    text = shown(copy, "--jobs", "2")
    run = copy / "results" / "runs" / "cli"
    assert f"{run}: machine base, variant default, calls direct" in text
    assert len([line for line in text.splitlines() if line.rstrip().endswith("?")]) == 3
    assert "3 points to run, 2 at a time; no finished point tells how long" in text
    assert not run.exists()


@pytest.mark.slow
def test_each_machine_has_a_table(copy: Path) -> None:
    text = shown(copy, "--machine", "base,hohmuth")
    assert "machine base" in text and "machine hohmuth" in text


@pytest.mark.slow
def test_bad_axes_are_said_as_the_sweep_says_them(copy: Path) -> None:
    done = osgap(copy, *AXES, "--disk", "twice")
    assert done.returncode == 2 and "disk" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_time_is_what_finished_points_took(copy: Path, fake_run: Path) -> None:
    runs = copy / "results" / "runs"
    shutil.copytree(fake_run, runs / "earlier")
    more = ("--cpu-mhz", "20,40,80", "--jobs", "1")
    text = shown(copy, *more)
    assert "to run, 1 at a time: about" in text and "?" not in text
    shutil.rmtree(runs / "earlier")
    # A run's own points count wherever it lies.
    shutil.copytree(fake_run, copy / "elsewhere")
    text = shown(copy, *more, "--output", copy / "elsewhere")
    assert "to run, 1 at a time: about" in text and "finished" in text
    shutil.rmtree(copy / "elsewhere")


class Improvable(Fake):
    def advice(self) -> str:
        return "a quicker build"


def test_a_sweep_of_more_than_an_hour_says_how_it_would_be_quicker() -> None:
    engine, points = Improvable(), int(LONG_S / ASSUMED_POINT_S)
    assert advice(engine, points, 1, None) == ""
    assert advice(engine, points + 1, 1, None) == "a quicker build"
    assert advice(engine, points + 1, 2, None) == ""
    assert advice(engine, 2, 8, LONG_S + 1) == "a quicker build"
    assert advice(engine, 0, 8, LONG_S + 1) == ""
    assert advice(Fake(), points + 1, 1, None) == ""


HINTED = """
import sys
from osgap.cli.main import main
from osgap.engines.fake import Fake
from osgap.sweep import jobs
Fake.advice, jobs.LONG_S = lambda engine: "a quicker build", 0
sys.exit(main(["sweep", "--engine", "fake", "--cpu-mhz", "20", *sys.argv[1:]]))
"""


@pytest.mark.long
def test_the_plan_and_the_sweep_say_it_in_a_line(tmp_path: Path) -> None:
    for words, place in (["--dry-run"], "stdout"), ([], "stderr"), ([], ""):
        done = subprocess.run(
            [sys.executable, "-c", HINTED, "--output", str(tmp_path / "run"), *words],
            capture_output=True,
            text=True,
            check=True,
        )
        texts = {"stdout": done.stdout, "stderr": done.stderr}
        lines = {name: text.count("hour: a quicker build\n") for name, text in texts.items()}
        # A finished run has nothing to do.
        assert lines == {name: int(name == place) for name in texts}
