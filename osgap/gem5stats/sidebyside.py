# SPDX-License-Identifier: BSD-3-Clause
"""Two trees of gem5's statistics side by side: each statistic of both, and their ratio."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

import pandas as pd

from osgap.gem5stats.gem5text import Number
from osgap.gem5stats.tree import Placed, Tree, load

COLUMNS = ("file", "dump", "statistic", "unit", "a", "b", "ratio")
COMPARED = (
    r"^sim(Seconds|Ticks|Insts)$"
    r"|(?<!Stats\d)\.(cpi|ipc|numCycles)$"
    r"|\.overall(Misses|MissRate)::total$"
    r"|\.(bytes(Read|Written)|bw(Read|Write|Total))::total$"
)
"""The statistics that are compared when none are chosen: time, instructions, CPI, misses, memory.

JSON has no formulas, so that the counts behind a rate are among them.
"""
_Dumps = Sequence[Placed]
_Cell = str | int | float | None
_PACKED, _KINDS = ".xz", (".txt", ".json")


@dataclass(frozen=True)
class SideBySide:
    """`table`: a row a statistic of a pair of dumps, columns COLUMNS.

    file is its path in the first tree, or in the second where only that has it; dump its number
    there, from 0; unit as gem5 calls it, or None. a and b are in that unit; None where that side
    lacks the statistic, nan where gem5 says so. ratio is b / a, None where it is not defined.

    `notes` has a sentence for each file or dump that only one tree has, whose statistics are in the
    table with one side empty. `faults` has one for each file that was not read to its end.
    """

    table: pd.DataFrame
    notes: tuple[str, ...]
    faults: tuple[str, ...]


def side_by_side(a: Path, b: Path, select: str = COMPARED) -> SideBySide:
    """The statistics of two trees whose names the regular expression `select` finds.

    Files are those that `tree.load` reads. They match by their paths in the trees, then by those
    without .txt, .json and .xz; two trees of one file each match whatever it is called. Dumps match
    by number; one of JSON, which is the last that was written, matches the last one. Raises
    OsgapError as `tree.load` does for either tree.
    """
    trees = load(a, select), load(b, select)
    rows: list[list[_Cell]] = []
    notes: list[str] = []
    for left, right in _files(*trees):
        if not left or not right:
            one, holder, other = (left, a, b) if left else (right, b, a)
            notes.append(f"{holder}: {one[0].file} has no counterpart in {other}")
        elif left[0].is_last != right[0].is_last:
            notes.append(_unlike(left[0], right[0]))
        for first, second in _dumps(left, right):
            if left and right and not (first and second):
                alone, holder = (first, a) if first else (second, b)
                assert alone is not None
                notes.append(f"{holder}: {alone.file}: dump {alone.dump} is in one tree alone")
            rows += _rows(first, second)
    table = pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
    return SideBySide(table, tuple(notes), trees[0].faults + trees[1].faults)


def _unlike(one: Placed, other: Placed) -> str:
    return (
        f"{one.file} and {other.file}: one is JSON, where averages over time, as tagsInUse, "
        "occupancies and avgRdQLen, are the value at the dump"
    )


def _files(a: Tree, b: Tree) -> Iterator[tuple[_Dumps, _Dumps]]:
    """The dumps of each pair of files, in the order of the first tree; () for one that lacks it."""
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
    return {name: tuple(dumps) for name, dumps in groupby(tree.dumps, lambda one: one.file)}


def _stem(name: str) -> str:
    name = name.removesuffix(_PACKED)
    return next((name.removesuffix(kind) for kind in _KINDS if name.endswith(kind)), name)


def _dumps(left: _Dumps, right: _Dumps) -> Iterator[tuple[Placed | None, Placed | None]]:
    both = (left, right)
    if left and right and any(dumps[0].is_last for dumps in both):
        yield from ((one, None) for one in left[:-1])
        yield from ((None, one) for one in right[:-1])
        yield left[-1], right[-1]
    else:
        yield from zip_longest(left, right)


def _rows(a: Placed | None, b: Placed | None) -> Iterator[list[_Cell]]:
    """A row a statistic: those of the first dump in its order, then those of the second alone."""
    sides = [one for one in (a, b) if one]
    for name in dict.fromkeys(name for one in sides for name in one.values):
        unit = next((one.units[name] for one in sides if name in one.units), None)
        left, right = (one.values.get(name) if one else None for one in (a, b))
        yield [sides[0].file, sides[0].dump, name, unit, left, right, _ratio(left, right)]


def _ratio(a: Number | None, b: Number | None) -> float | None:
    if not a or b is None:
        return None
    ratio = float(b) / float(a)
    return ratio if math.isfinite(ratio) else None
