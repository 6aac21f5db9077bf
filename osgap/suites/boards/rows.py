# SPDX-License-Identifier: BSD-3-Clause
"""The rows of results/reference/boards.toml, each with what was measured of its board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from osgap.analysis.reference import load_reference
from osgap.base.config import ConfigError, read_model
from osgap.base.frozen import Frozen
from osgap.base.paths import project_root
from osgap.base.quoting import counted, quoted
from osgap.suites.boards.measured import Measured, MeasuredValues
from osgap.suites.boards.units import UNITS

ROWS_FILE, VALUES_FILE = "boards", "board_values"
SYSTEM, USER = "system", "user"
PREDICTION, HELD_BACK, SOURCE = "prediction", "held_back", "source"
Kind = Literal["user", "system"]
Role = Literal["prediction", "held_back", "source"]
_Word = Annotated[str, StringConstraints(min_length=1)]
_Benchmark = Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+/[a-z0-9_]+$")]


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _as_terms(value: object) -> object:
    return {value: 1.0} if isinstance(value, str) else value


_OneOrMore = Annotated[tuple[_Word, ...], BeforeValidator(_as_list), Field(min_length=1)]


class RowEntry(Frozen):
    """A [[row]] of boards.toml; the file's head says what the keys mean."""

    board: _OneOrMore
    name: _Word
    metric: _OneOrMore
    os: str = ""
    benchmark: Annotated[
        Mapping[_Benchmark, float], BeforeValidator(_as_terms), Field(min_length=1)
    ]
    fs: str = ""
    operations: Annotated[float, Field(gt=0)] = 1.0
    kind: Kind
    role: Role
    image: str = ""
    comparable: bool
    why: str = ""
    note: str = ""
    program: _Word

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.comparable and not self.why:
            raise ValueError("comparable: found false; allowed: with why")
        if (self.kind == SYSTEM) != (self.role == PREDICTION):
            raise ValueError(
                f"role: found {self.role} of a {self.kind} row; allowed: prediction of a system "
                "row, held_back or source of a user row"
            )
        return self


class UnpredictedEntry(Frozen):
    """An [[unpredicted]] entry of boards.toml: metrics without a benchmark, and why."""

    board: _OneOrMore
    kind: Kind
    metrics: _OneOrMore
    why: _Word


class _BoardFile(Frozen):
    row: tuple[RowEntry, ...]
    unpredicted: tuple[UnpredictedEntry, ...] = ()


@dataclass(frozen=True)
class BoardRow:
    """One comparison on one board; `terms` are the benchmarks that predict it, with factors."""

    board: str
    name: str
    metrics: tuple[str, ...]
    kind: str
    role: str
    comparable: bool
    why: str
    measured: Measured
    terms: Mapping[str, float]
    fs: str = ""
    operations: float = 1.0
    image: str = ""
    note: str = ""
    program: str = ""

    @property
    def benchmark(self) -> str:
        """The benchmarks as a text: SUITE/NAME, or several with their factors."""
        if list(self.terms.values()) == [1.0]:
            return next(iter(self.terms))
        parts = [f"{factor:+g} x {name}" for name, factor in self.terms.items()]
        return " ".join(parts).removeprefix("+")

    def counts_on(self, image: str) -> bool:
        """Returns whether the row counts in runs of the image variants of the group `image`."""
        return self.comparable and self.image in ("", image)


def load_rows(directory: Path | None = None) -> list[BoardRow]:
    """The rows of boards.toml in results/reference or in `directory`, in its order.

    Raises ConfigError, also for a row whose metric has no value in board_values.csv.
    """
    folder = directory or project_root() / "results" / "reference"
    path = folder / f"{ROWS_FILE}.toml"
    file = read_model(path, _BoardFile)
    values = MeasuredValues(load_reference(VALUES_FILE, folder), folder / f"{VALUES_FILE}.csv")
    rows = [
        _row(entry, board, values, f"{path}: row {quoted(entry.name)} of {board}")
        for entry in file.row
        for board in entry.board
    ]
    rows += [
        _unpredicted(entry, board, metric, values, f"{path}: unpredicted {metric} of {board}")
        for entry in file.unpredicted
        for board in entry.board
        for metric in entry.metrics
    ]
    names: set[tuple[str, str]] = set()
    for row in rows:
        if (row.board, row.name) in names:
            raise ConfigError(f"{path}: row {quoted(row.name)} of {row.board}: is there twice")
        names.add((row.board, row.name))
    return rows


def boards_of(rows: Sequence[BoardRow]) -> list[str]:
    """The boards, each once, in the rows' order."""
    return list(dict.fromkeys(row.board for row in rows))


def _row(entry: RowEntry, board: str, values: MeasuredValues, where: str) -> BoardRow:
    measured = values.measured(board, entry.metric, entry.os, where)
    if measured.unit not in UNITS:
        raise ConfigError(
            f"{where}: metric: found the unit {quoted(measured.unit)}; allowed: {', '.join(UNITS)}"
        )
    is_one = list(entry.benchmark.values()) == [1.0]
    if UNITS[measured.unit].is_rate and not (is_one and len(entry.metric) == 1):
        raise ConfigError(
            f"{where}: found {counted(len(entry.benchmark), 'benchmark')} and "
            f"{counted(len(entry.metric), 'metric')} of a rate; allowed: one of each, without a "
            "factor"
        )
    return BoardRow(
        board,
        entry.name,
        entry.metric,
        entry.kind,
        entry.role,
        entry.comparable,
        entry.why,
        measured,
        dict(entry.benchmark),
        entry.fs,
        entry.operations,
        entry.image,
        entry.note,
        entry.program,
    )


def _unpredicted(
    entry: UnpredictedEntry, board: str, metric: str, values: MeasuredValues, where: str
) -> BoardRow:
    measured = values.measured(board, (metric,), "", where)
    return BoardRow(board, metric, (metric,), entry.kind, "", False, entry.why, measured, {})
