# SPDX-License-Identifier: BSD-3-Clause
"""`osgap sweep --dry-run`: what would run, and for how long, and that nothing runs."""

import shutil
from pathlib import Path

import pytest
from checkout import copy_checkout, osgap

AXES = ("sweep", "--engine", "fake", "--cpu-mhz", "20,40", "--memory", "fixed,scaled", "--dry-run")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A checkout in which nothing ever ran."""
    return copy_checkout(tmp_path / "copy")


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
