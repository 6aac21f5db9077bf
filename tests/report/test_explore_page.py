# SPDX-License-Identifier: BSD-3-Clause
"""The explorer's content: its presets, sliders and rows, one file, and its command."""

import json
import re
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.machines.axes import CLOCK
from osgap.machines.machine import fitted, load_machine
from osgap.machines.system import system
from osgap.predict.axes import QUANTITIES
from osgap.report import explore_page
from osgap.report.explore_page import Explorer, build_explorer, explorer_html
from osgap.report.subject import load
from osgap.rundir.csvfile import ResultsError
from osgap.suites import main_sets

pytestmark = pytest.mark.slow
MACHINES = project_root() / "configs" / "machines"
LARGEST = 300_000
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.DOTALL)


@pytest.fixture(scope="module")
def explorer(written_run: Path) -> Explorer:
    return build_explorer(load(written_run), lambda engine: None)


@pytest.fixture(scope="module")
def text(explorer: Explorer) -> str:
    return explorer_html(explorer)


def test_every_row_of_the_set_has_a_name_and_a_meaning(explorer: Explorer) -> None:
    rows = explorer.data["rows"]
    wanted = next(iter(main_sets().values())).sets[explorer.data["set"]]
    assert {row["key"].split()[0] for row in rows} == set(wanted)
    assert len({row["name"] for row in rows}) == len(rows) and all(row["meaning"] for row in rows)
    assert not any("_" in row["name"] for row in rows)


def test_machines_are_those_of_the_files(explorer: Explorer) -> None:
    by_name = {preset["name"]: preset["at"] for preset in explorer.presets}
    for name, title in (("MVAX2", "MicroVAX II"), ("SS1", "SPARCstation 1")):
        machine = fitted(load_machine(MACHINES / "paper" / f"{name}.toml"), "rvsim")
        own = system(machine.model_copy(update={"time_scale": 1}))
        for quantity in QUANTITIES:
            if not quantity.is_relative:
                assert by_name[title][quantity.key] == pytest.approx(quantity.of(own), rel=1e-5)


def test_steps_multiply_the_reference(explorer: Explorer) -> None:
    by_name = {preset["name"]: preset["at"] for preset in explorer.presets}
    start = by_name["1990 workstation"]
    simulated = next(axis for axis in explorer.axes if axis["key"] == CLOCK.key)["simulated"]
    factor = simulated[-1] / start["clock_mhz"]
    faster = by_name[f"clock x {factor:g}"]
    assert faster == {**start, "clock_mhz": simulated[-1]}
    whole = by_name["all"]
    assert whole["latency_ns"] == pytest.approx(start["latency_ns"] / factor)
    assert whole["disk_speed"] == pytest.approx(start["disk_speed"] * factor)
    assert {**by_name["+ memory"], **by_name["+ disk"]}.keys() == whole.keys()


def test_sliders_hold_the_presets_and_what_was_simulated(explorer: Explorer) -> None:
    for axis in explorer.axes:
        values = [*axis["simulated"], *(preset["at"][axis["key"]] for preset in explorer.presets)]
        assert axis["low"] <= min(values) and max(values) <= axis["high"], axis["key"]


def test_it_is_one_file_that_fetches_nothing(text: str, explorer: Explorer) -> None:
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', text)
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
    assert len(text) < LARGEST
    found = _DATA.search(text)
    assert found and json.loads(found[1])["run"] == explorer.run
    assert 'href="index.html"' in explorer_html(explorer, "index.html")


@pytest.mark.parametrize(
    ("error", "reason"),
    [("no counters", "no counters"), ("", "none of its runs has a mean of R and a prediction")],
)
def test_a_run_without_a_model_is_a_sentence(
    error: str, reason: str, written_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def model(*_: object) -> dict[str, list[object]]:
        if error:
            raise ResultsError(error)
        return {"sets": [], "benchmarks": [], "marks": []}

    monkeypatch.setattr(explore_page, "explorer", model)
    with pytest.raises(ResultsError, match=f"cannot be explored: {reason}"):
        build_explorer(load(written_run), lambda engine: None)


def test_the_command_writes_it_beside_the_run(
    run_directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run_directory), "--explore"]) == 0
    assert capsys.readouterr().out == f"{run_directory / 'explore.html'}\n"
    assert (run_directory / "explore.html").read_text().startswith("<!doctype html>")


def test_wrong_words_are_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["report", "--stats", str(tmp_path), "--explore"]) == 2
    assert "--explore: found beside --stats; allowed: one" in capsys.readouterr().err
