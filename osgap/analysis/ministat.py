# SPDX-License-Identifier: BSD-3-Clause
"""Compares samples as FreeBSD's ministat(1) does: statistics, Student's t with a pooled s, a plot.

Source of the method: FreeBSD's usr.bin/ministat manual page (P.-H. Kamp); the distribution is
SciPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median_high, stdev

from osgap.analysis import student
from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted, quoted

LEAST = 3
LARGEST = 1e150
"""The largest allowed value: the square of a larger one may overflow."""
# ministat's table of Student's t has three decimals, which the sixth printed digit shows.
_T_DECIMALS = 3


@dataclass(frozen=True)
class ValueSample:
    """Values in ascending order, in the caller's unit."""

    name: str
    values: tuple[float, ...]

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def stddev(self) -> float:
        """The sample's standard deviation, with n - 1."""
        return stdev(self.values)


@dataclass(frozen=True)
class MeanDifference:
    """The second sample's mean less the first's, in its unit and in per cent of the first's."""

    difference: float
    error: float
    percent: float
    percent_error: float
    pooled_s: float
    confidence: float

    @property
    def proven(self) -> bool:
        """True if the difference exceeds its error."""
        return abs(self.difference) > self.error


def make_sample(name: str, values: Iterable[float]) -> ValueSample:
    """A sample of three or more values of at most LARGEST. Raises OsgapError."""
    ordered = tuple(sorted(values))
    if len(ordered) < LEAST:
        raise OsgapError(
            f"{name}: found {counted(len(ordered), 'value')}; allowed: {LEAST} or more"
        )
    strange = [value for value in ordered if not abs(value) <= LARGEST]
    if strange:
        raise OsgapError(f"{name}: found {strange[0]:g}; allowed: finite, to {LARGEST:g}")
    return ValueSample(name, ordered)


def difference(first: ValueSample, second: ValueSample, confidence: float = 95.0) -> MeanDifference:
    """second - first with its error at `confidence`, 0 to 100 per cent. Raises OsgapError."""
    if not 0 < confidence < 100:
        raise OsgapError(f"confidence: found {confidence:g}; allowed: between 0 and 100 per cent")
    freedom = first.n + second.n - 2
    t = round(student.quantile(freedom, 0.5 + confidence / 200), _T_DECIMALS)
    pooled = math.sqrt(
        ((first.n - 1) * first.stddev**2 + (second.n - 1) * second.stddev**2) / freedom
    )
    error = t * pooled * math.sqrt(1 / first.n + 1 / second.n)
    apart = second.mean - first.mean
    scale = 100 / first.mean if first.mean else math.nan
    return MeanDifference(apart, error, apart * scale, error * scale, pooled, confidence)


WIDTH = 74
WIDEST = 10_000
LETTERS = "x+*%#@O"


def plot(samples: Sequence[ValueSample], width: int = WIDTH) -> list[str]:
    """The lines of the plot of one sample or two; where both have a value the letter is `*`.

    A bar below shows each mean and the range of one s around it. Debian's ministat cuts the first
    sample's stacks to the height of the second's. Raises OsgapError for a width out of range.
    """
    if not 2 <= width <= WIDEST:
        raise OsgapError(f"width: found {width}; allowed: 2 to {WIDEST}")
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
    """Rows from the top: the n-th value of a sample in a column is n rows up."""
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


def _bars(samples: Sequence[ValueSample], column: Callable[[float], int], width: int) -> str:
    """One line of bars; a later sample's marks are drawn over an earlier one's."""
    line = [" "] * width
    for sample in samples:
        left, right = column(sample.mean - sample.stddev), column(sample.mean + sample.stddev)
        line[left : right + 1] = [mark.replace(" ", "_") for mark in line[left : right + 1]]
        line[left] = line[right] = "|"
        line[column(median_high(sample.values))] = "M"
        line[column(sample.mean)] = "A"
    return "".join(line)


_HEADING = "    N           Min           Max        Median           Avg        Stddev"


def report(
    samples: Sequence[ValueSample], confidence: float = 95.0, width: int = WIDTH, graph: bool = True
) -> list[str]:
    """Legend, plot, statistics of one or two samples and their difference. Raises OsgapError."""
    if not 1 <= len(samples) <= 2:
        raise OsgapError(f"samples: found {len(samples)}; allowed: 1 or 2")
    lines = [f"{letter} {sample.name}" for letter, sample in zip(LETTERS, samples, strict=False)]
    if graph:
        lines += plot(samples, width)
    lines.append(_HEADING)
    lines += [vitals(letter, s) for letter, s in zip(LETTERS, samples, strict=False)]
    if len(samples) == 2:
        lines += verdict(samples[0], samples[1], confidence)
    return lines


def vitals(letter: str, sample: ValueSample) -> str:
    """One line of N, minimum, maximum, median, mean and standard deviation."""
    values = sample.values
    figures = (values[0], values[-1], median_high(values), sample.mean, sample.stddev)
    return f"{letter} {sample.n:3d}" + "".join(f" {figure:13.8g}" for figure in figures)


def verdict(first: ValueSample, second: ValueSample, confidence: float) -> list[str]:
    """The difference with its error, or the sentence that none is proven."""
    apart = difference(first, second, confidence)
    if not apart.proven:
        return [f"No difference proven at {confidence:.1f}% confidence"]
    return [
        f"Difference at {confidence:.1f}% confidence",
        f"\t{apart.difference:g} +/- {apart.error:g}",
        f"\t{apart.percent:g}% +/- {apart.percent_error:g}%",
        f"\t(Student's t, pooled s = {apart.pooled_s:g})",
    ]


def read_values(path: Path, column: int = 1) -> list[float]:
    """The numbers in a column (from 1) of a text file's lines; `#` begins a comment.

    Raises OsgapError for a line without a number there, OSError for a missing file.
    """
    if column < 1:
        raise OsgapError(f"column: found {column}; allowed: 1 or more")
    values = []
    text = _text(path)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) < column:
            raise OsgapError(
                f"{path}:{number}: found {counted(len(words), 'column')}; allowed: {column}"
            )
        values.append(_number(words[column - 1], path, number))
    return values


def _text(path: Path) -> str:
    """The text of a file, of standard input (`-`), or of a pipe from the shell, <(command)."""
    try:
        file = Path("/dev/stdin") if path == Path("-") else path
        return inputs.read_text(file, errors="replace", handed=True)
    except inputs.TextError as error:
        raise OsgapError(f"{path}: {error}") from None


def _number(word: str, path: Path, line: int) -> float:
    try:
        return float(word)
    except ValueError:
        raise OsgapError(f"{path}:{line}: found {quoted(word)}; allowed: a number") from None
