# SPDX-License-Identifier: BSD-3-Clause
"""Finds the declared tables of a run, and writes and reads tables as CSV files."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import pandas as pd

import osgap.analysis.layouts
from osgap.analysis.analysed import Tables
from osgap.analysis.table import Table, by_name
from osgap.base import durable
from osgap.rundir.csvfile import read_table, write_table
from osgap.rundir.output import claim_part


@cache
def declared() -> Mapping[str, Table]:
    """Every table that a module of osgap/analysis or its folder layouts declares, by name."""
    packages = (osgap.analysis, osgap.analysis.layouts)
    tables = [table for package in packages for table in _tables_below(package)]
    return by_name(sorted(dict.fromkeys(tables), key=lambda table: (table.order, table.name)))


def run_tables() -> Mapping[str, Table]:
    """The tables that every run has, or has where they have rows, by name."""
    return {name: table for name, table in declared().items() if table.make is not None}


def _tables_below(package: ModuleType) -> Iterable[Table]:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if not module.ispkg:
            values = vars(importlib.import_module(module.name)).values()
            yield from (value for value in values if isinstance(value, Table))


def write_tables(tables: Tables, directory: Path) -> list[Path]:
    """Writes each table as directory/NAME.csv; equal tables give equal bytes.

    Raises TargetError where the directory belongs to other files.
    """
    claim_part(directory)
    durable.clear_leftovers(directory)
    files = [directory / f"{name}.csv" for name in tables]
    for file, frame in zip(files, tables.values(), strict=True):
        write_table(frame, file)
    return files


def read_tables(
    directory: Path, names: Iterable[str], more: Iterable[Table] = ()
) -> dict[str, pd.DataFrame]:
    """Reads tables back, with the types that osgap.analysis or `more` declares.

    Raises ResultsError for a table that is missing or malformed.
    """
    tables = {**declared(), **by_name(more)}
    frames = {}
    for name in names:
        file = directory / f"{name}.csv"
        frame = read_table(file)
        frames[name] = tables[name].typed(frame, file) if name in tables else frame
    return frames
