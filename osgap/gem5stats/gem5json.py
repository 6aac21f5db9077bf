# SPDX-License-Identifier: BSD-3-Clause
"""Parses gem5's JSON statistics (`--stats-file=json://stats.json`) into the rows of stats.txt.

The format is that of gem5's writer (src/python/m5: stats/gem5stats.py, ext/pystats): nested objects
of the configuration, which contain statistics with a `type`. A file holds only the last dump. JSON
lacks the flags of a statistic. So rows that the text leaves out as zero are present, and every
vector has a `::total`, which the text has only by a flag.

Versions 21.0 to 23.0 write no SimObject but Group, a Vector's entries beside its type, and a
Distribution's counts as a list. Version 25.1 writes groups of an object too.
"""

import math
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted, quoted
from osgap.gem5stats import opening
from osgap.gem5stats.cutjson import DEEPEST, CutList, CutObject, parse_before_damage
from osgap.gem5stats.distribution import distribution
from osgap.gem5stats.gem5text import Dump
from osgap.gem5stats.textrow import Number, StatCell, StatLine

MARK = b'"simulated_begin_time"'
"""A key at the top of gem5's statistics, and of no other file that gem5 writes."""
HEAD = 1 << 16
"""Bytes at the beginning of a file to search for MARK: gem5 has it in the first 200."""
MOST_VALUES = 1 << 24
"""Most objects, lists and commas of a file. One core has about 130,000."""
MOST_ROWS = 1_000_000
"""Most rows of a dump. One core and its caches have about 20,000."""
LONGEST_NAME = 1000
_GROUPS = (None, "SimObject", "Group")
_FINITE_FIGURES = ("min", "max", "bin_size", "sum", "sum_squared")
_UNINITIALISED_FIGURES = ("underflow", "overflow", "logs")
"""Figures of a distribution that gem5 may leave uninitialised."""
_NAMED = 3
"""Faults that an error describes; it counts the others."""
_Rows = dict[str, StatLine]
_Table = Mapping[str, Any]


class JsonStatsError(OsgapError):
    """A file of JSON statistics is cut short, or is not in gem5's format."""


def is_statistics(head: bytes) -> bool:
    """Returns True if `head`, the first HEAD bytes of a file, begins gem5's JSON statistics."""
    return MARK in head and head.lstrip()[:1] == b"{"


def read_dumps(path: Path) -> Iterator[Dump]:
    """Yields the one dump of a file of gem5's JSON statistics in any form that `opening` reads.

    Raises JsonStatsError for another file, and after the dump for statistics that it lacks because
    they cannot be read.
    """
    content, damage = opening.content(path, inputs.LARGEST + 1)
    if len(content) > inputs.LARGEST:
        raise JsonStatsError(f"{path}: cannot be read: {inputs.too_large(path, inputs.LARGEST)}")
    if damage and not content:
        raise JsonStatsError(f"{path}: {damage}")
    yield from parse(content, str(path), damage)


def parse(content: bytes, file: str, damage: str = "") -> Iterator[Dump]:
    """Yields the dump of a text, which errors call `file`. Raises as `read_dumps`.

    Of a text that breaks off, for which `damage` may have the reason, what stands before is read.
    """
    if sum(content.count(mark) for mark in (b"{", b"[", b",")) > MOST_VALUES:
        raise JsonStatsError(f"{file}: has more than {MOST_VALUES} values, the most that are read")
    if not content.strip():
        raise JsonStatsError(f"{file}: is empty, so not readable as JSON")
    data, cut = parse_before_damage(opening.utf8(content), file)
    if not isinstance(data, dict) or "simulated_begin_time" not in data:
        fault = "no such key" if isinstance(data, dict) else f"found {_quoted_kind(data)}"
        missing = f"{file}: simulated_begin_time: {fault}; allowed: gem5's statistics"
        raise JsonStatsError(cut or missing)
    reader = _JsonReader()
    reader.group("", data, 0)
    yield Dump((*_simulated_seconds(reader.rows), *reader.rows.values()))
    faults = [f"{file}: {damage}" if damage else "", f"{cut}; read until there" if cut else ""]
    if reader.faults:
        statistics = counted(reader.count, "statistic")
        more = reader.count - len(reader.faults)
        rest = f"; and {more} more" if more else ""
        sentences = "; ".join(reader.faults) + rest
        faults.append(f"{file}: {statistics} cannot be read, left out: {sentences}")
    if any(faults):
        raise JsonStatsError("; ".join(filter(None, faults)))


