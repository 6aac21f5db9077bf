# SPDX-License-Identifier: BSD-3-Clause
"""Intervals over layouts in the paper's tables: whose they are, how wide, and what is refused."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from osgap.base.paths import project_root
from osgap.cli.main import main
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout.layouts import (
    NO_LAYOUTS,
    PaperLayouts,
    in_other_layouts,
    paper_layouts,
    with_cell_intervals,
    with_share_margins,
)

LOCKED = project_root() / "results" / "locked"
ROW, OTHER = ("getpid", "none"), ("cswitch", "none")


def _frame(**logs: list[float]) -> pd.DataFrame:
    index = pd.MultiIndex.from_tuples(
        [(name, "none", layout) for name, own in logs.items() for layout in range(len(own))],
        names=["benchmark", "fs", "layout"],
    )
    values = [one for own in logs.values() for one in own]
    return pd.DataFrame({"log": values, "memory": np.multiply(values, 2.0)}, index=index)


_OWN = [0.1, 0.3, 0.2, 0.4]
_OPPOSITE = [-0.1, -0.3, -0.2, -0.4]


def _half(values: list[float]) -> float:
    return float(stats.t.ppf(0.975, len(values) - 1) * np.std(values, ddof=1))


def test_a_machines_own_layouts_give_students_interval_of_one() -> None:
    vary = PaperLayouts({"DS3100": _frame(getpid=_OWN)})
    assert vary.margin("DS3100", [ROW]) == pytest.approx(_half(_OWN))
    assert vary.margin("DS3100", [ROW], "memory") == pytest.approx(2 * _half(_OWN))


def test_a_machine_without_layouts_is_lent_the_mean_variance() -> None:
    wide = [4 * value for value in _OWN]
    vary = PaperLayouts({"DS3100": _frame(getpid=_OWN), "Sun4": _frame(getpid=wide)})
    assert vary.margin("M2000", [ROW]) == pytest.approx(_half(_OWN) * math.sqrt((1 + 16) / 2))
    assert vary.margin("DS3100", [ROW]) == pytest.approx(_half(_OWN))


def test_what_opposes_in_two_rows_cancels_in_their_mean() -> None:
    vary = PaperLayouts({"DS3100": _frame(getpid=_OWN, cswitch=_OPPOSITE)})
    assert vary.margin("DS3100", [ROW, OTHER]) == pytest.approx(0.0, abs=1e-12)
    assert math.isnan(vary.margin("DS3100", [ROW, ("read", "unix")]))
    assert math.isnan(NO_LAYOUTS.margin("DS3100", [ROW]))


def test_the_reference_has_no_interval() -> None:
    """Its R is 1 by definition, whatever its layout."""
    assert math.isnan(PaperLayouts({"DS3100": _frame(getpid=_OWN)}).margin("MVAX2", [ROW]))


def test_the_committed_tables_have_the_committed_layouts() -> None:
    """tests/project/test_end_to_end.py makes them again."""
    cells = pd.read_csv(LOCKED / "paper/fitted" / "tables" / "cells.csv")
    engines = {folder.name for folder in (LOCKED / "paper/fitted-layouts").iterdir()}
    assert engines and set(cells.dropna(subset="relative_low")["engine"]) == engines
    told = cells[cells["relative_low"].notna()]
    assert set(told["machine"]) == set(cells["machine"]) - {"MVAX2"}
    assert (told["relative_low"] < told["relative_simulated"]).all()
    assert (told["relative_simulated"] < told["relative_high"]).all()


def test_cells_and_shares_carry_the_intervals() -> None:
    vary = PaperLayouts({"DS3100": _frame(getpid=_OWN)})
    cells = pd.DataFrame(
        {"machine": ["DS3100"], "metric": ["getpid"], "fs": ["none"], "relative_simulated": [0.5]}
    )
    made = with_cell_intervals(cells, vary)
    assert made["relative_high"][0] / 0.5 == pytest.approx(math.exp(_half(_OWN)))
    assert made["relative_low"][0] * made["relative_high"][0] == pytest.approx(0.25)
    shares = pd.DataFrame({"benchmark": ["getpid"], "fs": ["none"], "paper": [-0.5]})
    shares = shares.assign(
        memory_share=0.3, disk_share=math.nan, rest_share=math.nan, unexplained_share=0.7
    )
    explained = pd.DataFrame({"benchmark": ["getpid"], "fs": ["none"], "paper": [-0.5]})
    wider = with_share_margins(shares, explained, vary).iloc[0]
    assert wider["memory_share_layouts"] == pytest.approx(4 * _half(_OWN))
    assert wider["unexplained_share_layouts"] == pytest.approx(2 * _half(_OWN))
    assert math.isnan(wider["disk_share_layouts"])


def test_an_engine_with_all_its_machines_in_other_layouts_has_their_cells() -> None:
    cells = pd.DataFrame(
        {
            "engine": ["rvsim", "rvsim", "rvsim", "gem5"],
            "machine": ["DS3100", "DS3100", "MVAX2", "DS3100"],
            "metric": ["getpid", "cswitch_roundtrip", "getpid", "getpid"],
            "fs": "none",
            "relative_simulated": [0.5, 0.6, 1.0, 0.7],
        }
    )
    vary = PaperLayouts({"DS3100": _frame(getpid=_OWN)})
    made = in_other_layouts(cells, {"rvsim": vary})
    assert [list(frame["relative_simulated"]) for frame in made] == [
        pytest.approx([math.exp(log), 0.6, 1.0, 0.7]) for log in _OWN
    ]
    more = pd.concat([cells, cells.iloc[:1].assign(machine="Sun4")])
    assert in_other_layouts(more, {"rvsim": vary}) == []


@pytest.mark.long
def test_runs_of_another_layout_are_told_by_their_image(simulated: Path, tmp_path: Path) -> None:
    more = tmp_path / "more"
    shutil.copytree(simulated, more / "first")
    for file in shutil.copytree(simulated, more / "third").rglob("run.json"):
        data = json.loads(file.read_text())
        data.setdefault("image", {})["variant"] = {"layout": 3}
        file.write_text(json.dumps(data))
    vary = paper_layouts(more)
    assert list(vary.by_machine) == ["DS3100"]
    assert vary.margin("Sun4", [ROW]) == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ResultsError, match="no two layouts of a machine"):
        paper_layouts(simulated)


def test_layouts_of_an_engine_that_is_not_asked_for_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["paper", f"rvsim={tmp_path}", "--layouts", f"gem5={tmp_path}"]) == 2
    assert "layouts: found engine 'gem5'; allowed: rvsim" in capsys.readouterr().err
