# SPDX-License-Identifier: BSD-3-Clause
"""The output of another benchmark program: what it tells of a machine, and its values."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted, shortened

LARGEST = 4 << 20
"""Characters of a text; the longest published ones have a tenth."""
LONGEST_LINE = 2000
"""Characters of a line that are looked at."""
_LARGEST_VALUE = 1e15
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{0,12})?|\.\d{1,12}")
_LONGEST_FACT = 120
_WORDS = re.compile(r"[^a-z0-9]+")


class ProgramTextError(OsgapError):
    """A text that is not a program's output, or not the whole of it."""


@dataclass(frozen=True)
class Reading:
    """A value above 0 in `unit`: its metric, as in board_values.csv, and the text's own label."""

    metric: str
    value: float
    unit: str
    label: str


@dataclass(frozen=True)
class TextSubject:
    """The measured machine, as far as a text tells of it; "" and 0 for the rest.

    `is_clock_measured`: the program measured the clock. `memory_mib` is the memory's size.
    """

    program: str
    processor: str = ""
    architecture: str = ""
    board: str = ""
    kernel: str = ""
    cores: int = 0
    clock_mhz: float = 0.0
    is_clock_measured: bool = False
    memory_mib: int = 0
    date: str = ""


@dataclass(frozen=True)
class ProgramText:
    """A parsed output: the machine, and the values in the text's order, repeats among them."""

    subject: TextSubject
    readings: tuple[Reading, ...]


@dataclass
class Readings:
    """Collects the readings of a text, leaving out numbers that are not above 0."""

    rows: list[Reading] = field(default_factory=list)

    def add(self, metric: str, text: str, unit: str, label: str, factor: float = 1.0) -> None:
        """Adds `factor` times the number `text`."""
        value = number(text) * factor
        if 0 < value < _LARGEST_VALUE:
            self.rows.append(Reading(metric, value, unit, label))


def number(text: str) -> float:
    """The number, not negative, that a text is; NaN for another text."""
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def whole_number(text: str) -> int:
    """The whole number that a text of up to nine digits is; 0 for another text."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else 0


def fact(text: str) -> str:
    """A fact as one line of limited length."""
    return shortened(" ".join(text.split()), _LONGEST_FACT)


def metric_word(label: str) -> str:
    """The words of a label as a part of a metric's name: "Execl Throughput" execl_throughput."""
    return _WORDS.sub("_", label.lower()).strip("_")[:60] or "value"


def lines_of(text: str, where: str) -> list[str]:
    """The lines of a text with any ends of lines, each cut. Raises ProgramTextError if too long."""
    if len(text) > LARGEST:
        raise ProgramTextError(f"{where}: found {len(text)} characters; allowed: {LARGEST}")
    lines = re.sub(r"\r\n?", "\n", text.lstrip("\ufeff")).split("\n")
    return [line[:LONGEST_LINE].rstrip() for line in lines]


def first_line(lines: Iterable[str]) -> str:
    """The first line that is not empty, as errors quote it."""
    return quoted(next((line.strip() for line in lines if line.strip()), ""))


def foreign(where: str, lines: Iterable[str], allowed: str) -> ProgramTextError:
    """The error for a text of another program; `allowed` says how the right one begins."""
    return ProgramTextError(f"{where}: found {first_line(lines)} first; allowed: {allowed}")


def cut(where: str, lines: Sequence[str], allowed: str) -> ProgramTextError:
    """The error for a text without its end; `allowed` says how it ends."""
    last = first_line(reversed(lines))
    return ProgramTextError(
        f"{where}: is cut: found {last} as its last line; allowed: the whole output, {allowed}"
    )


def choice(names: Sequence[str], name: str | None, option: str, where: str) -> str:
    """The one of `names`, or `name` if it is among them. Raises ProgramTextError otherwise."""
    distinct = list(dict.fromkeys(names))
    if name is None and len(distinct) == 1:
        return distinct[0]
    if name is not None and name in distinct:
        return name
    chosen = "several" if name is None else quoted(name)
    allowed = " or ".join(f"{option} {each_name}" for each_name in distinct[:12])
    raise ProgramTextError(f"{where}: {option}: found {chosen}; allowed: {allowed}")