class _JsonReader:
    """Collects the rows of a file, in its order, and the first of `count` faults."""

    def __init__(self) -> None:
        self.rows: _Rows = {}
        self.faults: list[str] = []
        self.count = 0

    def group(self, place: str, table: _Table, depth: int) -> None:
        """Collects the statistics of a configuration object and of the objects in it."""
        if depth > DEEPEST:
            raise self._fault(place, f"found more objects in each other; allowed: {DEEPEST}")
        for key, value in table.items():
            name = f"{place}.{key}" if place else key
            try:
                if isinstance(value, dict):
                    self._any(name, value, depth)
                elif isinstance(value, list):
                    self._objects(name, value, depth + 1)
            except JsonStatsError as error:
                self.count += 1
                if len(self.faults) < _NAMED:
                    self.faults.append(str(error))

    def _any(self, name: str, table: _Table, depth: int) -> None:
        self._check_name(name)
        kind = table.get("type")
        if isinstance(table, CutObject) and not _keeps_parts(table):
            return
        # The expected statistics of gem5's own tests (trusted_stats) have values without a type.
        if kind == "Scalar" or (kind is None and isinstance(table.get("value"), int | float)):
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
        else:
            raise self._fault(name, f"type: found {_quoted_kind(kind)}, an unknown type")

    def _objects(self, name: str, value: object, depth: int) -> None:
        """Collects the objects of a list, numbered as in the text if there are several."""
        if not isinstance(value, list):
            raise self._fault(name, f"value: found {_quoted_kind(value)}; allowed: a list")
        if isinstance(value, CutList) and len(value) < 2:
            return  # Whether its objects are numbered is unknown.
        for index, element in enumerate(value):
            element_name = f"{name}{index}" if len(value) > 1 else name
            self.group("", {element_name: element}, depth)

    def _vector(self, name: str, table: _Table, *, sparse: bool = False) -> float:
        """Collects a vector's entries and their sum; a single entry has the vector's name."""
        entries = self._entries(name, table)
        values = {
            key: self._number(f"{name}::{key}", entry, "value") for key, entry in entries.items()
        }
        total = sum(values.values())
        unit = {"unit": _first_unit(entries), **table}
        if len(values) == 1 and not sparse:
            self._row(name, total, unit)
            return total
        if sparse:
            self._row(f"{name}::samples", total, unit)
        for key, value in values.items():
            self._row(f"{name}::{_short(key) if sparse else key}", value, entries[key])
        if not sparse:
            self._row(f"{name}::total", total, unit, replace=False)
        return total

    def _matrix(self, name: str, table: _Table) -> None:
        """Collects rows `name_x::y`. gem5's writer numbers x and y, even if they have names."""
        total, first, lines = 0.0, None, self._entries(name, table)
        description = {"description": table.get("description")}
        for x, line in lines.items():
            entries = self._entries(f"{name}_{x}", line)
            values = [
                self._number(f"{name}_{x}::{y}", entry, "value") for y, entry in entries.items()
            ]
            for (y, entry), value in zip(entries.items(), values, strict=True):
                first = first or entry
                self._row(f"{name}_{x}::{y}", value, {**entry, **description})
            if len(values) > 1:
                self._row(f"{name}_{x}::total", sum(values), {**entries[y], **description})
            total += sum(values)
        if len(lines) > 1 and first:
            self._row(f"{name}::total", total, {**first, **description})

    def _distribution(self, name: str, table: _Table) -> None:
        value = table.get("value")
        if isinstance(value, list):  # of numbers, in versions before 23.1
            table = {**table, "value": {str(i): {"value": count} for i, count in enumerate(value)}}
        entries = self._entries(name, table)
        counts = [self._number(name, entry, "value") for entry in entries.values()]
        keys = (*_FINITE_FIGURES, *_UNINITIALISED_FIGURES)
        figures = {key: self._number(name, table, key) for key in keys}
        for key, value in {**figures, "counts": sum(counts)}.items():
            if not math.isfinite(value) and key not in _UNINITIALISED_FIGURES:
                raise self._fault(name, f"{key}: found {value}; allowed: a finite number")
        unit = _first_unit(entries)
        for part, value in distribution(counts, figures).items():
            self._row(f"{name}::{part}", value, {"unit": unit, **table})

    def _entries(self, name: str, table: _Table) -> dict[str, _Table]:
        if "value" not in table and table.get("type") == "Vector":  # in versions before 23.1
            return {key: entry for key, entry in table.items() if isinstance(entry, dict)}
        value = table.get("value")
        if not isinstance(value, dict) or not all(isinstance(v, dict) for v in value.values()):
            text = _quoted_kind(value)
            raise self._fault(name, f"value: found {text}; allowed: an object of entries")
        return value

    def _number(self, name: str, table: _Table, key: str) -> float:
        value = table.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._fault(name, f"{key}: found {_quoted_kind(value)}; allowed: a number")
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise self._fault(name, f"{key}: found {quoted(value)}; allowed: a 64-bit number")
        return float(value)

    def _row(self, name: str, value: float, table: _Table, *, replace: bool = True) -> None:
        self._check_name(name)
        if len(self.rows) >= MOST_ROWS:
            raise self._fault(name, f"found more rows; allowed: {MOST_ROWS}")
        if replace or name not in self.rows:
            self.rows[name] = StatLine(name, (StatCell(plain(value)),), _description(table))

    def _check_name(self, name: str) -> None:
        """Raises JsonStatsError for a long name, before it becomes a part of other names."""
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise self._fault(name, f"is no name; allowed: {LONGEST_NAME} plain characters")

    def _fault(self, name: str, text: str) -> JsonStatsError:
        return JsonStatsError(f"{quoted(name)}: {text}")


