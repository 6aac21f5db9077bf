# SPDX-License-Identifier: BSD-3-Clause
"""Causes with an expected effect, beside the effect that was simulated."""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from osgap.cli.main import main
from osgap.rundir.csvfile import ResultsError
from osgap.suites.ousterhout import hypotheses
from osgap.suites.ousterhout.hypotheses import HYPOTHESES, RUNS, hypotheses_table, load_predictions
from osgap.suites.ousterhout.simulated import SIMULATED

MAPPING = "one mapping a page"


def _simulated(relative: float) -> pd.DataFrame:
    rows = [
        (machine, "fixed", benchmark, "none", "us", 1000.0, 1.0, value)
        for machine, value in (("MVAX2", 1.0), ("RT-APC", relative), ("M2000", relative))
        for benchmark in ("cswitch", "open_close_foo")
    ]
    return pd.DataFrame(rows, columns=SIMULATED.names[1:])


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with empty runs; R is 0.5 in those with a cause and 1 without it."""
    for after, before in set(RUNS.values()):
        (tmp_path / "hypotheses" / f"{after}-gem5").mkdir(parents=True)
        (tmp_path / f"{before}-gem5").mkdir(exist_ok=True)
    shutil.rmtree(tmp_path / "hypotheses" / "ffs-gem5")

    def simulated(path: Path) -> pd.DataFrame:
        return _simulated(0.5 if path.parent.name == "hypotheses" else 1.0)

    monkeypatch.setattr(hypotheses, "simulated_values", simulated)
    return tmp_path


def test_each_prediction_has_its_runs() -> None:
    assert [prediction.name for prediction in load_predictions()] == list(RUNS)


def test_a_cause_is_judged_by_its_own_cell_or_the_mean_of_all(runs: Path) -> None:
    predictions = {prediction.name: prediction for prediction in load_predictions()}
    table = hypotheses_table(runs).set_index("hypothesis")
    assert list(table.reset_index().columns) == HYPOTHESES.names
    assert set(table["engine"]) == {"gem5"} and len(table) == len(RUNS) - 2
    row = table.loc[MAPPING]
    assert row["simulated"] == pytest.approx(0.5 * row["without"])
    assert row["expected"] == predictions[MAPPING].expected["gem5"]
    assert pd.isna(row["simulated_low"])
    mean = table[table["machine"] == "all"].iloc[0]
    assert mean["simulated_low"] <= mean["simulated"] <= mean["simulated_high"]


@pytest.mark.parametrize(
    ("low", "high", "result"),
    [(0.0, 9.0, "as expected"), (8.0, 9.0, "too low"), (0.0, 0.1, "too high")],
)
def test_a_value_outside_the_range_speaks_against_the_cause(
    runs: Path, monkeypatch: pytest.MonkeyPatch, low: float, high: float, result: str
) -> None:
    (prediction,) = (p for p in load_predictions() if p.name == MAPPING)
    moved = prediction.model_copy(update={"low": {"gem5": low}, "high": {"gem5": high}})
    monkeypatch.setattr(hypotheses, "load_predictions", lambda: (moved,))
    table = hypotheses_table(runs)
    assert list(table[table["engine"] == "gem5"]["result"]) == [result]


def test_a_folder_without_runs_is_refused(tmp_path: Path, capsys) -> None:
    with pytest.raises(ResultsError, match="no pair of runs, such as hypotheses/machines-rvsim"):
        hypotheses_table(tmp_path)
    assert main(["paper", "--table", "hypotheses", "--hypotheses", str(tmp_path)]) == 2
    assert "no pair of runs" in capsys.readouterr().err
    assert main(["paper", "--table", "cells", "--hypotheses", str(tmp_path)]) == 2
    assert "allowed: with --table hypotheses" in capsys.readouterr().err


def test_the_table_is_printed_with_ranges(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "--table", "hypotheses", "--hypotheses", str(runs)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "1.35 [1.10, 1.70]" in printed and "nan" not in printed
