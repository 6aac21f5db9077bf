# SPDX-License-Identifier: BSD-3-Clause
"""gem5's JSON statistics (`--stats-file=json://stats.json`), as the rows of its stats.txt.

The layout is that of gem5's own writer (src/python/m5: stats/gem5stats.py, ext/pystats): objects of
the configuration in each other, and in them statistics with a `type`. A file holds one dump: gem5
writes it anew at each, so that the last one stays. Flags are not in it. So rows that the text
leaves out as zero are there, and every vector gets its `::total`, which the text has where a flag
asks for it.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from osgap.base import packed
from osgap.base.config import parse_json
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.gem5stats.distribution import distribution
from osgap.gem5stats.gem5text import Cell, Dump, Number, StatLine

MARK = b'"simulated_begin_time"'
"""A key at the top of every file of gem5's, and of no other file that gem5 writes."""
HEAD = 1 << 16
"""Bytes at the beginning of a file among which MARK stands: gem5 has it in the first 200."""
MOST_VALUES = 1 << 24
"""Of a file: its objects, lists and commas. One core has about 130,000 of them."""
MOST_ROWS = 1_000_000
"""Of a dump. One core and its caches have about 20,000."""
LONGEST_NAME = 1000
DEEPEST = 100
"""Objects in each other. gem5's configurations have about ten."""
_GROUPS = (None, "SimObject")
_Rows = dict[str, StatLine]
_Table = Mapping[str, Any]


class JsonStatsError(OsgapError):
    """A file of gem5's JSON statistics that is cut short, or holds what gem5 does not write."""


def is_statistics(head: bytes) -> bool:
    """Whether a file that begins with `head` (HEAD bytes of it) is one of JSON statistics."""
    return MARK in head and head.lstrip()[:1] == b"{"


def read_dumps(path: Path) -> Iterator[Dump]:
    """Yield the one dump of a file of gem5's JSON statistics, plain or .xz by its suffix.

    Raises JsonStatsError, naming the file and what was found, for what is no such file, and after
    the dump for statistics of a type that is not known, which the dump lacks.
    """
    try:
        content = packed.read_bytes(path)
    except packed.DAMAGE as error:
        told = error.strerror if isinstance(error, OSError) else f"damage ({error})"
        raise JsonStatsError(f"{path}: cannot be read: {told}") from None
    except OSError as error:
        raise JsonStatsError(f"{path}: cannot be read: {error.strerror}") from None
    yield from parse(content, str(path))


def parse(content: bytes, file: str) -> Iterator[Dump]:
    """Yield the dump of a text; `file` is the name that errors give. Raises as `read_dumps`."""
    if sum(content.count(mark) for mark in (b"{", b"[", b",")) > MOST_VALUES:
        raise JsonStatsError(f"{file}: has more than {MOST_VALUES} values, the most that are read")
    data = parse_json(content, file, not_finite=True)
    if not isinstance(data, dict) or "simulated_begin_time" not in data:
        told = "no such key" if isinstance(data, dict) else f"found {_shown(data)}"
        raise JsonStatsError(f"{file}: simulated_begin_time: {told}; allowed: gem5's statistics")
    reader = _Reader(file)
    reader.group("", data, 0)
    yield Dump((*_simulated_seconds(reader.rows), *reader.rows.values()))
    if reader.unknown:
        raise JsonStatsError(f"{file}: {reader.unknown}; they are left out")