def _keeps_parts(table: CutObject) -> bool:
    """Returns True for an object whose parts have their names and values without the rest of it."""
    kind = table.get("type")
    if kind == "SimObjectVector":
        return "value" in table
    return isinstance(kind, dict) or (kind is not None and kind in _GROUPS)


def plain(value: float) -> Number:
    """Returns `value` as an integer if it is whole, as the text prints it."""
    return int(value) if math.isfinite(value) and value.is_integer() else value


def _description(table: _Table) -> str:
    text, unit = table.get("description"), table.get("unit")
    parts = (text if isinstance(text, str) else "", f"({unit})" if isinstance(unit, str) else "")
    return " ".join(" ".join(parts).split())


def _quoted_kind(value: object) -> str:
    """Returns `value` as errors quote it; an object or a list by its kind alone."""
    kinds: dict[type, str] = {dict: "an object", list: "a list", type(None): "null"}
    return kinds.get(type(value)) or quoted(value)


def _first_unit(entries: Mapping[str, _Table]) -> object:
    return next((entry.get("unit") for entry in entries.values()), None)


def _short(key: str) -> str:
    """Returns a bucket of a sparse histogram, 3.0, as the text names it, 3."""
    try:
        return f"{float(key):g}"
    except ValueError:
        return key


def _simulated_seconds(rows: _Rows) -> Iterator[StatLine]:
    """Yields the row simSeconds by the formula of src/sim/root.cc: JSON has no formulas."""
    ticks, frequency = (rows.get(name) for name in ("simTicks", "simFreq"))
    if ticks and frequency and frequency.value and "simSeconds" not in rows:
        seconds = plain(ticks.value / frequency.value)
        yield StatLine("simSeconds", (StatCell(seconds),), "Number of seconds simulated (Second)")
