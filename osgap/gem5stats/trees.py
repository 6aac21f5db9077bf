# SPDX-License-Identifier: BSD-3-Clause
"""Compares any number of trees of gem5's statistics, each with its base.

Parameters of a tree, such as the size of a cache, are read from its path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.gem5stats import files
from osgap.gem5stats.sidebyside import listed, paired
from osgap.gem5stats.tree import Tree, View, check, pattern, read

COLUMNS = ("tree", "file", "dump", "statistic", "unit", "value", "base", "ratio")
"""The columns of `normalised`; those of the parameters follow the first."""
_DERIVED = {"seconds", "instructions", "cycles", "ipc", "cpi", "speedup", "base_seconds"}
_RESERVED = {*COLUMNS, *_DERIVED, "ns_per_instruction"}
Parameters = Mapping[str, str]


@dataclass(frozen=True)
class RunTree:
    """One tree of several: its path, the parameters in the path, and its dumps."""

    path: Path
    parameters: Parameters
    tree: Tree


def load_trees(
    paths: Sequence[Path], select: str, names: str | None = None, view: View | None = None
) -> tuple[list[RunTree], list[str]]:
    """Reads trees as `tree.read` does; also returns their notes, and one about paths left out.

    With the regular expression `names`, whose named groups are the parameters, or with one path,
    each directory with statistics is a tree. Raises OsgapError if no tree has a statistic.
    """
    expanded = names is not None or len(paths) == 1
    folders = [folder for path in paths for folder in (_folders(path) if expanded else [path])]
    parameters = [_parameters(path, names) for path in folders]
    trees = [
        RunTree(path, values, read(path, select, nested=not expanded, view=view))
        for path, values in zip(folders, parameters, strict=True)
        if values is not None
    ]
    unmatched = [
        str(path) for path, values in zip(folders, parameters, strict=True) if values is None
    ]
    if not trees:
        raise OsgapError(f"--names: {quoted(names)} does not match {listed(unmatched)}")
    check(", ".join(map(str, paths)), select, *(run.tree for run in trees))
    notes = [note for run in trees for note in run.tree.notes]
    if unmatched:
        notes.append(f"left out, because --names does not match: {listed(unmatched)}")
    return trees, list(dict.fromkeys(notes))


def _folders(path: Path) -> list[Path]:
    folders = [path] if path.is_file() else files.folders(path)
    if not folders:
        raise OsgapError(f"{path}: holds no file called like stats.txt or stats.json")
    return folders


def _parameters(path: Path, names: str | None) -> Parameters | None:
    """Returns the parameters in a path; None if `names` does not match."""
    if names is None:
        return {}
    expression = pattern("--names", names)
    if not expression.groupindex:
        raise OsgapError(f"--names: found {quoted(names)}; allowed: named groups, (?P<l2>[0-9]+)")
    if clash := expression.groupindex.keys() & _RESERVED:
        raise OsgapError(f"--names: found a group {min(clash)}; allowed: a name of no other column")
    match = expression.search(str(path))
    return match and match.groupdict("")


def base_values(words: Sequence[str], parameters: Sequence[Parameters]) -> Parameters:
    """Returns the words KEY=VALUE of --base as values by key. Raises OsgapError for others."""
    base = {}
    for word in words:
        key, sign, value = word.partition("=")
        values = dict.fromkeys(tree[key] for tree in parameters if key in tree)
        if not sign or not values:
            keys = ", ".join(f"{key}=VALUE" for key in parameters[0])
            raise OsgapError(f"--base: found {quoted(word)}; allowed: {keys}")
        if value not in values:
            raise OsgapError(f"--base: {key}: found {quoted(value)}; allowed: {', '.join(values)}")
        base[key] = value
    return base


def bases(parameters: Sequence[Parameters], base: Parameters) -> list[int | None]:
    """Returns for each tree the place of its base, None if there is none.

    The base is the first tree; with values in `base`, the tree that has them and equals this tree
    in all other parameters. Raises OsgapError if there are two.
    """
    if not base:
        return [0] * len(parameters)
    places: dict[frozenset[tuple[str, str]], int] = {}
    for place, values in enumerate(parameters):
        if base.items() <= values.items() and places.setdefault(_key(values), place) != place:
            raise OsgapError(f"--names: two trees have {described(values)}; allowed: one base each")
    return [places.get(_key({**values, **base})) for values in parameters]


def described(parameters: Parameters) -> str:
    """Returns parameters as "KEY=VALUE, KEY=VALUE"."""
    return ", ".join(f"{key}={value}" for key, value in parameters.items())


def _key(parameters: Parameters) -> frozenset[tuple[str, str]]:
    return frozenset(parameters.items())


def normalised(
    trees: Sequence[RunTree], places: Sequence[int | None]
) -> tuple[pd.DataFrame, list[str]]:
    """Returns a row for each statistic of each tree, and sentences about what is left out.

    Dumps and statistics match those of the base as in `sidebyside`, and have the base's names.
    ratio is value / base.
    """
    rows: list[list[object]] = []
    notes: list[str] = []
    for run, place in zip(trees, places, strict=True):
        base = RunTree(run.path, {}, Tree((), ())) if place is None else trees[place]
        pair = paired(base.path, run.path, base.tree, run.tree)
        notes += () if place is None else pair.notes
        for *key, a, b, ratio in pair.table.itertuples(index=False):
            rows.append([str(run.path), *run.parameters.values(), *key, b, a, ratio])
    if alone := [str(run.path) for run, place in zip(trees, places, strict=True) if place is None]:
        notes.append(f"without a ratio, because no tree is the base: {listed(alone)}")
    columns = [COLUMNS[0], *trees[0].parameters, *COLUMNS[1:]]
    return pd.DataFrame(rows, columns=columns, dtype=object), list(dict.fromkeys(notes))
