# SPDX-License-Identifier: BSD-3-Clause
"""Matches metrics of other programs to benchmarks of ours that are the same operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, StringConstraints

from osgap.base.config import ConfigError, read_model
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root
from osgap.suites.boards.rows import BoardRow, load_rows

_FILE = "imports"
_Word = Annotated[str, StringConstraints(min_length=1)]
_UNKNOWN = "no benchmark of ours is known to be the same operation"
_SPREAD = "its processes may have run on several cores, and ours share one (see --one-core)"
_COPIES = "of several copies at once"


class _MatchedRow(Frozen):
    metric: _Word
    benchmark: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")]
    operations: Annotated[float, Field(gt=0)] = 1.0
    note: str = ""


class _UnmatchedEntry(Frozen):
    metrics: tuple[_Word, ...]
    why: _Word


class _MatchFile(Frozen):
    one_core: tuple[_Word, ...] = ()
    row: tuple[_MatchedRow, ...] = ()
    unmatched: tuple[_UnmatchedEntry, ...] = ()


@dataclass(frozen=True)
class Match:
    """The benchmark SUITE/NAME of a metric, or "" with the reason; `why` is else a note.

    `operations` is how many of the benchmark's operations the metric's one is.
    """

    benchmark: str
    why: str
    operations: float = 1.0


@dataclass(frozen=True)
class Matches:
    """The matches of all metrics that are known; `one_core` are those of two processes."""

    by_metric: Mapping[str, Match]
    one_core: frozenset[str]

    def of(self, metric: str, *, is_one_core: bool) -> Match:
        """The match of `metric`, measured on one core or perhaps on several."""
        match = self.by_metric.get(metric)
        if match is None:
            # UnixBench's values of several copies end in _xN.
            base = metric.rpartition("_x")[0]
            return Match("", _COPIES if base in self.by_metric else _UNKNOWN)
        if match.benchmark and metric in self.one_core and not is_one_core:
            return Match("", _SPREAD)
        return match


def load_matches(directory: Path | None = None) -> Matches:
    """The matches of boards.toml and imports.toml in results/reference or in `directory`.

    Raises ConfigError.
    """
    folder = directory or project_root() / "results" / "reference"
    path = folder / f"{_FILE}.toml"
    file = read_model(path, _MatchFile)
    further: dict[str, Match] = {}
    entries = [(row.metric, Match(row.benchmark, row.note, row.operations)) for row in file.row]
    entries += [
        (metric, Match("", entry.why)) for entry in file.unmatched for metric in entry.metrics
    ]
    for metric, match in entries:
        if metric in further:
            raise ConfigError(f"{path}: {metric}: is there twice")
        further[metric] = match
    return Matches({**_of_boards(load_rows(folder)), **further}, frozenset(file.one_core))


def _of_boards(rows: Sequence[BoardRow]) -> dict[str, Match]:
    """The match of each metric: by its first row that counts, else the reason of its first row."""
    by_metric: dict[str, Match] = {}
    for row in sorted(rows, key=lambda row: not (row.comparable and _is_single(row))):
        for metric in row.metrics:
            by_metric.setdefault(metric, _match(row))
    return by_metric


def _is_single(row: BoardRow) -> bool:
    """True if one benchmark alone predicts one metric alone."""
    return len(row.metrics) == 1 and list(row.terms.values()) == [1.0]


def _match(row: BoardRow) -> Match:
    if not row.comparable:
        return Match("", row.why)
    if not _is_single(row):
        parts = "" if len(row.metrics) == 1 else f"{' + '.join(row.metrics)} is "
        return Match("", f"of several benchmarks: {parts}{row.benchmark}")
    # Its note may be of the board.
    return Match(row.benchmark, "", row.operations)
