# SPDX-License-Identifier: BSD-3-Clause
"""The share of the paper's loss that kernel entry explains."""

import math

import pandas as pd
import pytest

from osgap.base.errors import OsgapError
from osgap.cli.main import main
from osgap.suites.ousterhout.entry import ALL, ENTRY, entry_of, entry_table
from osgap.suites.ousterhout.simulated import SIMULATED

# R of a null system call that the paper's tables give: (207 us / t) / (MIPS / 0.9).
PRINTED = {"DS5000": (207 / 11) / (18 / 0.9), "M2000": (207 / 18) / (20 / 0.9)}


def _predicted(relative: dict[str, float], benchmark: str = "getpid") -> pd.DataFrame:
    rows = [
        (machine, "fixed", benchmark, "none", "us", 1.0, 1.0, value)
        for machine, value in {"MVAX2": 1.0, **relative}.items()
    ]
    return pd.DataFrame(rows, columns=SIMULATED.names[1:])


def _row(table: pd.DataFrame, machine: str) -> pd.Series:
    own = table[table["machine"] == machine]
    assert len(own) == 1
    return own.iloc[0]


def test_a_machines_share_is_the_part_of_its_loss() -> None:
    table = entry_of(_predicted({"M2000": 1.0}), _predicted({"M2000": math.sqrt(PRINTED["M2000"])}))
    row = _row(table, "M2000")
    assert row["paper"] == pytest.approx(math.log(PRINTED["M2000"]))
    assert row["entry"] == pytest.approx(math.log(PRINTED["M2000"]) / 2)
    assert row["share"] == pytest.approx(0.5)
    assert "MVAX2" not in set(table["machine"])


def test_all_machines_share_is_that_of_the_means() -> None:
    table = entry_of(
        _predicted(dict.fromkeys(PRINTED, 0.9)), _predicted(dict.fromkeys(PRINTED, 0.45))
    )
    row = _row(table, ALL)
    mean = sum(map(math.log, PRINTED.values())) / len(PRINTED)
    assert row["paper"] == pytest.approx(mean)
    assert row["without"] == pytest.approx(math.log(0.9))
    assert row["share"] == pytest.approx(math.log(0.5) / mean)
    assert row["share_low"] <= row["share"] <= row["share_high"]
    assert list(table.columns) == ENTRY.names


def test_who_lost_nothing_has_no_share() -> None:
    table = entry_of(_predicted({"Sun3": 1.0}), _predicted({"Sun3": 0.5}))
    row = _row(table, "Sun3")
    assert row["paper"] > 0 and math.isnan(row["share"])
    assert math.isnan(_row(table, ALL)["share"])


def test_a_benchmark_that_one_side_lacks_has_no_row() -> None:
    assert entry_of(_predicted({"M2000": 1.0}), _predicted({"M2000": 1.0}, "cswitch")).empty


def test_no_pair_of_runs_is_a_sentence() -> None:
    with pytest.raises(OsgapError, match="entry: no pair of runs; allowed: ENGINE=DIR,DIR"):
        entry_table({})


@pytest.mark.parametrize("words", ["rvsim", "rvsim=a", "rvsim=a,", "=a,b"])
def test_a_pair_has_an_engine_and_two_directories(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["paper", "--table", "entry", "--entry", words])
    assert ended.value.code == 2
    assert "ENGINE=DIR,DIR" in capsys.readouterr().err
