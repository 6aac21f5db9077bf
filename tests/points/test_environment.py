# SPDX-License-Identifier: BSD-3-Clause
"""A worker starts again with its engine's variables, and hands them to no other process."""

import os
import sys
from pathlib import Path

import pytest

from osgap.engines.fake import Fake
from osgap.points import environment
from osgap.points.environment import SETTLED
from osgap.points.jobs import read_jobs

Started = list[tuple[str, list[str], dict[str, str]]]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    """The programs that the worker became."""
    found: Started = []

    def execve(path: str, words: list[str], variables: dict[str, str]) -> None:
        found.append((path, words, variables))

    monkeypatch.setattr(os, "execve", execve)
    for variable in (SETTLED, "LD_PRELOAD"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("OSGAP_CACHE", "/elsewhere")
    return found


def needs_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "environment", lambda engine: {"LD_PRELOAD": "/lib/a.so", "X": "1"})


@pytest.mark.slow
def test_a_worker_starts_again_with_its_engines_variables(
    fake_run: Path, monkeypatch: pytest.MonkeyPatch, started: Started
) -> None:
    needs_variables(monkeypatch)
    environment.settle(fake_run, 0)
    ((path, words, variables),) = started
    assert path == sys.executable and words[-2:] == ["osgap.points", "0"]
    assert (variables["LD_PRELOAD"], variables["X"]) == ("/lib/a.so", "1")
    assert variables[SETTLED] == "LD_PRELOAD,X"
    assert variables["OSGAP_CACHE"] == read_jobs(fake_run).cache != "/elsewhere"


@pytest.mark.slow
def test_an_engine_without_variables_has_its_worker_start_once(
    fake_run: Path, started: Started
) -> None:
    environment.settle(fake_run, 0)
    assert started == []


def test_started_again_it_removes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Started
) -> None:
    needs_variables(monkeypatch)
    monkeypatch.setenv("LD_PRELOAD", "/lib/a.so")
    monkeypatch.setenv(SETTLED, "LD_PRELOAD,X")
    environment.settle(tmp_path, 0)
    assert started == [] and not {"LD_PRELOAD", "X", SETTLED} & set(os.environ)


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 99])
def test_a_damaged_plan_is_left_for_the_points_to_report(
    number: int, fake_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: Started
) -> None:
    needs_variables(monkeypatch)
    (tmp_path / ".jobs").mkdir()
    (tmp_path / ".jobs" / "jobs.json").write_bytes((fake_run / ".jobs" / "jobs.json").read_bytes())
    environment.settle(tmp_path, number)  # no plan/
    assert started == []
