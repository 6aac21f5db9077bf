# SPDX-License-Identifier: BSD-3-Clause
"""The explorer of the default run, beside the model that it must agree with."""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.base.paths import project_root
from osgap.machines.system import System
from osgap.predict.borrowed_errors import committed_prior, lender
from osgap.predict.grid import GridMachine
from osgap.predict.model import Operands
from osgap.predict.prediction import Explored, explored
from osgap.predict.tables import tables, time_rows
from osgap.report.explore_page import Explorer, build_explorer, explorer_html
from osgap.report.sliders import corner_systems, system_at
from osgap.report.subject import load
from osgap.suites import load_runs, suites

DEFAULT = project_root() / "results" / "locked" / "curve/default"
Opener = Callable[..., WebDriver]
Setting = dict[str, float]
Row = tuple[str, str]
KEYS = ("clock_mhz", "latency_ns", "bandwidth_mb_s", "disk_speed")
FASTEST = "#at=640,200,400,1"
SIX_DIGITS = 1e-6
_SETTINGS = 6
OWN = "osgapExplorer.own"
SERIES = "sliders"
"""The series of the sliders' machine in the tables of `predicted_at`."""


def predicted_at(model: Explored, setting: Mapping[str, float]) -> Tables:
    """The tables of two machines: the reference and, in the series SERIES, that of the sliders."""
    reference = model.reference
    system = system_at(reference.system, setting)
    policies = reference.memory, reference.disk
    machine = GridMachine(SERIES, reference.name, SERIES, system.clock_mhz, *policies, system)
    return tables(model.model, [reference, machine], suites(), "")


@dataclass(frozen=True, eq=False)
class Known:
    """The page's file, its content, and the model that it must agree with."""

    file: Path
    explorer: Explorer
    run: AnalysedRun
    model: Explored

    @property
    def rows(self) -> list[Row]:
        keys = [str(row["key"]).split() for row in self.explorer.data["rows"]]
        return [(name, fs) for name, fs in keys]

    def settings(self) -> Iterator[Setting]:
        """The presets, and settings drawn from the sliders' whole ranges."""
        yield from (dict(preset["at"]) for preset in self.explorer.presets)
        drawn = random.Random(38)
        for _ in range(_SETTINGS):
            yield {
                axis["key"]: float(
                    f"{axis['low'] * (axis['high'] / axis['low']) ** drawn.random():.4g}"
                )
                for axis in self.explorer.axes
            }

    def system(self, at: Setting) -> System:
        return system_at(self.model.reference.system, at)

    def times(self, operands: Operands) -> dict[Row, float]:
        """The times of the rows, ns."""
        rows = time_rows("", self.model.model.times(operands), self.model.model, suites())
        times = {(str(row["benchmark"]), str(row["fs"])): row["ns_per_op"] for row in rows}
        return {row: float(str(times[row])) for row in self.rows}


def known_explorer(folder: Path) -> Known:
    """The explorer of the default run, written into `folder`."""
    run = load_runs([DEFAULT])[0]
    lent = lender(committed_prior(), run.engine)
    explorer = build_explorer(load(DEFAULT), lambda engine: lent)
    file = folder / "explore.html"
    file.write_text(explorer_html(explorer))
    model = explored(run, lambda reference: corner_systems(run, reference), lent)
    return Known(file, explorer, run, model)


def near(value: float) -> object:
    return pytest.approx(value, rel=SIX_DIGITS)


def no_errors(browser: WebDriver) -> None:
    assert [one for one in browser.get_log("browser") if one["level"] == "SEVERE"] == []


def sentence(browser: WebDriver) -> str:
    return browser.find_element(By.ID, "sentence").text


def soon(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def rested(browser: WebDriver) -> str:
    """The address's fragment, which follows a moment later."""
    time.sleep(0.4)
    return browser.current_url.partition("#")[2]


def preset(browser: WebDriver, name: str) -> None:
    browser.find_element(By.XPATH, f"//button[text()='{name}']").click()


def at(browser: WebDriver, setting: Mapping[str, float]) -> dict[str, Any]:
    found: dict[str, Any] = browser.execute_script(f"return {OWN}.at(arguments[0])", setting)
    return found
