# SPDX-License-Identifier: BSD-3-Clause
"""Two runs of one sweep side by side, such as the same points on two simulators.

Where layouts of both systems are known (osgap.analysis.layouts), each row says whether the two
differ by more than these do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from osgap.analysis.constants import higher_is_better
from osgap.analysis.layouts.difference import Layouts, judged
from osgap.analysis.rounds import repeat_table
from osgap.analysis.work import work_table
from osgap.machines.host import is_simulator
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import Run

Tables = Mapping[str, pd.DataFrame]
TIMES_LIMIT = 1.25
"""Times of which one is over this many times the other are named in the notes."""
RELATIVE_LIMIT = 0.15
"""R's that are further apart are named in the notes."""

COMPARED_COLUMNS = [
    "series",
    "clock_mhz",
    "benchmark",
    "fs",
    "metric",
    "value_a",
    "value_b",
    "time_ratio",
    "relative_a",
    "relative_b",
    "relative_ratio",
    "relative_difference",
]
SLOPE_COLUMNS = ["series", "benchmark", "fs", "elasticity_a", "elasticity_b", "difference"]
MEAN_COLUMNS = [
    "set",
    "series",
    "clock_mhz",
    "mips_a",
    "mips_b",
    "mips_ratio_a",
    "mips_ratio_b",
    "geomean_a",
    "geomean_b",
    "ratio",
]
_BENCHMARK = ["benchmark", "fs"]
_POINT = ["series", "clock_mhz"]


@dataclass(frozen=True)
class Side:
    """One of the two runs: what to call it, and its tables (osgap.analysis.analyze).

    `layouts` is what is known of the layouts of its system, if anything is.
    """

    label: str
    tables: Tables
    layouts: Layouts | None = None


def labels(a: Run, b: Run) -> tuple[str, str]:
    """What to call two runs: their engines, or their names when the engine is the same."""
    engines = [next(iter(run.points.values())).record.engine for run in (a, b) if run.points]
    if len(engines) == 2 and engines[0] != engines[1]:
        return engines[0], engines[1]
    return (a.name, b.name) if a.name != b.name else (f"{a.name} (A)", f"{b.name} (B)")


def compare(a: Side, b: Side) -> dict[str, pd.DataFrame]:
    """The tables "sides", "compared", "slopes", "means" and "work".

    Suffixes _a and _b are the sides.  Ratios are b / a; `time_ratio` is of times, for rates too.
    Rows are those that both runs have.  Where both sides have layouts, "compared" has the columns
    JUDGED_COLUMNS too.  Two measured machines are compared whatever their clocks are, which are
    then told as a's, and have a table "repeats".  Raises ResultsError when the runs have no row in
    common.
    """
    if measured := _is_measured(a) and _is_measured(b):
        b = replace(b, tables=_at_clock_of(a.tables, b.tables))
    compared = _compared(a.tables["relative"], b.tables["relative"])
    if compared.empty:
        raise ResultsError("the two runs have no benchmark at the same clock of the same series")
    if a.layouts and b.layouts:
        compared = judged(compared, a.layouts, b.layouts)
    tables = {
        "sides": pd.DataFrame({"side": ["a", "b"], "label": [a.label, b.label]}),
        "compared": compared,
        "slopes": _slopes(a.tables["elasticity"], b.tables["elasticity"]),
        "means": _means(a.tables["geomean"], b.tables["geomean"]),
        "work": work_table(a.tables, b.tables),
    }
    if measured:
        tables["repeats"] = repeat_table(a.tables["intervals"], b.tables["intervals"])
    return tables


def notes(tables: Tables) -> list[str]:
    """How many rows lie beyond the two limits, and which benchmarks they belong to.

    Where layouts are known: how many differ by more than these do, too.
    """
    compared = tables["compared"]
    far = _beyond(compared["time_ratio"], TIMES_LIMIT)
    apart = compared["relative_difference"].abs() > RELATIVE_LIMIT
    return [
        _note(compared, far, f"times differ by more than {TIMES_LIMIT - 1:.0%}"),
        _note(compared, apart, f"R differs by more than {RELATIVE_LIMIT:g}"),
        *_judgements(compared),
        *_repeats(tables),
    ]


def _is_measured(side: Side) -> bool:
    """Whether it is one machine that osgap native measured."""
    points = side.tables["points"]
    is_measured = len(points) == 1 and not is_simulator(points["engine"].iloc[0])
    return is_measured and "intervals" in side.tables


def _at_clock_of(a: Tables, b: Tables) -> Tables:
    clock = a["points"]["clock_mhz"].iloc[0]
    placed = {name: b[name].assign(clock_mhz=clock) for name in ("points", "relative", "geomean")}
    return {**b, **placed}


def _repeats(tables: Tables) -> list[str]:
    if "repeats" not in tables:
        return []
    rows = tables["repeats"]
    return [_note(rows, rows["differs"] == "yes", "medians differ by more than the intervals do")]


def _judgements(compared: pd.DataFrame) -> list[str]:
    """Of the rows in which layouts are known, those that differ by more."""
    lines = []
    for what, verb, column in (("times", "differ", "time"), ("R", "differs", "relative")):
        if f"{column}_differs" in compared:
            known = compared[compared[f"{column}_differs"] != ""]
            differs = known[f"{column}_differs"] == "yes"
            lines.append(_note(known, differs, f"{what} {verb} by more than the layouts do"))
    return lines


def _compared(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    keys = [*_POINT, *_BENCHMARK, "metric"]
    kept = [*keys, "value", "relative"]
    merged = a[kept].merge(b[kept], on=keys, suffixes=("_a", "_b"))
    quotient = merged["value_b"] / merged["value_a"].where(merged["value_a"] > 0)
    rates = merged["metric"].map(higher_is_better).astype(bool)
    merged["time_ratio"] = quotient.mask(rates, 1 / quotient.where(quotient > 0))
    merged["relative_ratio"] = merged["relative_b"] / merged["relative_a"]
    merged["relative_difference"] = merged["relative_b"] - merged["relative_a"]
    return merged[COMPARED_COLUMNS]


def _slopes(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    keys = ["series", *_BENCHMARK]
    sides = [side[side["kind"] == "fit"][[*keys, "elasticity"]] for side in (a, b)]
    merged = sides[0].merge(sides[1], on=keys, suffixes=("_a", "_b"))
    merged["difference"] = merged["elasticity_b"] - merged["elasticity_a"]
    return merged[SLOPE_COLUMNS]


def _means(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    keys = ["set", *_POINT]
    kept = [*keys, "mips", "mips_ratio", "geomean"]
    merged = a[kept].merge(b[kept], on=keys, suffixes=("_a", "_b"))
    merged["ratio"] = merged["geomean_b"] / merged["geomean_a"]
    return merged[MEAN_COLUMNS]


def _beyond(ratio: pd.Series, limit: float) -> pd.Series:
    return (ratio > limit) | (1 / ratio > limit)


def _note(compared: pd.DataFrame, chosen: pd.Series, what: str) -> str:
    rows = compared[chosen]
    if rows.empty:
        return f"{what}: none of {len(compared)} rows"
    counts = rows.groupby(_BENCHMARK, sort=False).size()
    names = []
    for (name, fs), count in zip(counts.index.tolist(), counts, strict=True):
        names.append(f"{name}{'' if fs == 'none' else ' ' + fs} ({count})")
    return f"{what}: {len(rows)} of {len(compared)} rows: {', '.join(names)}"
