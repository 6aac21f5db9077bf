# SPDX-License-Identifier: BSD-3-Clause
"""Compares two trees of gem5's statistics: each statistic of both, and their ratio."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

import pandas as pd

from osgap.gem5stats.gem5text import Number
from osgap.gem5stats.tree import SelectedDump, Tree, load

COLUMNS = ("file", "dump", "statistic", "unit", "a", "b", "ratio")
COMPARED = (
    r"^sim(Seconds|Ticks|Insts)$"
    r"|(?<!Stats\d)\.(cpi|ipc|numCycles)$"
    r"|\.overall(Misses|MissRate)::total$"
    r"|\.(bytes(Read|Written)|bw(Read|Write|Total))::total$"
)
"""The statistics that are compared by default: time, instructions, CPI, misses, memory traffic.

They include the counts of each rate, because JSON has no formulas.
"""
_Dumps = Sequence[SelectedDump]
_Pair = tuple[SelectedDump | None, SelectedDump | None]
_Cell = str | int | float | None
_PACKED, _KINDS = ".xz", (".txt", ".json")


@dataclass(frozen=True)
class SideBySide:
    """`table`: a row for each statistic of a pair of dumps, columns COLUMNS.

    file is the path in the first tree, or in the second if only that has it; dump its number there,
    from 0; unit is gem5's, or None. a and b are in that unit, None if that side lacks the
    statistic, nan if gem5 printed that. ratio is b / a, None if undefined.

    `notes` has a sentence for each file or dump that only one tree has; the table has its
    statistics with one side empty. `faults` has a sentence for each file not read to its end.
    """

    table: pd.DataFrame
    notes: tuple[str, ...]
    faults: tuple[str, ...]


def side_by_side(a: Path, b: Path, select: str = COMPARED) -> SideBySide:
    """Compares the statistics of two trees whose names match the regular expression `select`.

    `tree.load` reads the files. They match by their paths in the trees, then by those without .txt,
    .json and .xz; two trees of one file each always match. Dumps match by number; a dump of JSON,
    which is the last that gem5 wrote, matches the last one. Raises OsgapError as `tree.load` does.
    """
    trees = load(a, select), load(b, select)
    rows: list[list[_Cell]] = []
    notes: list[str] = []
    for left, right in _files(*trees):
        if not left or not right:
            dumps, holder, other = (left, a, b) if left else (right, b, a)
            notes.append(f"{holder}: {dumps[0].file} has no counterpart in {other}")
        elif left[0].is_last != right[0].is_last:
            notes.append(_json_note(left[0], right[0]))
        for first, second in _dumps(left, right):
            if left and right and not (first and second):
                alone, holder = (first, a) if first else (second, b)
                assert alone is not None
                notes.append(f"{holder}: {alone.file}: dump {alone.dump} is in one tree alone")
            rows += _rows(first, second)
    table = pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
    return SideBySide(table, tuple(notes), trees[0].faults + trees[1].faults)


def _json_note(a: SelectedDump, b: SelectedDump) -> str:
    return (
        f"{a.file} and {b.file}: one is JSON, where averages over time, as tagsInUse, "
        "occupancies and avgRdQLen, are the value at the dump"
    )


def _files(a: Tree, b: Tree) -> Iterator[tuple[_Dumps, _Dumps]]:
    """Yields the dumps of each pair of files, in the first tree's order; () for a missing file."""
    left, right = _by_file(a), _by_file(b)
    pairs = {name: name for name in left if name in right}
    if len(left) == len(right) == 1:
        pairs = {next(iter(left)): next(iter(right))}
    free = {_stem(name): name for name in right if name not in pairs.values()}
    for name in left:
        if name not in pairs and _stem(name) in free:
            pairs[name] = free.pop(_stem(name))
    for name, dumps in left.items():
        yield dumps, right.pop(pairs[name]) if name in pairs else ()
    yield from (((), dumps) for dumps in right.values())


def _by_file(tree: Tree) -> dict[str, _Dumps]:
    return {name: tuple(dumps) for name, dumps in groupby(tree.dumps, lambda dump: dump.file)}


def _stem(name: str) -> str:
    name = name.removesuffix(_PACKED)
    return next((name.removesuffix(kind) for kind in _KINDS if name.endswith(kind)), name)


def _dumps(
    left: _Dumps, right: _Dumps
) -> Iterator[tuple[SelectedDump | None, SelectedDump | None]]:
    if left and right and (left[0].is_last or right[0].is_last):
        yield from ((dump, None) for dump in left[:-1])
        yield from ((None, dump) for dump in right[:-1])
        yield left[-1], right[-1]
    else:
        yield from zip_longest(left, right)


def _rows(a: SelectedDump | None, b: SelectedDump | None) -> Iterator[list[_Cell]]:
    """Yields a row for each statistic: those of dump `a` in its order, then the others of `b`."""
    sides = [dump for dump in (a, b) if dump]
    for name in dict.fromkeys(name for dump in sides for name in dump.values):
        unit = next((dump.units[name] for dump in sides if name in dump.units), None)
        left, right = (dump.values.get(name) if dump else None for dump in (a, b))
        yield [sides[0].file, sides[0].dump, name, unit, left, right, _ratio(left, right)]


def _ratio(a: Number | None, b: Number | None) -> float | None:
    if not a or b is None:
        return None
    ratio = float(b) / float(a)
    return ratio if math.isfinite(ratio) else None
