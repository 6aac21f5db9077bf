# SPDX-License-Identifier: BSD-3-Clause
"""Puts a comparison of two kernels into sentences, and into the table that is printed."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from osgap.base.quoting import counted
from osgap.drawing.display_names import benchmark_name, machine_name
from osgap.kernels.comparison import KernelComparison
from osgap.kernels.judgement import EQUAL

_PRINTED = [
    "machine",
    "clock_mhz",
    "benchmark",
    "fs",
    "base_ns",
    "changed_ns",
    "percent",
    "percent_low",
    "percent_high",
    "verdict",
    "insts",
    "insts_low",
    "insts_high",
    "misses",
    "misses_low",
    "misses_high",
]
_MOST_ROWS = 6
"""A sentence names no more rows."""


def sentences(rows: pd.DataFrame, comparison: KernelComparison) -> Iterator[str]:
    """The verdict, what decided it, and what a reader has to know of chance."""
    if rows.empty:
        yield "No row was measured in two pairs of layouts: there is no verdict."
        return
    pairs = int(rows["layouts"].max())
    yield _verdict(rows, comparison)
    layouts = counted(pairs, "layout")
    if comparison.change:
        yield f"Each kernel was linked in {layouts}, layout by layout with its code in one order."
    else:
        yield f"Both are one kernel, in {layouts} each: a row that differs is a false alarm."
    yield (
        "The verdict leaves a 5 % chance that two equal kernels differ in any of these "
        f"{counted(len(rows), 'row')} (Student's test of the pairs, Holm's method)."
    )
    alone = int((rows["alone"] == "yes").sum())
    by_chance = 0.05 * len(rows)
    yield (
        f"Each row by itself, {alone} of {len(rows)} would differ; of two equal kernels "
        f"{by_chance:.1f} would, by chance."
    )


def has_several_places(rows: pd.DataFrame) -> bool:
    """True if the rows are of several machines or clocks."""
    return bool(rows["machine"].nunique() > 1 or rows["clock_mhz"].nunique() > 1)


def row_name(row: pd.Series, *, several: bool) -> str:
    """A row's name for people, with its machine and clock if there are `several`."""
    name = benchmark_name(str(row["benchmark"]), str(row["fs"]))
    if not several:
        return name
    return f"{name} on {machine_name(str(row['machine']))} at {row['clock_mhz']:g} MHz"


def _verdict(rows: pd.DataFrame, comparison: KernelComparison) -> str:
    apart = rows[rows["verdict"] != EQUAL]
    if apart.empty:
        return f"{comparison.changed_label}: none of {counted(len(rows), 'row')} differs."
    several = has_several_places(rows)
    names = [_row(row, several=several) for _, row in apart.head(_MOST_ROWS).iterrows()]
    more = f", and {len(apart) - _MOST_ROWS} more" if len(apart) > _MOST_ROWS else ""
    verb = "differs" if len(apart) == 1 else "differ"
    count = f"{len(apart)} of {counted(len(rows), 'row')} {verb}"
    return f"{comparison.changed_label}: {count}: {'; '.join(names)}{more}."


def _row(row: pd.Series, *, several: bool) -> str:
    """A row that differs: its name, the verdict with its interval, and the instructions."""
    ends = sorted(abs(row[f"percent_{end}"]) for end in ("low", "high"))
    more = "more" if row["insts"] >= 0 else "fewer"
    interval = f"{abs(row['percent']):.1f} % [{ends[0]:.1f}, {ends[1]:.1f}]"
    return (
        f"{row_name(row, several=several)} is {row['verdict']} by {interval}, and takes "
        f"{abs(row['insts']):.4g} {more} instructions"
    )


def printed_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The columns to print: the machine and the clock only where they tell rows apart."""
    needless = {name for name in ("machine", "clock_mhz") if rows[name].nunique() < 2}
    return rows[[name for name in _PRINTED if name not in needless]]
