# SPDX-License-Identifier: BSD-3-Clause
"""A few sentences from the table of means, whatever series and clocks a run has."""

import re

import pandas as pd
import pytest

from osgap.analysis.layouts.values import MEAN
from osgap.analysis.tables import read_tables
from osgap.base.paths import project_root
from osgap.printing.headline import explanation, gains_of, headline
from osgap.printing.intervals import NO_BANDS, of_single_layout

SetMean = tuple[str, float, float]
LOCKED = project_root() / "results" / "locked"


def _tables(*means: SetMean, name: str = "figure1", not_run: str = "") -> dict[str, pd.DataFrame]:
    rows = [(name, series, clock, clock / 20, mean, 7, not_run) for series, clock, mean in means]
    columns = ["set", "series", "clock_mhz", "mips_ratio", "geomean", "of", "not_run"]
    return {"geomean": pd.DataFrame(rows, columns=columns)}


def _curve(series: str, mean: float, clock: float = 640.0) -> list[SetMean]:
    return [(series, 20.0, 1.0), (series, clock, mean)]


FIXED = _curve("fixed", 0.24)
FIRST = "A processor 32 times faster made the operating system 8 times faster."


@pytest.mark.parametrize(
    ("means", "sentence"),
    [
        (
            [*FIXED, *_curve("memory", 0.44), *_curve("disk", 0.5), *_curve("both", 1.001)],
            f"{FIRST} Speed up memory too: 14 times. The disk instead: 16 times. "
            "All three: 32 times - nothing is left.",
        ),
        (
            [
                *(*FIXED, *_curve("memory", 0.44), *_curve("disk", 0.5), *_curve("network", 0.25)),
                *(*_curve("both", 0.6), *_curve("both+network", 1.0)),
            ],
            f"{FIRST} Speed up memory too: 14 times. The disk instead: 16 times. Memory and the "
            "disk too: 19 times. The network instead: 8 times. All four: 32 times - nothing is "
            "left.",
        ),
        (FIXED, FIRST),
        ([*_curve("both", 0.9), *FIXED], f"{FIRST} Speed up memory and the disk too: 29 times."),
        (
            [*FIXED, *_curve("disk", 0.5, 320.0)],
            f"{FIRST} Speed up the disk too: 8 times (with a processor 16 times faster).",
        ),
        (
            [*_curve("both", 0.998), *_curve("memory", 1.2)],
            "A processor and memory 32 times faster made the operating system 38 times faster. "
            "Processor, memory and disk: 32 times - nothing is left.",
        ),
        (
            [("fixed", 20.0, 1.0), ("both", 80.0, 0.7)],
            "A processor, memory and disk 4 times faster made the operating system 2.8 times "
            "faster.",
        ),
        (
            _curve("fixed", 0.25, 82.0),
            "A processor 4.1 times faster did not make the operating system faster.",
        ),
        (
            _curve("fixed", 0.2, 80.0),
            "A processor 4 times faster made the operating system slower: 0.80 of the speed.",
        ),
    ],
)
def test_the_sentences(means: list[SetMean], sentence: str) -> None:
    assert headline(_tables(*means)) == sentence


def test_another_suites_mean_says_whose_it_is() -> None:
    assert headline(_tables(*FIXED, name="mcvoy")) == (
        "A processor 32 times faster made the benchmarks of Hohmuth 1996 8 times faster."
    )


def test_a_part_of_the_set_is_not_the_operating_system() -> None:
    assert headline(_tables(*FIXED, not_run="read")) == (
        "A processor 32 times faster made some benchmarks of Ousterhout 1990 8 times faster."
    )


def test_nothing_is_left_only_where_all_of_it_is_gone() -> None:
    told = headline(_tables(*FIXED, *_curve("memory", 1.0), *_curve("both", 0.97)))
    assert told == f"{FIRST} Speed up memory too: 32 times. Memory and the disk too: 31 times."


def test_a_run_without_a_second_clock_or_a_mean_has_none() -> None:
    assert headline(_tables(("fixed", 20.0, 1.0), ("both", 20.0, 1.0))) is None
    tables = _tables(*FIXED)
    tables["geomean"]["geomean"] = float("nan")
    assert headline(tables) is None
    assert headline({"geomean": tables["geomean"].iloc[:0]}) is None


@pytest.mark.parametrize("has_intervals", [False, True])
def test_its_numbers_are_those_of_the_locked_tables(has_intervals: bool) -> None:
    tables = read_tables(LOCKED / "curve/default" / "tables", ["geomean", "layouts"])
    bands = of_single_layout(tables["layouts"]) if has_intervals else NO_BANDS
    told = headline(tables, bands)
    assert told is not None
    means = tables["geomean"]
    rows = means[(means["set"] == "figure1") & (means["clock_mhz"] == 640)].set_index("series")
    assert float(re.findall(r"A processor (\S+) times", told)[0]) == round(rows["mips_ratio"].max())
    numbers = [float(text) for text in re.findall(r"(\d+(?:\.\d)?) times", told)][1:]
    speeds = (rows["geomean"] * rows["mips_ratio"])[["fixed", "memory", "disk", "both"]]
    assert numbers == pytest.approx(speeds.tolist(), abs=0.5)
    layouts = tables["layouts"]
    own = layouts[(layouts["quantity"] == MEAN) & (layouts["set"] == "figure1")]
    own = own[(own["clock_mhz"] == 640) & (own["series"] == "fixed")].iloc[0]
    ratio = rows["mips_ratio"]["fixed"]
    ends = f"[{own['one_low'] * ratio:.1f}, {own['one_high'] * ratio:.1f}]"
    assert (ends in told) == has_intervals and ("[" in told) == has_intervals


def test_r_is_explained_with_the_runs_own_numbers() -> None:
    told = explanation(gains_of(_tables(*FIXED))["fixed"])
    assert told.endswith("With a faster processor the mean of R is 7.7 / 32.0 = 0.24.")
