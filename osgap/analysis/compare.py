# SPDX-License-Identifier: BSD-3-Clause
"""Compares two runs of one sweep, such as the same points on two simulators.

Where runs of several layouts of both systems are there (osgap.analysis.layouts), each row says
whether the two runs differ by more than layouts do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from osgap.analysis.columns import BENCHMARK, CLOCK_MHZ, FS, METRIC, SERIES, SET, sides, text
from osgap.analysis.constants import higher_is_better
from osgap.analysis.layouts.difference import DIFFERENCE_COLUMNS, LayoutSpreads, with_limits
from osgap.analysis.rounds import repeat_table, side_by_side
from osgap.analysis.table import Column, Table
from osgap.base.quoting import counted
from osgap.machines.host import is_simulator
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import Run

Tables = Mapping[str, pd.DataFrame]
TIMES_LIMIT = 1.25
"""Benchmarks whose times differ by a larger factor are named in the notes."""
RELATIVE_LIMIT = 0.15
"""Benchmarks whose R differ by more are named in the notes."""

SIDES = Table(
    "sides",
    "the labels of the two compared runs",
    (text("side", "a or b"), text("label", "the run's engine, or its name")),
    order=200,
)
COMPARED = Table(
    "compared",
    "of two runs: every benchmark's results and R, and their ratios",
    (
        SERIES,
        CLOCK_MHZ,
        BENCHMARK,
        FS,
        METRIC,
        *sides("value", "the result", "metric"),
        Column("time_ratio", "time b / time a, for rates too"),
        *sides("relative", "R"),
        Column("relative_ratio", "relative_b / relative_a"),
        Column("relative_difference", "relative_b - relative_a"),
    ),
    optional=DIFFERENCE_COLUMNS,
    order=210,
)
SLOPES = Table(
    "slopes",
    "of two runs: the fitted elasticities of every benchmark",
    (
        SERIES,
        BENCHMARK,
        FS,
        *sides("elasticity", "d log time / d log clock"),
        Column("difference", "elasticity_b - elasticity_a"),
    ),
    order=220,
)
MEANS = Table(
    "means",
    "of two runs: the geometric means of R",
    (
        SET,
        SERIES,
        CLOCK_MHZ,
        *sides("mips", "the rating", "MIPS"),
        *sides("mips_ratio", "the rating / the rating at the slowest clock"),
        *sides("geomean", "the geometric mean of R"),
        Column("ratio", "geomean_b / geomean_a"),
    ),
    order=230,
)
WORK = Table(
    "work",
    "of two runs: instructions, cycles per instruction and memory traffic of every benchmark",
    (
        SERIES,
        CLOCK_MHZ,
        BENCHMARK,
        FS,
        *sides("insts", "instructions", kind="count"),
        Column("insts_ratio", "insts_b / insts_a"),
        *sides("busy_cpi", "busy cycles per instruction"),
        *sides("bytes_read", "bytes read from memory", "bytes"),
        *sides("bytes_written", "bytes written to memory", "bytes"),
    ),
    order=235,
)
_BATCH = ["insts", "busy_cpi", "bytes_read", "bytes_written"]
_BENCHMARK = ["benchmark", "fs"]
_POINT = ["series", "clock_mhz"]


@dataclass(frozen=True)
class Side:
    """One of the two runs, with the spread over its system's layouts where there are several."""

    label: str
    tables: Tables
    layouts: LayoutSpreads | None = None


def labels(a: Run, b: Run) -> tuple[str, str]:
    """Labels of two runs: their engines, or their names when the engine is the same."""
    engines = [next(iter(run.points.values())).record.engine for run in (a, b) if run.points]
    if len(engines) == 2 and engines[0] != engines[1]:
        return engines[0], engines[1]
    return (a.name, b.name) if a.name != b.name else (f"{a.name} (A)", f"{b.name} (B)")


def compare(a: Side, b: Side) -> dict[str, pd.DataFrame]:
    """The tables SIDES, COMPARED, SLOPES, MEANS and WORK, by name, of the rows that both runs have.

    Two measured machines are compared whatever their clocks are: all rows have the clock of a, and
    REPEATS is added where both were measured in rounds. Raises ResultsError when the runs have no
    row in common.
    """
    if _is_measured(a) and _is_measured(b):
        clock = a.tables["points"]["clock_mhz"].iloc[0]
        with_clock = ("points", "relative", "geomean")
        moved = {name: b.tables[name].assign(clock_mhz=clock) for name in with_clock}
        b = replace(b, tables={**b.tables, **moved})
    compared = _compared(a.tables["relative"], b.tables["relative"])
    if compared.empty:
        raise ResultsError("the two runs have no benchmark at the same clock of the same series")
    if a.layouts and b.layouts:
        compared = with_limits(compared, a.layouts, b.layouts)
    tables = {
        "sides": pd.DataFrame({"side": ["a", "b"], "label": [a.label, b.label]}),
        "compared": compared,
        "slopes": _slopes(a.tables["elasticity"], b.tables["elasticity"]),
        "means": _means(a.tables["geomean"], b.tables["geomean"]),
        "work": work_table(a.tables, b.tables),
    }
    if _has_intervals(a) and _has_intervals(b):
        tables["repeats"] = repeat_table(a.tables["intervals"], b.tables["intervals"])
    return tables


