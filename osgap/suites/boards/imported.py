# SPDX-License-Identifier: BSD-3-Clause
"""Another program's values of a real board beside the simulated one, by the rows of boards.toml."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.columns import text
from osgap.analysis.table import Table
from osgap.rundir.csvfile import Column, parse_csv
from osgap.rundir.files import finished_points
from osgap.suites.boards.measured import MeasuredValues
from osgap.suites.boards.rows import BoardRow
from osgap.suites.boards.simulated import SimulatedBoard
from osgap.suites.boards.tables import BOARD, BOARD_NAME, board_table

VALUES_FILE = "values.csv"
"""The file of an imported run's point with all values of the other program's output."""
VALUE_COLUMNS: tuple[Column, ...] = (
    ("metric", str),
    ("value", float),
    ("unit", str),
    ("label", str),
    ("benchmark", str),
    ("note", str),
)
"""Its columns: the metric as in board_values.csv, and the text's own label of it. `benchmark` is
ours that is the same operation; without one `note` says why."""
IMPORTED = Table(
    "board_imported",
    "rows of a board with the values of an imported run in place of the published ones",
    (
        BOARD_NAME,
        text("run", "the imported run's directory"),
        *(column for column in BOARD.columns if column.name != BOARD_NAME.name),
    ),
)


def imported_table(
    board: str,
    rows: Sequence[BoardRow],
    runs: Sequence[AnalysedRun],
    simulated: Sequence[SimulatedBoard],
) -> pd.DataFrame:
    """The rows of `board` whose metrics an imported run has, with its values (IMPORTED).

    Runs of osgap native have none. Raises ResultsError or ConfigError for a damaged file of values.
    """
    return IMPORTED.frame(row for run in runs for row in _table_rows(board, rows, run, simulated))


def _table_rows(
    board: str, rows: Sequence[BoardRow], run: AnalysedRun, simulated: Sequence[SimulatedBoard]
) -> Iterator[dict[str, Any]]:
    of_run = [row for row in rows if row.board == board and row.terms]
    table = board_table(list(_with_values(of_run, run)), simulated)
    for record in table.to_dict("records"):
        yield {"run": str(run.path), **{str(name): value for name, value in record.items()}}


def _with_values(rows: Sequence[BoardRow], run: AnalysedRun) -> Iterator[BoardRow]:
    """Those of `rows` whose metrics the run has in the row's unit, with the run's values."""
    for key, files in finished_points(run.path, run.run.keys):
        if VALUES_FILE not in files:
            continue
        path = files.path / VALUES_FILE
        frame = parse_csv(files.read(VALUES_FILE), VALUE_COLUMNS, path)
        units = dict(zip(frame["metric"], frame["unit"], strict=True))
        names = {"board": run.machine, "machine": run.machine, "os": "", "source": key}
        values = MeasuredValues(frame.assign(**names), path)
        for row in rows:
            if all(units.get(metric) == row.measured.unit for metric in row.metrics):
                measured = values.measured(run.machine, row.metrics, "", str(path))
                yield replace(row, measured=measured)