class _Reader:
    """Collects the rows of a file, in its order. Its methods raise JsonStatsError."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.rows: _Rows = {}
        self.unknown = ""

    def group(self, place: str, table: _Table, depth: int) -> None:
        """The statistics of an object of the configuration, and of those in it."""
        if depth > DEEPEST:
            raise self._fault(place, f"found more objects in each other; allowed: {DEEPEST}")
        for key, value in table.items():
            if isinstance(value, dict):
                self._any(f"{place}.{key}" if place else key, value, depth)

    def _any(self, name: str, table: _Table, depth: int) -> None:
        self._check_name(name)
        kind = table.get("type")
        if kind == "Scalar":
            self._row(name, self._number(name, table, "value"), table)
        elif kind in ("Vector", "SparseHist"):
            self._vector(name, table, sparse=kind == "SparseHist")
        elif kind == "Vector2d":
            self._matrix(name, table)
        elif kind == "Distribution":
            self._distribution(name, table)
        elif kind == "SimObjectVector":
            self._objects(name, table.get("value"), depth + 1)
        elif kind in _GROUPS or isinstance(kind, dict):
            self.group(name, table, depth + 1)
        elif not self.unknown:
            self.unknown = f"{name}: type: found {_shown(kind)}, statistics of an unknown type"

    def _objects(self, name: str, value: object, depth: int) -> None:
        """Objects in a list: numbered, as in the text, where there are several."""
        if not isinstance(value, list):
            raise self._fault(name, f"value: found {_shown(value)}; allowed: a list")
        for at, one in enumerate(value):
            own = f"{name}{at}" if len(value) > 1 else name
            if isinstance(one, dict):
                self._any(own, one, depth)

    def _vector(self, name: str, table: _Table, *, sparse: bool = False) -> float:
        """Its entries and their sum; a vector of one entry is a row of its own name."""
        entries = self._entries(name, table)
        values = {key: self._number(f"{name}::{key}", one, "value") for key, one in entries.items()}
        total = sum(values.values())
        unit = {"unit": next((one.get("unit") for one in entries.values()), None), **table}
        if len(values) == 1 and not sparse:
            self._row(name, total, unit)
            return total
        if sparse:
            self._row(f"{name}::samples", total, unit)
        for key, value in values.items():
            self._row(f"{name}::{_short(key) if sparse else key}", value, entries[key])
        if not sparse:
            self._row(f"{name}::total", total, unit, over=False)
        return total

    def _matrix(self, name: str, table: _Table) -> None:
        """Rows of `name_x::y`. gem5's writer numbers x and y, also where they have names."""
        total, first, lines = 0.0, None, self._entries(name, table)
        for x, line in lines.items():
            entries = self._entries(f"{name}_{x}", line)
            values = [self._number(f"{name}_{x}::{y}", one, "value") for y, one in entries.items()]
            for (y, one), value in zip(entries.items(), values, strict=True):
                first = first or one
                self._row(f"{name}_{x}::{y}", value, {**one, "description": None, **_told(table)})
            if len(values) > 1:
                self._row(f"{name}_{x}::total", sum(values), {**entries[y], **_told(table)})
            total += sum(values)
        if len(lines) > 1 and first:
            self._row(f"{name}::total", total, {**first, **_told(table)})

    def _distribution(self, name: str, table: _Table) -> None:
        entries = self._entries(name, table)
        counts = [self._number(name, one, "value") for one in entries.values()]
        figures = {
            key: self._number(name, table, key)
            for key in (
                "min",
                "max",
                "bin_size",
                "sum",
                "sum_squared",
                "underflow",
                "overflow",
                "logs",
            )
        }
        for key, value in {**figures, "counts": sum(counts)}.items():
            # What gem5 leaves uninitialised may be anything.
            if not math.isfinite(value) and key not in ("underflow", "overflow", "logs"):
                raise self._fault(name, f"{key}: found {value}; allowed: a finite number")
        unit = next((one.get("unit") for one in entries.values()), None)
        for part, value in distribution(counts, figures).items():
            self._row(f"{name}::{part}", value, {"unit": unit, **table})

    def _entries(self, name: str, table: _Table) -> dict[str, _Table]:
        value = table.get("value")
        if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
            raise self._fault(name, f"value: found {_shown(value)}; allowed: an object of entries")
        return value

    def _number(self, name: str, table: _Table, key: str) -> float:
        value = table.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._fault(name, f"{key}: found {_shown(value)}; allowed: a number")
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise self._fault(name, f"{key}: found {quoted(value)}; allowed: a 64-bit number")
        return float(value)

    def _row(self, name: str, value: float, table: _Table, *, over: bool = True) -> None:
        self._check_name(name)
        if len(self.rows) >= MOST_ROWS:
            raise self._fault(name, f"found more rows; allowed: {MOST_ROWS}")
        if over or name not in self.rows:
            self.rows[name] = StatLine(name, (Cell(plain(value)),), _description(table))

    def _check_name(self, name: str) -> None:
        """Before it is a part of other names, so that they stay as short."""
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise self._fault(name, f"is no name; allowed: {LONGEST_NAME} plain characters")

    def _fault(self, name: str, told: str) -> JsonStatsError:
        return JsonStatsError(f"{self._file}: {quoted(name)}: {told}")


def plain(value: float) -> Number:
    """An integer where it is one, as the text prints it."""
    return int(value) if math.isfinite(value) and value.is_integer() else value


def _description(table: _Table) -> str:
    words, unit = table.get("description"), table.get("unit")
    both = (words if isinstance(words, str) else "", f"({unit})" if isinstance(unit, str) else "")
    return " ".join(" ".join(both).split())


def _shown(value: object) -> str:
    """As `found`; of what may be long or deep, no more than its kind."""
    kinds: dict[type, str] = {dict: "an object", list: "a list", type(None): "null"}
    return kinds.get(type(value)) or quoted(value)


def _told(table: _Table) -> dict[str, object]:
    return {"description": table.get("description")}


def _short(key: str) -> str:
    """A bucket of a sparse histogram, 3.0, as the text calls it, 3."""
    try:
        return f"{float(key):g}"
    except ValueError:
        return key


def _simulated_seconds(rows: _Rows) -> Iterator[StatLine]:
    """gem5 has this one by the formula of src/sim/root.cc, and JSON has no formulas."""
    ticks, frequency = (rows.get(name) for name in ("simTicks", "simFreq"))
    if ticks and frequency and frequency.value and "simSeconds" not in rows:
        seconds = plain(ticks.value / frequency.value)
        yield StatLine("simSeconds", (Cell(seconds),), "Number of seconds simulated (Second)")
