# SPDX-License-Identifier: BSD-3-Clause
"""Prints statistics as gem5's text printer does (src/base/stats/text.cc), in any version and mode.

Each method appends the lines, and to `expected` each name with the value that the lines give it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Printer:
    """`units`: version 21 and later; with `desc` False 21.0 printed some all the same."""

    desc: bool = True
    spaces: bool = True
    units: bool = True
    no_value: str = "nan"
    lines: list[str] = field(default_factory=list)
    expected: list[tuple[str, float]] = field(default_factory=list)

    def scalar(
        self,
        name: str,
        value: float,
        text: str = "",
        unit: str = "",
        shares: Sequence[float] = (),
        precision: int = -1,
    ) -> None:
        """Appends one row."""
        cell = self._cell(value, shares, precision)
        self.lines.append(f"{name:<{40 * self.spaces}} {cell}{self._comment(text, unit)}")
        self.expected.append((name, self._value(value, precision)))

    def one_line(
        self, name: str, values: Sequence[float], shares: bool, text: str, unit: str
    ) -> None:
        """Appends one row of several values, each behind a bar."""
        cells = "".join(" |" + self._cell(value, (0.25, 1.0) if shares else ()) for value in values)
        self.lines.append(f"{name:<{40 * self.spaces}}{cells}{self._comment(text, unit)}")
        self.expected += [(name, self._value(value)) for value in values]

    def vector(
        self, name: str, values: Sequence[float], entries: Sequence[str], text: str, unit: str
    ) -> None:
        """Appends a row for each value, with its shares, and the total."""
        if len(values) == 1:
            self.scalar(name, values[0], text, unit)
            return
        total, sum_ = sum(values), 0.0
        for entry, value in zip(entries, values, strict=True):
            sum_ += value
            shares = (value / total, sum_ / total) if total and math.isfinite(total) else ()
            self.scalar(f"{name}::{entry}", value, text, unit, shares)
        self.scalar(f"{name}::total", total, text, unit)

    def distribution(
        self, name: str, counts: Sequence[int], low: int, size: int, text: str, unit: str
    ) -> None:
        """Appends a distribution with what lies below and above its buckets."""
        total = sum(counts) + 2
        self.scalar(f"{name}::samples", total, text, unit)
        self.scalar(f"{name}::mean", math.nan, text, unit)
        self.scalar(f"{name}::stdev", 1.5, text, unit)
        self.scalar(f"{name}::underflows", 1, text, unit, (1 / total, 1 / total))
        for index, count in enumerate(counts):
            first = low + index * size
            bucket = f"{first:g}-{first + size - 1:g}" if size > 1 else f"{first:g}"
            self.scalar(f"{name}::{bucket}", count, text, unit, (count / total, 0.5))
        self.scalar(f"{name}::overflows", 1, text, unit, (1 / total, 1.0))
        self.scalar(f"{name}::min_value", -5, text, unit)
        self.scalar(f"{name}::max_value", 1e30, text, unit)
        self.scalar(f"{name}::total", total, text, unit)

    def dump(self, message: str = "") -> str:
        """Returns the lines as a dump."""
        said = f" : {message}" if message else ""
        begin = f"\n---------- Begin Simulation Statistics{said} ----------\n"
        rows = "".join(f"{line}\n" for line in self.lines)
        return f"{begin}{rows}\n---------- End Simulation Statistics   ----------\n"

    def _comment(self, text: str, unit: str) -> str:
        described = f" # {text}" if self.desc and text else ""
        return described + (f" ({unit})" if self.units and unit else "")

    def _cell(self, value: float, shares: Sequence[float], precision: int = -1) -> str:
        printed = f"{self._number(value, precision):>{12 * self.spaces}}"
        for share in (*shares, None, None)[:2]:
            word = "" if share is None else f"{share * 100:.2f}%"
            if self.spaces or word:
                printed += f" {word:>{10 * self.spaces}}"
        return printed

    def _number(self, value: float, precision: int) -> str:
        if math.isnan(value):
            return self.no_value
        if math.isinf(value):
            return str(value)
        digits = precision if precision >= 0 else 0 if value == round(value) else 6
        return f"{value:.{digits}f}"

    def _value(self, value: float, precision: int = -1) -> float:
        number = self._number(value, precision)
        return math.nan if number == self.no_value else float(number)
