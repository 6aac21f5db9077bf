# SPDX-License-Identifier: BSD-3-Clause
"""Says now and then what a long run of tests is at: one that is stopped tells where it was."""

import threading
import time

import pytest


class Watch:
    """The plugin: every `period_s` a line with the time, the tests done and those that run.

    It is for tests that run in other processes: where they run in this one, pytest keeps the line.
    """

    def __init__(self, period_s: float) -> None:
        self.period_s = period_s
        self.start_s: dict[str, float] = {}
        self.done = 0
        self.end = threading.Event()

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if isinstance(reporter, pytest.TerminalReporter):
            threading.Thread(target=self._tell, args=(reporter,), daemon=True).start()

    def pytest_sessionfinish(self) -> None:
        self.end.set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.start_s[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.start_s.pop(nodeid, None)
        self.done += 1

    def line(self) -> str:
        """The tests that are done, and each that runs with its time, the longest first."""
        now = time.monotonic()
        running = sorted(self.start_s.copy().items(), key=lambda item: item[1])
        names = "".join(f"\n  {nodeid}, for {now - since:.0f} s" for nodeid, since in running)
        return f"{time.strftime('%H:%M:%S')} {self.done} tests done; running:{names}"

    def _tell(self, reporter: pytest.TerminalReporter) -> None:
        while not self.end.wait(self.period_s):
            reporter.ensure_newline()
            reporter.write_line(self.line())
            reporter.flush()
