# SPDX-License-Identifier: BSD-3-Clause
"""Finds the declared tables of a run, and writes and reads tables as CSV files."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.inputs import Inputs
from osgap.analysis.table import Column, Table, by_name
from osgap.base import durable
from osgap.rundir.csvfile import read_table, write_table
from osgap.rundir.output import claim_part


@cache
def declared() -> Mapping[str, Table]:
    """Every table that a module in or below osgap/analysis declares, by name."""
    return tables_below(__package__)


def tables_below(package: str) -> Mapping[str, Table]:
    """Imports the modules in and below a package; their tables by name, in their order."""
    modules = pkgutil.walk_packages(import_module(package).__path__, f"{package}.")
    values = [value for module in modules for value in vars(import_module(module.name)).values()]
    tables = dict.fromkeys(value for value in values if isinstance(value, Table))
    return by_name(sorted(tables, key=lambda table: (table.order, table.name)))


@cache
def declared_columns() -> Mapping[str, Column]:
    """The first declaration of each column in a table of runs, by name."""
    columns = [column for table in declared().values() for column in table.columns]
    return {column.name: column for column in reversed(columns)}


@cache
def run_tables() -> Mapping[str, Table]:
    """The tables that every run has, or has where they have rows, by name."""
    return {name: table for name, table in declared().items() if table.make is not None}


class LazyTables(Mapping[str, pd.DataFrame]):
    """A run's tables, computed when they are read; without `absent` ones that have no rows.

    Raises ResultsError for a run without a finished point.
    """

    def __init__(self, data: Inputs) -> None:
        self._data = data
        self._frames = {"samples": data.samples}

    def __getitem__(self, name: str) -> pd.DataFrame:
        table = run_tables()[name]
        if name not in self._frames and table.make is not None:
            self._frames[name] = table.make(self._data)
        if table.absent and self._frames[name].empty:
            raise KeyError(name)
        return self._frames[name]

    def __iter__(self) -> Iterator[str]:
        return (name for name, table in run_tables().items() if not table.absent or name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def write_tables(tables: Tables, directory: Path) -> list[Path]:
    """Writes each table as directory/NAME.csv. Raises OsgapError for other files' directory."""
    claim_part(directory)
    durable.clear_leftovers(directory)
    files = [directory / f"{name}.csv" for name in tables]
    for file, frame in zip(files, tables.values(), strict=True):
        write_table(frame, file)
    return files


def read_tables(
    directory: Path, names: Iterable[str], more: Iterable[Table] = ()
) -> dict[str, pd.DataFrame]:
    """Reads tables with the types of osgap.analysis or `more`. Raises ResultsError."""
    tables = {**declared(), **by_name(more)}
    frames = {}
    for name in names:
        file = directory / f"{name}.csv"
        frame = read_table(file)
        frames[name] = tables[name].typed(frame, file) if name in tables else frame
    return frames
