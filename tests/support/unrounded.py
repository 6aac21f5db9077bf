# SPDX-License-Identifier: BSD-3-Clause
"""What the two printed pages of Hohmuth 1996 say of the numbers behind them.

Page 2 was computed from unrounded values, so that page 1's cells do not give it: a pipe of 9 MB/s
is 38 % of one of 22.  Each cell of either page bounds its value; together they leave an interval.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import pandas as pd

from osgap.analysis.relative import NAN
from osgap.rundir.csvfile import ResultsError
from osgap.suites.hohmuth.cells import ABSENT, PROCESS_TIMES, RATES, UNKNOWN, Line
from osgap.suites.hohmuth.page_format import SHEETS

UNROUNDED_COLUMNS = ["host", "os", "column", "value", "low", "high", "how"]
WHOLE, BETWEEN, HIDDEN, FREE = "whole", "between", "hidden", "free"
Bounds = tuple[float, float]


@dataclass(frozen=True)
class Printed:
    """One value's cells on both pages."""

    first: str
    second: str


@dataclass(frozen=True)
class Unrounded:
    """A value that prints as both cells, the bounds that all cells of its column leave, and how.

    `whole`: page 1's integer taken as it stands.  `between`: the middle of the bounds, given the
    best of the column.  `hidden`: printed as a dash, but the best that page 2 counts from.
    `free`: a dash of which page 2 says nothing; the value is NaN.
    """

    value: float
    low: float
    high: float
    how: str


def unrounded(column: str, cells: Sequence[Printed]) -> list[Unrounded]:
    """The values behind a column.  Raises ResultsError when its cells contradict each other."""
    firsts = [_first(column, cell.first) for cell in cells]
    factors = [_factor(cell.second) for cell in cells]
    low, high = -inf, inf
    for cell, first, factor in zip(cells, firsts, factors, strict=True):
        least, most = _best(cell, first, factor)
        low, high = max(low, least), min(high, most)
    if low > high:
        raise ResultsError(f"{column}: its printed cells have no common best")
    best = _choice(low, high)
    starred = any(cell.second.startswith("*") for cell in cells)
    return [
        _value(cell, first, factor, (low, high), best, starred)
        for cell, first, factor in zip(cells, firsts, factors, strict=True)
    ]


def unrounded_table(printed: pd.DataFrame) -> pd.DataFrame:
    """A row a value (columns UNROUNDED_COLUMNS) from hohmuth_lmbench.csv; MHz once a host."""
    keys = ["host", "os", "table", "column"]
    pages = [printed[printed["page"] == name] for name in ("absolute", "relative")]
    both = pages[0].merge(pages[1], on=keys, suffixes=("_1", "_2"))
    rows = []
    for column in [name for sheet in SHEETS for name, _ in sheet.columns if name != "mhz"]:
        own = both[both["column"] == column]
        pairs = zip(own["printed_1"], own["printed_2"], strict=True)
        found = unrounded(column, [Printed(str(a), str(b)) for a, b in pairs])
        rows += [
            (host, system, column, value.value, value.low, value.high, value.how)
            for host, system, value in zip(own["host"], own["os"], found, strict=True)
        ]
    return pd.DataFrame([*_clocks(printed), *rows], columns=UNROUNDED_COLUMNS)


def reference_lines(values: pd.DataFrame) -> list[Line]:
    """The systems of hohmuth_reconstructed.csv, for osgap.analysis.hohmuth."""
    lines = []
    for (host, system), own in values.groupby(["host", "os"], sort=False):
        known = own.dropna(subset=["value"])
        cells: dict[str, float] = dict(zip(known["column"], known["value"], strict=True))
        lines.append(Line(str(host), str(system), cells.pop("mhz"), cells))
    return lines


def _clocks(printed: pd.DataFrame) -> list[tuple[object, ...]]:
    """MHz: the processes' sheet rounds it and the memory's cuts it."""
    own = printed[(printed["column"] == "mhz") & (printed["page"] == "absolute")]
    cells: dict[tuple[str, str], Mapping[str, float]] = {
        (str(host), str(system)): dict(zip(at["table"], at["printed"].astype(float), strict=True))
        for (host, system), at in own.groupby(["host", "os"], sort=False)
    }
    rows: list[tuple[object, ...]] = []
    for (host, system), at in cells.items():
        rounded, cut = at["processes"], at["memory"]
        low, high = max(rounded - 0.5, cut), min(rounded + 0.5, cut + 1)
        rows.append((host, system, "mhz", _choice(low, high), low, high, BETWEEN))
    return rows


def _first(column: str, text: str) -> Bounds:
    """The bounds of a cell of page 1: rates and process times are rounded, others whole."""
    if text == ABSENT:
        return -inf, inf
    if column in PROCESS_TIMES:
        thousands = float(text.removesuffix("K"))
        return (thousands - 0.5) * 1e3, (thousands + 0.5) * 1e3
    number = float(text)
    return (number - 0.5, number + 0.5) if column in RATES else (number, number)


def _factor(text: str) -> Bounds:
    """The bounds of a factor to the best on page 2; of a best one or a dash, anything."""
    if text.startswith("*") or text in (ABSENT, UNKNOWN):
        return -inf, inf
    if text.endswith("%"):
        percent = float(text.removesuffix("%"))
        return percent / 100, min(percent + 1, 100) / 100
    half = 0.05 if "." in text else 0.5
    low, high = float(text) - half, float(text) + half
    # Slower than the best, or it would be starred.
    return (max(low, 1.0) if high > 0 else low), high


def _best(cell: Printed, first: Bounds, factor: Bounds) -> Bounds:
    """What one row says of the column's best value."""
    if cell.second.startswith("*"):
        star = cell.second.removeprefix("*")
        if star.endswith("K"):
            number = float(star.removesuffix("K"))
            second = (number - 0.05) * 1024, (number + 0.05) * 1024
        else:
            second = float(star), float(star) + 1
        return max(first[0], second[0]), min(first[1], second[1])
    if factor[0] == -inf:
        return -inf, inf
    ends = [value / by for value in first for by in factor]
    return min(ends), max(ends)


def _value(
    cell: Printed, first: Bounds, factor: Bounds, best: Bounds, chosen: float, starred: bool
) -> Unrounded:
    if cell.first == ABSENT:
        hidden = not starred
        return Unrounded(round(chosen), *best, HIDDEN) if hidden else Unrounded(NAN, NAN, NAN, FREE)
    if first[0] == first[1]:
        return Unrounded(first[0], *first, WHOLE)
    if cell.second.startswith("*"):
        return Unrounded(chosen, *best, BETWEEN)
    low, high = max(first[0], factor[0] * best[0]), min(first[1], factor[1] * best[1])
    at = max(first[0], factor[0] * chosen), min(first[1], factor[1] * chosen)
    return Unrounded(_choice(*at), low, high, BETWEEN)


def _choice(low: float, high: float) -> float:
    """The middle, to two decimals where that stays inside."""
    middle = (low + high) / 2
    return round(middle, 2) if low < round(middle, 2) < high else middle
