# SPDX-License-Identifier: BSD-3-Clause
"""ministat's plot: stacks of letters, and below them a bar from mean - s to mean + s."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from osgap.analysis.ministat.compare import Sample, SampleError

WIDTH = 74
WIDEST = 10_000
LETTERS = "x+*%#@O"


def plot(samples: Sequence[Sample], width: int = WIDTH) -> list[str]:
    """The plot's lines. One sample or two; where both have a value the letter is `*`.

    All values, and each mean and what is s from it, lie within `width` columns. Debian's
    ministat cuts the first sample's stacks to the height of the second's; here they are whole.
    Raises SampleError for a width under 2 or over WIDEST.
    """
    if not 2 <= width <= WIDEST:
        raise SampleError(f"width: found {width}; allowed: 2 to {WIDEST}")
    low = min(min(s.values[0], s.mean - s.stddev) for s in samples)
    high = max(max(s.values[-1], s.mean + s.stddev) for s in samples)
    step = (high - low) / (width - 1) or 1.0

    def column(value: float) -> int:
        return min(max(int((value - low) / step + 0.5), 0), width - 1)

    edge = "+" + "-" * width + "+"
    stacks = [[column(value) for value in sample.values] for sample in samples]
    rows = [*_stacked(stacks, width), _bars(samples, column, width)]
    return [edge, *(f"|{row}|" for row in rows), edge]


def _stacked(stacks: Sequence[Sequence[int]], width: int) -> list[str]:
    """Rows from the top: the n-th value of a sample in a column stands n rows up."""
    cells: dict[tuple[int, int], int] = {}
    for index, columns in enumerate(stacks):
        for column in set(columns):
            for row in range(columns.count(column)):
                cells[row, column] = cells.get((row, column), 0) | (1 << index)
    height = 1 + max(row for row, _ in cells)
    letters = " " + LETTERS
    return [
        "".join(letters[cells.get((row, column), 0)] for column in range(width))
        for row in reversed(range(height))
    ]


def _bars(samples: Sequence[Sample], column: Callable[[float], int], width: int) -> str:
    """One line of bars; a later sample's marks are drawn over an earlier one's."""
    line = [" "] * width
    for sample in samples:
        left, right = column(sample.mean - sample.stddev), column(sample.mean + sample.stddev)
        line[left : right + 1] = [mark.replace(" ", "_") for mark in line[left : right + 1]]
        line[left] = line[right] = "|"
        line[column(sample.median)] = "M"
        line[column(sample.mean)] = "A"
    return "".join(line)
