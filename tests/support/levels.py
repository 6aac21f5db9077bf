# SPDX-License-Identifier: BSD-3-Clause
"""Levels of tests: which a run takes, in which order, and how long each may take.

A marker says a test's level (see LEVELS); docs/development/testing.md says which
command runs which.
"""

import gc
from collections.abc import Generator, Mapping

import pytest

LEVELS = ("quick", "usual", "all")
"""What a run takes: tests without a marker of SLOW or LONG; those and the SLOW ones; all."""
SLOW = ("slow", "build", "image", "qemu", "rvsim")
LONG = ("long", "gem5")
CALL_LIMIT_S = {"quick": 40.0, "usual": 240.0}
"""How long a test may take by itself; of level `all` it takes what it takes.

Five to six times what the longest of its level take on two quiet cores: a run of all has kernels
built beside them.
"""
SETUP_LIMIT_S = {"quick": 60.0, "usual": 300.0}
"""How long may pass before it, where what many tests share is made or waited for."""


def level_of(item: pytest.Item) -> str:
    """The level that first takes this test, by its markers."""
    own = {marker.name for marker in item.iter_markers()}
    if own.intersection(LONG):
        return "all"
    return "usual" if own.intersection(SLOW) else "quick"


def _put_group_into_id(item: pytest.Item) -> None:
    """Lets xdist's scheduler see the group, which xdist 3.8 writes where pytest 9.2 does not read.

    Without it tests of a group run beside each other.
    """
    written = vars(item).get("_nodeid", item.nodeid)
    if written != item.nodeid:
        item._id = type(item.id).parse(written)


class Levels:
    """The plugin. `level` is what the run was asked for, None for all and no limits."""

    def __init__(self, level: str | None, call_limit_s: Mapping[str, float] = CALL_LIMIT_S) -> None:
        self.level = level
        self.limits_s = {"call": call_limit_s, "setup": SETUP_LIMIT_S}
        self.over: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> Generator[None]:
        """Takes what the level has, the longest first, so that no process ends on one alone.

        The quick tests of a file run in one process: they share its fixtures. Of a level's tests
        those of a group come first: one process runs them all.
        """
        for item in items:
            if level_of(item) == "quick" and not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group(item.path.stem))
        yield
        for item in items:
            _put_group_into_id(item)
        wanted = LEVELS.index(self.level or "all")
        ranks = {item: LEVELS.index(level_of(item)) for item in items}
        left = [item for item in items if ranks[item] > wanted]
        items[:] = sorted(
            (item for item in items if ranks[item] <= wanted),
            key=lambda item: (-ranks[item], not item.get_closest_marker("xdist_group")),
        )
        if left:
            config.hook.pytest_deselected(items=left)

    def pytest_collection_finish(self) -> None:
        """Leaves the imported modules, which live to the end, out of garbage collection."""
        gc.freeze()
        gc.set_threshold(5000)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Puts the level into the report, which may travel from another process."""
        report = yield
        report.user_properties.append(("level", level_of(item)))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        level = dict(report.user_properties).get("level", "")
        limit = self.limits_s.get(report.when or "", {}).get(str(level))
        if limit is not None and report.duration > limit:
            self.over.append(
                f"{report.nodeid}: its {report.when} took {report.duration:.1f} s; "
                f"allowed at level {level}: {limit:g} s"
            )

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A run of all tests fails when a test of a lower level took too long."""
        here = not hasattr(session.config, "workerinput")
        if here and self.level == "all" and self.over and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.over:
            terminalreporter.section("tests over their limit")
            for line in self.over:
                terminalreporter.write_line(line)
