# SPDX-License-Identifier: BSD-3-Clause
"""A long run of tests says what it is at."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
import watch

CONFTEST = """
import watch
def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(watch.Watch(0.1))
"""
TESTS = """
import os, pathlib, time
def test_done(): pass
def test_waits():
    while not pathlib.Path(os.environ["GO_ON"]).exists(): time.sleep(0.01)
"""


@pytest.mark.slow
def test_running_tests_are_named_while_they_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(watch.__file__).parent))
    go_on = pytester.path / "go_on"
    monkeypatch.setenv("GO_ON", str(go_on))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    log = pytester.path / "log"
    with log.open("w") as out:
        words = [sys.executable, "-m", "pytest", "-n", "2"]
        running = subprocess.Popen(words, cwd=pytester.path, stdout=out, stderr=out)
        told = (
            "1 tests done; running:\n  test_running_tests_are_named_while_they_run.py::test_waits"
        )
        ends = time.monotonic() + 60
        while told not in log.read_text() and time.monotonic() < ends:
            time.sleep(0.05)
        go_on.touch()
        assert running.wait() == 0, log.read_text()
    assert told in log.read_text() and "2 passed" in log.read_text()


def test_the_longest_comes_first() -> None:
    plugin = watch.Watch(1)
    for nodeid in ("a.py::first", "a.py::second", "a.py::third"):
        plugin.pytest_runtest_logstart(nodeid)
    plugin.pytest_runtest_logfinish("a.py::first")
    time_of_day, text = plugin.line().split(" ", 1)
    assert len(time_of_day) == 8
    assert text.startswith("1 tests done; running:\n  a.py::second, for 0 s\n  a.py::third, for")
