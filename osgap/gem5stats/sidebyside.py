# SPDX-License-Identifier: BSD-3-Clause
"""Compares two trees of gem5's statistics: each statistic of both, and their ratio."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from pathlib import Path

import pandas as pd

from osgap.gem5stats.aliases import counterparts
from osgap.gem5stats.files import stem
from osgap.gem5stats.textrow import Number
from osgap.gem5stats.tree import SelectedDump, Tree, View, check, read

COLUMNS = ("file", "dump", "statistic", "unit", "a", "b", "ratio")
COMPARED = (
    r"^sim(Seconds|Ticks|Insts)$"
    r"|(?<!Stats\d)\.(cpi|ipc|numCycles)$"
    r"|\.overall(Misses|MissRate)(::total)?$|\.m_demand_misses$"
    r"|\.(bytes(Read|Written)|bw(Read|Write|Total))::total$"
)
"""The statistics that are compared by default: time, instructions, CPI, misses, memory traffic.

They include the counts of each rate, because JSON has no formulas.
"""
_Dumps = Sequence[SelectedDump]
_Pair = tuple[SelectedDump | None, SelectedDump | None]
_Cell = str | int | float | None
_NAMED = 3
"""Statistics that a note names; it counts the others."""


@dataclass(frozen=True)
class SideBySide:
    """`table`: a row for each statistic of a pair of dumps, columns COLUMNS.

    file is the path in the first tree, or in the second if only that has it; dump its number there,
    from 0; statistic its name there; unit is gem5's, or None. a and b are in that unit, None if
    that side lacks the statistic, nan if gem5 printed that. ratio is b / a, None if undefined.

    `notes` has a sentence for each file or dump that only one tree has, for the statistics that
    only one has, and for those that stand beside one of another name; the table has its statistics
    with one side empty. `faults` has a sentence for each file of which something is left out.
    """

    table: pd.DataFrame
    notes: tuple[str, ...]
    faults: tuple[str, ...]


def side_by_side(a: Path, b: Path, select: str = COMPARED, view: View | None = None) -> SideBySide:
    """Compares the statistics of two trees whose names match the regular expression `select`.

    `tree.load` reads the files, and `view` chooses dumps of each. They match by their paths in the
    trees, then by those without .txt, .json, .gz and .xz; two trees of one file each always match.
    Dumps match by number; a dump of JSON, which is the last that gem5 wrote, matches the last one;
    statistics match as `aliases.counterparts` says. Raises OsgapError as `tree.load` does, but only
    if no tree has a statistic that matches.
    """
    left, right = read(a, select, view=view), read(b, select, view=view)
    check(f"{a}, {b}", select, left, right)
    pair = paired(a, b, left, right)
    notes = (*left.notes, *right.notes, *pair.notes)
    return SideBySide(pair.table, notes, left.faults + right.faults)


def paired(a: Path, b: Path, first_tree: Tree, second_tree: Tree) -> SideBySide:
    """Compares two trees, read from `a` and `b`, as `side_by_side` does; without their faults."""
    rows: list[list[_Cell]] = []
    notes: list[str] = []
    pairs: dict[str, str] = {}
    for left, right in _files(first_tree, second_tree):
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
            names = counterparts(*((dump.values if dump else ()) for dump in (first, second)))
            rows += _rows(first, second, names)
            if first and second:
                pairs |= names
                for dump, matched, holder, other in (
                    (first, set(names), a, b),
                    (second, set(names.values()), b, a),
                ):
                    lacking = [name for name in dump.values if name not in matched]
                    if lacking:
                        notes.append(_alone(holder, other, dump, lacking))
    table = pd.DataFrame(rows, columns=list(COLUMNS), dtype=object)
    return SideBySide(table, (*notes, *_renamed(pairs)), ())


def dump_pairs(a: Tree, b: Tree) -> Iterator[_Pair]:
    """Yields the dumps that `side_by_side` compares; None where one tree lacks a dump."""
    return (pair for left, right in _files(a, b) for pair in _dumps(left, right))


def _alone(holder: Path, other: Path, dump: SelectedDump, names: Sequence[str]) -> str:
    """Returns a sentence about the statistics `names` of a dump that the other dump lacks."""
    return f"{holder}: {dump.file}: dump {dump.dump}: not in {other}: {listed(names)}"


def _renamed(pairs: Mapping[str, str]) -> Iterator[str]:
    """Yields a sentence about the statistics that have two names."""
    names = [f"{left} and {right}" for left, right in pairs.items() if left != right]
    if names:
        yield f"compared under two names: {listed(names)}"


def listed(names: Sequence[str]) -> str:
    """Returns the first names, and the number of the others."""
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


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
    free = {stem(Path(name)): name for name in right if name not in pairs.values()}
    for name in left:
        if name not in pairs and stem(Path(name)) in free:
            pairs[name] = free.pop(stem(Path(name)))
    for name, dumps in left.items():
        yield dumps, right.pop(pairs[name]) if name in pairs else ()
    yield from (((), dumps) for dumps in right.values())


def _by_file(tree: Tree) -> dict[str, _Dumps]:
    return {name: tuple(dumps) for name, dumps in groupby(tree.dumps, lambda dump: dump.file)}


def _dumps(left: _Dumps, right: _Dumps) -> Iterator[_Pair]:
    if left and right and (left[0].is_last or right[0].is_last):
        yield from ((dump, None) for dump in left[:-1])
        yield from ((None, dump) for dump in right[:-1])
        yield left[-1], right[-1]
    else:
        yield from zip_longest(left, right)


def _rows(
    a: SelectedDump | None, b: SelectedDump | None, pairs: Mapping[str, str]
) -> Iterator[list[_Cell]]:
    """Yields a row for each statistic: those of dump `a` in its order, then the others of `b`."""
    sides = [dump for dump in (a, b) if dump]
    matches = set(pairs.values())
    names = [(name, pairs.get(name)) for name in (a.values if a else ())]
    names += [(name, name) for name in (b.values if b else ()) if name not in matches]
    for name, other in names:
        left = a.values.get(name) if a else None
        right = b.values.get(other) if b and other else None
        units = [dump.units.get(key) for dump, key in ((a, name), (b, other)) if dump and key]
        unit = next((unit for unit in units if unit), None)
        yield [sides[0].file, sides[0].dump, name, unit, left, right, _ratio(left, right)]


def _ratio(a: Number | None, b: Number | None) -> float | None:
    if not a or b is None:
        return None
    ratio = float(b) / float(a)
    return ratio if math.isfinite(ratio) else None
