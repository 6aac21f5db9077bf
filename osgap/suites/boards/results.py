# SPDX-License-Identifier: BSD-3-Clause
"""Makes every table of the boards, by default from the committed runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.table import by_name
from osgap.base.paths import project_root
from osgap.base.progress import say
from osgap.base.quoting import quoted
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs
from osgap.suites.boards.imported import IMPORTED, imported_table
from osgap.suites.boards.native import NATIVE, native_table
from osgap.suites.boards.pairs import PAIRS, pairs_table
from osgap.suites.boards.rows import BoardRow, boards_of
from osgap.suites.boards.simulated import FOLDER, board_of, simulated_boards
from osgap.suites.boards.summary import ALL, SUMMARY, summary_table
from osgap.suites.boards.tables import BOARD, BOARD_ROWS, board_table, rows_table

TABLES = by_name([BOARD, SUMMARY, PAIRS, BOARD_ROWS, NATIVE, IMPORTED])
"""The tables of `osgap board`, by name."""
OF_RUNS = (BOARD.name, SUMMARY.name, PAIRS.name)


def committed_folder() -> Path:
    """Returns the folder of the committed runs of boards, which need not be there."""
    return project_root() / "results" / "locked" / "boards"


def board_runs(paths: Sequence[Path], boards: Sequence[str]) -> list[AnalysedRun]:
    """The runs of `boards` in and below `paths`, or of the committed ones without any.

    Runs of other machines are left out, each with a line. Raises ResultsError without any run.
    """
    folder = committed_folder()
    if not paths and not folder.is_dir():
        raise ResultsError(f"{folder}: there are no committed runs of boards; allowed: give a RUN")
    runs = load_runs(paths or [folder])
    of_boards = [run for run in runs if board_of(run) in boards]
    for run in runs:
        if run not in of_boards:
            say(f"Left out: {run.path}, of {run.machine} on {run.engine}")
    if not of_boards:
        names = ", ".join(f"{FOLDER}{name}" for name in boards)
        raise ResultsError(
            f"{runs[0].path}: found a run of {quoted(runs[0].machine)} on {runs[0].engine}; "
            f"allowed: a simulated run of {names}"
        )
    return of_boards


def rows_of(rows: Sequence[BoardRow], board: str) -> list[BoardRow]:
    """The rows of one board, or of all. Raises ResultsError for a board without rows."""
    boards = boards_of(rows)
    if board not in (ALL, *boards):
        raise ResultsError(f"board: found {quoted(board)}; allowed: {', '.join(boards)}, or {ALL}")
    return [row for row in rows if board in (ALL, row.board)]


def board_tables(
    rows: Sequence[BoardRow],
    runs: Sequence[AnalysedRun],
    measured: Sequence[AnalysedRun] = (),
) -> dict[str, pd.DataFrame]:
    """Every table of the rows' boards, by name; of the one board's runs `measured` two more.

    These are NATIVE and IMPORTED. Raises ResultsError where runs contradict each other or the rows.
    """
    boards = boards_of(rows)
    simulated = simulated_boards(runs, boards)
    pairs = pairs_table(rows, simulated)
    tables = {
        BOARD.name: board_table(rows, simulated),
        SUMMARY.name: summary_table(rows, simulated, pairs),
        PAIRS.name: pairs,
        BOARD_ROWS.name: rows_table(rows),
    }
    if measured:
        imported = imported_table(boards[0], rows, measured, simulated)
        alone = {Path(path) for path in imported["run"]}
        tables[NATIVE.name] = native_table(boards[0], measured, simulated, alone)
        tables[IMPORTED.name] = imported
    return tables
