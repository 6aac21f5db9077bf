# SPDX-License-Identifier: BSD-3-Clause
"""Files on a server on a page: section, sliders of the network, and the formula in a browser."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from explorers import SERIES, near, predicted_at
from rundirs import make_run
from selenium import webdriver

from osgap.analysis.analysed import AnalysedRun
from osgap.base.paths import project_root
from osgap.predict.prediction import explored, only_run
from osgap.report.blocks import Chart, Select, Slider
from osgap.report.build import build
from osgap.report.document import asset
from osgap.report.explorer import explorer
from osgap.report.sliders import corner_systems
from osgap.report.subject import load
from osgap.suites import suites

MACHINES = project_root() / "configs" / "machines"
SERVED = {
    "fs": ("unix", "nfs"),
    "clock_mhz": (20, 320),
    "memory": ("fixed", "scaled"),
    "network": ("fixed", "scaled"),
    "network_delay_us": (50,),
}
SPEEDS = ["clock_mhz", "latency_ns", "bandwidth_mb_s", "disk_speed"]
SETTINGS = 6


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> AnalysedRun:
    folder = tmp_path_factory.mktemp("served")
    return only_run(make_run(folder / "run", folder, SERVED))


def test_a_page_has_the_network_where_files_are_on_a_server(served: AnalysedRun) -> None:
    page = build(load(served.path)).page
    sections = {section.id: section.blocks for section in page.sections}
    told, *_ = sections["remote"]
    assert "10 to 160 Mbit/s, a delay of 3.125 to 50 us" in str(told)
    menus = {block.id: block.options for block in sections["remote"] if isinstance(block, Select)}
    assert [name for _, name in menus["remote-series"]][:2] == [
        "clock only, 50 us",
        "clock and memory, 50 us",
    ]
    assert [name for name, _ in menus["remote-benchmark"]] == ["create_delete_0 nfs"]
    (chart,) = (block for block in sections["remote"] if isinstance(block, Chart))
    assert chart.spec["usermeta"]["parts"]["wire_ns"] == "waiting for the wire"
    assert "remote_time" in page.data
    sliders = [block.id for block in sections["explore"] if isinstance(block, Slider)]
    assert sliders == [*SPEEDS, "network_mbit_s", "network_delay_us"]
    (model,) = page.models.values()
    assert {Path(machine["name"]).parent.name for machine in model["machines"]} == {"paper"}


def test_a_page_of_local_files_has_none(tmp_path: Path) -> None:
    page = build(load(make_run(tmp_path / "run", tmp_path))).page
    assert "remote" not in {section.id for section in page.sections}
    assert "remote_time" not in page.data and "network" not in json.dumps(page.models, default=str)


@pytest.mark.long
@pytest.mark.xdist_group("browser")
def test_the_browser_predicts_networks_as_python_does(
    browser: webdriver.Chrome, served: AnalysedRun
) -> None:
    model = explored(served, lambda reference: corner_systems(served, reference), None)
    # R of Python's tables is relative to a series with the same figures.
    model = replace(model, reference=replace(model.reference, series="fixed"))
    data = explorer(served, suites(), MACHINES, None)
    ranges, drawn = data["ranges"], random.Random(93)
    assert isinstance(ranges, dict)
    call = f"{asset('formula.js')}; return osgapFormula.predict(arguments[0], arguments[1])"
    browser.get("about:blank")
    for _ in range(SETTINGS):
        setting = {
            key: float(f"{low * (high / low) ** drawn.random():.4g}")
            for key, (low, high) in ranges.items()
        }
        found = browser.execute_script(call, json.loads(json.dumps(data)), setting)
        rows = predicted_at(model, setting)["relative"]
        rows = rows[(rows["series"] == SERIES) & (rows["relative"] > 0)]
        assert {"nfs", "unix", "none"} <= set(rows["fs"])
        for row in rows.to_dict("records"):
            name = f"{row['benchmark']} {row['fs']}"
            assert found["relative"][name]["value"] == near(row["relative"]), (name, setting)
        parts = found["now"]["create_delete_0 nfs"]["parts"]
        times = predicted_at(model, setting)["times"].set_index(["key", "benchmark", "fs"])
        ns = times.loc[(SERIES, "create_delete_0", "nfs"), "ns_per_op"]
        assert len(parts) == 4 and sum(parts) == near(float(ns))