def notes(tables: Tables) -> list[str]:
    """Sentences on the rows beyond the two limits, by benchmark, and beyond the layouts' limits."""
    compared = tables["compared"]
    ratio = compared["time_ratio"]
    far = (ratio > TIMES_LIMIT) | (1 / ratio > TIMES_LIMIT)
    apart = compared["relative_difference"].abs() > RELATIVE_LIMIT
    return [
        _note(compared, far, f"times differ by more than {TIMES_LIMIT - 1:.0%}"),
        *(
            [_note(compared, apart, f"R differs by more than {RELATIVE_LIMIT:g}")]
            if compared["relative_difference"].notna().any()
            else []
        ),
        *_judgements(compared),
        *_repeats(tables),
    ]


def _is_measured(side: Side) -> bool:
    """True if the run is of one machine that was measured."""
    points = side.tables["points"]
    return len(points) == 1 and not is_simulator(points["engine"].iloc[0])


def _has_intervals(side: Side) -> bool:
    """True if the run is of one machine that osgap native measured, in rounds."""
    return _is_measured(side) and "intervals" in side.tables


def _repeats(tables: Tables) -> list[str]:
    if "repeats" not in tables:
        return []
    rows = tables["repeats"]
    return [_note(rows, rows["differs"] == "yes", "medians differ by more than the intervals do")]


def _judgements(compared: pd.DataFrame) -> list[str]:
    """Sentences on the rows that differ by more than layouts do, of those with layouts."""
    lines = []
    for subject, column in (("times differ", "time"), ("R differs", "relative")):
        if f"{column}_differs" in compared:
            limited = compared[compared[f"{column}_differs"] != ""]
            differs = limited[f"{column}_differs"] == "yes"
            lines.append(_note(limited, differs, f"{subject} by more than the layouts do"))
    return lines


def _compared(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    merged = side_by_side(a, b, [*_POINT, *_BENCHMARK, "metric"], ["value", "relative"])
    quotient = merged["value_b"] / merged["value_a"].where(merged["value_a"] > 0)
    rates = merged["metric"].map(higher_is_better).astype(bool)
    merged["time_ratio"] = quotient.mask(rates, 1 / quotient.where(quotient > 0))
    merged["relative_ratio"] = merged["relative_b"] / merged["relative_a"]
    merged["relative_difference"] = merged["relative_b"] - merged["relative_a"]
    return merged[COMPARED.names]


def _slopes(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    a, b = (side[side["kind"] == "fit"] for side in (a, b))
    merged = side_by_side(a, b, ["series", *_BENCHMARK], ["elasticity"])
    merged["difference"] = merged["elasticity_b"] - merged["elasticity_a"]
    return merged[SLOPES.names]


def _means(a: pd.DataFrame, b: pd.DataFrame) -> pd.DataFrame:
    merged = side_by_side(a, b, ["set", *_POINT], ["mips", "mips_ratio", "geomean"])
    merged["ratio"] = merged["geomean_b"] / merged["geomean_a"]
    return merged[MEANS.names]


def _note(compared: pd.DataFrame, mask: pd.Series, sentence: str) -> str:
    rows = compared[mask]
    if rows.empty:
        return f"{sentence}: none of {counted(len(compared), 'row')}"
    counts = rows.groupby(_BENCHMARK, sort=False).size().reset_index()
    names = []
    for name, fs, size in counts.itertuples(index=False, name=None):
        names.append(f"{name}{'' if fs == 'none' else ' ' + fs} ({size})")
    return f"{sentence}: {len(rows)} of {counted(len(compared), 'row')}: {', '.join(names)}"


def work_table(a: Tables, b: Tables) -> pd.DataFrame:
    """One row for each benchmark on each point that both runs have (WORK): medians over batches."""
    merged = side_by_side(_work(a), _work(b), [*_POINT, *_BENCHMARK], _BATCH)
    merged["insts_ratio"] = merged["insts_b"] / merged["insts_a"].where(merged["insts_a"] > 0)
    return merged[WORK.names]


def _work(tables: Tables) -> pd.DataFrame:
    samples = tables["samples"]
    busy = samples["cycles"] - samples["idle_cycles"]
    samples = samples.assign(busy_cpi=busy / samples["insts"].where(samples["insts"] > 0))
    medians = samples.groupby(["key", *_BENCHMARK], sort=False)[_BATCH].median().reset_index()
    places = tables["points"][["series", "clock_mhz", "key"]]
    return places.merge(medians, on="key")
