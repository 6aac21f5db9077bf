# SPDX-License-Identifier: BSD-3-Clause
"""The tests' own levels: what each takes, in which order, and who is told to take too long."""

from pathlib import Path

import levels
import pytest

TESTS = """
import time, pytest
def test_plain(): time.sleep({plain})
@pytest.mark.qemu
def test_boots(): pass
@pytest.mark.slow
@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.long)])
def test_slow(n): pass
@pytest.mark.gem5
def test_gem5(): pass
@pytest.mark.long
@pytest.mark.xdist_group("together")
def test_of_a_group(): pass
"""
CONFTEST = """
import levels
def pytest_addoption(parser): parser.addoption("--level")
def pytest_configure(config):
    for name in (*levels.SLOW, *levels.LONG): config.addinivalue_line("markers", name)
    limits = {"quick": 0.2, "usual": 5.0}
    config.pluginmanager.register(levels.Levels(config.getoption("--level"), limits))
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.syspath_prepend(Path(levels.__file__).parent)
    pytester.makeconftest(CONFTEST)
    return pytester


@pytest.mark.parametrize(
    ("level", "names"),
    [
        ("quick", ["plain"]),
        ("usual", ["boots", "slow[1]", "plain"]),
        ("all", ["of_a_group", "slow[2]", "gem5", "boots", "slow[1]", "plain"]),
        (None, ["of_a_group", "slow[2]", "gem5", "boots", "slow[1]", "plain"]),
    ],
)
def test_a_level_takes_its_own_and_those_below_the_longest_first(
    suite: pytest.Pytester, level: str | None, names: list[str]
) -> None:
    suite.makepyfile(TESTS.format(plain=0))
    done = suite.inline_run(*(("--level", level) if level else ()))
    ran = [call.item.name for call in done.getcalls("pytest_runtest_call")]
    assert ran == [f"test_{name}" for name in names] and done.ret == 0


@pytest.mark.slow
@pytest.mark.parametrize(("level", "status"), [("quick", 0), ("usual", 0), ("all", 1)])
@pytest.mark.parametrize("processes", [0, 2])
def test_a_test_over_its_limit_is_named_and_fails_a_run_of_all(
    suite: pytest.Pytester, level: str, status: int, processes: int
) -> None:
    suite.makepyfile(TESTS.format(plain=0.5))
    done = suite.runpytest_inprocess("--level", level, "-n", str(processes))
    assert done.ret == status
    # On a busy host a sleep of 0.5 s takes longer.
    done.stdout.fnmatch_lines(["*::test_plain: its call took *.* s; allowed at level quick: 0.2 s"])
    assert done.parseoutcomes()["passed"] >= 1 and "failed" not in done.parseoutcomes()
    suite.makepyfile(TESTS.format(plain=0))
    assert suite.runpytest_inprocess("--level", level).ret == 0


@pytest.mark.slow
def test_the_quick_tests_of_a_file_run_in_one_process(suite: pytest.Pytester) -> None:
    suite.makepyfile("""
        import os, pathlib, pytest
        @pytest.mark.parametrize("n", range(4))
        def test_plain(n): pathlib.Path(os.environ["PYTEST_XDIST_WORKER"]).touch()
    """)
    done = suite.runpytest_inprocess("-n", "2", "--dist", "loadgroup")
    assert done.parseoutcomes() == {"passed": 4}
    assert len([*suite.path.glob("gw*")]) == 1


def test_every_marker_has_a_level(request: pytest.FixtureRequest) -> None:
    known = {line.partition(":")[0] for line in request.config.getini("markers")}
    own = {"slow", "build", "image", "qemu", "rvsim", "gem5", "long"}
    assert own <= known and own == {*levels.SLOW, *levels.LONG}
