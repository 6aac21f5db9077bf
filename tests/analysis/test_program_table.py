# SPDX-License-Identifier: BSD-3-Clause
"""Table of docs/guide about lmbench's and UnixBench's programs: the locked run's values."""

import re

import pandas as pd
import pytest

from osgap.analysis.analysed import AnalysedRun
from osgap.base.paths import project_root
from osgap.suites import load_runs

ROOT = project_root()
_ROW = re.compile(
    r"^\| `[a-z_ ]+`[^|]*\| (\w+) \| (.+) us, (.+) us, (.+) \| (.+) us, (.+) us, (.+) \|$", re.M
)
_US_A_SECOND = 1e6
# A row of the document: the program, its number's name, and which of those it printed.
THEIRS = [
    ("lmbench", "null", 0),
    ("lmbench", "write", 0),
    ("unixbench", "loops", 0),
    ("unixbench", "loops", 1),
]


@pytest.fixture(scope="module")
def run() -> AnalysedRun:
    return load_runs([ROOT / "results" / "locked" / "programs/lmbench-unixbench"])[0]


def _theirs_us(run: AnalysedRun, clock_mhz: float, row: tuple[str, str, int]) -> float:
    program, name, at = row
    table = run.tables["program_numbers"].dropna(subset="value")
    own = table[(table["program"] == program) & (table["name"] == name)]
    value = float(own[own["clock_mhz"] == clock_mhz]["value"].iloc[at])
    return _US_A_SECOND / value if name == "loops" else value


def _ours_us(run: AnalysedRun, clock_mhz: float, benchmark: str) -> float:
    table: pd.DataFrame = run.tables["relative"]
    own = table[(table["benchmark"] == benchmark) & (table["clock_mhz"] == clock_mhz)]
    assert set(own["metric"]) == {"us"}
    return float(own["value"].iloc[0])


def test_the_document_has_the_runs_numbers(run: AnalysedRun) -> None:
    rows = _ROW.findall((ROOT / "docs" / "guide" / "own-programs.md").read_text())
    assert len(rows) == len(THEIRS)
    for (ours, *printed), theirs in zip(rows, THEIRS, strict=True):
        for clock_mhz, own in zip((20.0, 40.0), (printed[:3], printed[3:]), strict=True):
            wanted = (_theirs_us(run, clock_mhz, theirs), _ours_us(run, clock_mhz, ours))
            for text, value in zip(own, (*wanted, wanted[0] / wanted[1]), strict=True):
                digits = len(text.partition(".")[2])
                assert float(text) == pytest.approx(value, abs=0.5001 * 10**-digits), text
