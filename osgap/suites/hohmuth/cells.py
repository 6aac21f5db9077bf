# SPDX-License-Identifier: BSD-3-Clause
"""Formats numbers as Hohmuth's two pages print them: absolute values, and ratios to the best.

The rules for numbers follow his print: page 1 rounds (a rate starred 9 there is 10 here), page 2
cuts; K is 1000 us on page 1, as 72K, and 1024 us on page 2, as the same cell's 70.6K.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from osgap.suites.hohmuth.page_format import BANDWIDTHS, GUESS, MEMORY, SHEETS, PageRow

PROCESS_TIMES = frozenset({"null_process", "simple_process", "sh_process"})
RATES = frozenset(name for name, _ in BANDWIDTHS.columns)
L1, L2, MAIN = (name for name, _ in MEMORY.columns[1:])
ABSENT, UNKNOWN = "-", "???"
_SAME = 0.2
"""Latencies that differ by at most this part of the larger are of one memory."""

Values = Mapping[str, float]


@dataclass(frozen=True)
class Line:
    """One system's clock (MHz), and its results: column -> us, MB/s or ns; 0 where it failed."""

    host: str
    system: str
    mhz: float
    values: Values


def absolute(lines: Sequence[Line]) -> list[PageRow]:
    """Returns the cells of the first page."""
    return [PageRow(line.host, line.system, _sheets(line, _absolute(line))) for line in lines]


def relative(lines: Sequence[Line]) -> list[PageRow]:
    """Returns the cells of the second page: factors to the best, and of rates per cent, cut.

    A doubted level of memory (`guess`) has no factor and cannot be the best.
    """
    trusted = [_undoubted(line) for line in lines]
    best = {name: _best([line.values for line in trusted], name) for name in _columns()}
    cells = [{n: _relative(n, line.values.get(n), best[n]) for n in best} for line in trusted]
    return [
        PageRow(line.host, line.system, _sheets(line, texts))
        for line, texts in zip(lines, cells, strict=True)
    ]


def guess(values: Values) -> str:
    """Returns the guess about the machine's caches from its memory latencies; "" without one."""
    if values.get(L1, 0) < 0:
        return "Bad mhz?"
    if any(values.get(name, 0) <= 0 for name in (L1, L2)):
        return ""
    if _same(values[L1], values[L2]):
        return "No L1 cache?"
    if MAIN in values and _same(values[L2], values[MAIN]):
        return "No L2 cache?"
    return ""


def _columns() -> list[str]:
    return [name for sheet in SHEETS for name, _ in sheet.columns if name != "mhz"]


def _sheets(line: Line, cells: Mapping[str, str]) -> dict[str, dict[str, str]]:
    sheets = {
        sheet.name: {name: cells[name] for name, _ in sheet.columns if name != "mhz"}
        for sheet in SHEETS
    }
    if line.values.get(L1, 0) < 0:
        sheets["memory"] = dict.fromkeys((L1, L2, MAIN), ABSENT)
    sheets["processes"]["mhz"] = f"{line.mhz:.0f}"
    sheets["memory"].update({"mhz": f"{int(line.mhz)}", GUESS: guess(line.values)})
    return sheets


def _absolute(line: Line) -> dict[str, str]:
    cells = {}
    for name in _columns():
        value = line.values.get(name)
        if value is None:
            cells[name] = ABSENT
        elif name in PROCESS_TIMES:
            cells[name] = f"{value / 1000:.0f}K"
        else:
            cells[name] = f"{value:.0f}"
    return cells


def _undoubted(line: Line) -> Line:
    doubted = {"No L1 cache?": L1, "No L2 cache?": L2}.get(guess(line.values))
    return replace(line, values={n: value for n, value in line.values.items() if n != doubted})


def _best(every: Sequence[Values], name: str) -> float:
    """Returns the best of a column, a negative latency as the least; 0 for an empty column."""
    measured = [values[name] for values in every if values.get(name)]
    return (max if name in RATES else min)(measured, default=0.0)


def _relative(name: str, value: float | None, best: float) -> str:
    if not value:
        return UNKNOWN
    if value == best:
        return f"*{value / 1024:.1f}K" if name in PROCESS_TIMES else f"*{int(value)}"
    if name in RATES:
        return f"{int(value / best * 100)}%"
    factor = value / best
    return f"{factor:.1f}" if factor < 10 else f"{factor:.0f}"


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(a, b)
