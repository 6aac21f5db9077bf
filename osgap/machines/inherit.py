# SPDX-License-Identifier: BSD-3-Clause
"""Files that extend others: `extends = "base"`, followed by the keys that differ.

The extended file is in the same folder or in the one above. Tables are merged key by key; a
figure, a table with a value and its source, replaces the other figure completely.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from osgap.base.config import ConfigError, Location, Model, known_files, read_toml, validate
from osgap.base.quoting import quoted
from osgap.base.suggestions import unknown

EXTENDS = "extends"
MACHINE_NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]*(/[A-Za-z0-9_][A-Za-z0-9_-]*)?$"
"""The pattern of names: files below configs/machines or configs/sweeps, in at most one folder."""
Table = Mapping[str, Any]


@dataclass(frozen=True)
class Part:
    """A file of a chain, and its content."""

    path: Path
    table: Table


@dataclass(frozen=True)
class Chain:
    """A file, the one that it extends, and so on; each has the keys `not_inherited` for itself."""

    parts: Sequence[Part]
    not_inherited: Sequence[str]

    def model(self, kind: type[Model]) -> Model:
        """The chain's keys as a model. Raises ConfigError, naming the file that has the fault."""
        return validate(self.merged(), kind, lambda location: str(self.file_of(location)))

    def merged(self) -> dict[str, Any]:
        """The chain as one table, in which the keys `not_inherited` are those of the first file."""
        (*_, last) = self.parts
        table: dict[str, Any] = dict(last.table)
        for part in reversed(self.parts[:-1]):
            inherited = {key: table[key] for key in table if key not in self.not_inherited}
            table = _merge(inherited, part.table)
        return table

    def file_of(self, location: Location) -> Path:
        """The file that has the key at `location`; the first one where none has it."""
        if location and location[0] in self.not_inherited:
            return self.parts[0].path
        depths = [_depth(part.table, location) for part in self.parts]
        return self.parts[depths.index(max(depths))].path


def read_chain(path: Path, kind: str, not_inherited: Sequence[str]) -> Chain:
    """The file at `path` and those that it extends. Raises ConfigError.

    Errors call such a file a `kind`. The keys `not_inherited` are not taken from extended files.
    """
    parts = [Part(path, read_toml(path))]
    while (name := parts[-1].table.get(EXTENDS)) is not None:
        following = _extended(parts[-1].path, name, kind)
        parts.append(Part(following, read_toml(following)))
        if following.resolve() in [part.path.resolve() for part in parts[:-1]]:
            circle = " extends ".join(str(part.path) for part in parts)
            raise ConfigError(
                f"{parts[-2].path}: {EXTENDS}: found {quoted(name)}; allowed: no circle: {circle}"
            )
    return Chain(tuple(parts), not_inherited)


def _extended(path: Path, name: object, kind: str) -> Path:
    if not isinstance(name, str) or not re.fullmatch(MACHINE_NAME, name):
        raise ConfigError(f"{path}: {EXTENDS}: found {quoted(name)}; allowed: the name of a {kind}")
    for folder in (path.parent, path.parent.parent):
        candidate = folder / f"{name}.toml"
        if candidate.is_file() and candidate != path:
            return candidate
    if (path.parent / f"{name}.toml") == path:
        raise ConfigError(
            f"{path}: {EXTENDS}: found {quoted(name)}; allowed: another file than this one"
        )
    raise ConfigError(f"{path}: {EXTENDS}: {unknown(kind, name, known_files(path)[1])}")


def _merge(under: Table, over: Table) -> dict[str, Any]:
    table = dict(under)
    for key, value in over.items():
        are_tables = isinstance(value, dict) and isinstance(table.get(key), dict)
        has_figure = are_tables and ("value" in value or "value" in table[key])
        table[key] = _merge(table[key], value) if are_tables and not has_figure else value
    return table


def _depth(table: object, location: Location) -> int:
    """The number of the location's keys that lead into `table`; all of them below a figure."""
    for depth, key in enumerate(location):
        if not isinstance(table, dict) or "value" in table:
            return len(location)
        if key not in table:
            return depth
        table = table[key]
    return len(location)
