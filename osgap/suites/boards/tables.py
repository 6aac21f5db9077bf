# SPDX-License-Identifier: BSD-3-Clause
"""The tables of boards: every row with its measured value, and with what was predicted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, count, ends, flag, text
from osgap.analysis.layouts.spread import Spread
from osgap.analysis.relative import NAN
from osgap.analysis.table import Column, Table
from osgap.suites.boards.rows import BoardRow
from osgap.suites.boards.simulated import SimulatedBoard
from osgap.suites.boards.units import time_ns, unit_of, value_of

BOARD_NAME = text("board", "the board: the name of its file in configs/machines/boards")
ROW = text("row", "the row's name in results/reference/boards.toml")
KIND = text("kind", "user, or system: the operating system takes part")
ROLE = text(
    "role",
    "prediction; held_back: of user code, and no machine file uses it; source: a machine file is "
    "made from it",
)
COMPARABLE = flag("comparable", "whether both programs time the same operation")
IMAGE = text("image", "the image variant without its layout, such as distro")
UNIT = text("unit", "the unit of measured and predicted values")
WHY = text("why", "why the row is not comparable, else what to know of it")
_MEASURED = (
    Column("measured", "the board's value; of several their geometric mean", "unit"),
    Column("measured_low", "the least value of the board, of all its systems", "unit"),
    Column("measured_high", "its largest value", "unit"),
    count("values", "values of the board"),
)
_ROW_COLUMNS = (BOARD_NAME, ROW, KIND, ROLE, COMPARABLE)
BENCHMARKS = text("benchmark", "the benchmarks that predict it, with factors if there are several")
RATIO = (
    Column("ratio", "predicted by measured time; of rates measured by predicted"),
    *ends("ratio_", "its 95 % interval over layouts; the measured value has none"),
)
BOARD = Table(
    "board",
    "every row of the boards that a benchmark predicts: measured, and predicted on each engine",
    (
        *_ROW_COLUMNS,
        flag("counted", "whether it counts: comparable, with the row's image, and predicted"),
        UNIT,
        *_MEASURED,
        ENGINE,
        IMAGE,
        BENCHMARKS,
        count("layouts", "layouts of the image"),
        Column("predicted", "the geometric mean over layouts", "unit"),
        *ends("predicted_", "its 95 % interval over layouts", "unit"),
        *RATIO,
        WHY,
    ),
)
BOARD_ROWS = Table(
    "board_rows",
    "every measured value of the boards: which benchmark predicts it, and whether it is comparable",
    (
        *_ROW_COLUMNS,
        text("needs", "the image variant whose runs count; empty for all"),
        UNIT,
        *_MEASURED,
        BENCHMARKS,
        text("program", "what the published program times"),
        WHY,
    ),
)


def rows_table(rows: Sequence[BoardRow]) -> pd.DataFrame:
    """One row for each comparison on each board (BOARD_ROWS)."""
    return BOARD_ROWS.frame(
        {
            **_described(row),
            "needs": row.image,
            "benchmark": row.benchmark,
            "program": row.program,
        }
        for row in rows
    )


def board_table(rows: Sequence[BoardRow], boards: Sequence[SimulatedBoard]) -> pd.DataFrame:
    """One row for each comparison with a benchmark, engine and image of its board (BOARD).

    Raises ResultsError for a row in bytes whose benchmark moves none.
    """
    return BOARD.frame(_board_rows(rows, boards))


def _board_rows(
    rows: Sequence[BoardRow], boards: Sequence[SimulatedBoard]
) -> Iterator[dict[str, Any]]:
    for row in rows:
        for board in boards:
            if board.board == row.board and row.terms:
                predicted = board.prediction(row)
                counts = row.counts_on(board.image) and predicted is not None
                yield {
                    **_described(row),
                    "counted": _flag(counts),
                    "engine": board.engine,
                    "image": board.image,
                    "benchmark": row.benchmark,
                    **_predicted(row, predicted),
                }


def _described(row: BoardRow) -> dict[str, Any]:
    measured = row.measured
    return {
        "board": row.board,
        "row": row.name,
        "kind": row.kind,
        "role": row.role,
        "comparable": _flag(row.comparable),
        "unit": measured.unit,
        "measured": measured.value,
        "measured_low": measured.low,
        "measured_high": measured.high,
        "values": measured.count,
        "why": row.why or row.note,
    }


def _flag(value: bool) -> str:
    return "yes" if value else "no"


def _predicted(row: BoardRow, over_layouts: Spread | None) -> dict[str, float]:
    """The predicted value and the ratio of times, each with its interval."""
    if over_layouts is None:
        empty = ("predicted", "predicted_low", "predicted_high", *(c.name for c in RATIO))
        return {"layouts": 0, **dict.fromkeys(empty, NAN)}
    unit = row.measured.unit
    low, high = (float(end) for end in np.exp(over_layouts.interval()))
    ns = float(np.exp(over_layouts.mean))
    # The shorter time is the larger rate.
    ends_ns = (high, low) if unit_of(unit).is_rate else (low, high)
    published = time_ns(row.measured.value, unit)
    return {
        "layouts": over_layouts.layouts,
        "predicted": value_of(ns, unit),
        "predicted_low": value_of(ends_ns[0], unit),
        "predicted_high": value_of(ends_ns[1], unit),
        "ratio": ns / published,
        "ratio_low": low / published,
        "ratio_high": high / published,
    }
