# SPDX-License-Identifier: BSD-3-Clause
"""Predicted beside measured values of boards, for a report page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.suite import Beside
from osgap.drawing.display_names import engine_name, machine_name
from osgap.suites.boards.pairs import pairs_table
from osgap.suites.boards.report import sentence
from osgap.suites.boards.rows import PREDICTION, boards_of, load_rows
from osgap.suites.boards.simulated import board_of, simulated_boards
from osgap.suites.boards.summary import MEASURED, summary_table
from osgap.suites.boards.tables import board_table
from osgap.suites.boards.units import drawn_us


def beside(runs: Sequence[AnalysedRun]) -> list[Beside]:
    """Every counted row of the runs' boards; empty without such a run.

    Raises ConfigError and ResultsError.
    """
    if not any(map(board_of, runs)):
        return []
    every = load_rows()
    simulated = simulated_boards(runs, boards_of(every))
    names = {board.board for board in simulated}
    rows = [row for row in every if row.board in names]
    table = board_table(rows, simulated)
    counted = table[table["counted"] == "yes"]
    if counted.empty:
        return []
    summary = summary_table(rows, simulated, pairs_table(rows, simulated))
    return [
        Beside(
            "board_times",
            "Boards: predicted against measured times",
            _headline(summary),
            _drawn(counted),
            colour="simulated",
            names=("machine_name", "row"),
            printed="measured_us",
            simulated="predicted_us",
            note=(
                "The time of one operation, of a rate of bytes that of 1 KiB. Grey: the band of "
                "25 %. Rows of the role source are what the machine file was made from. Rows that "
                "are not comparable are not here: osgap board has them."
            ),
        )
    ]


def _headline(summary: pd.DataFrame) -> str:
    """The sentences on the operating system's rows, of all the runs' boards."""
    measured = summary[(summary["against"] == MEASURED) & (summary["role"] == PREDICTION)]
    # The rows of all boards together are the last.
    is_told = measured["board"] == measured["board"].iloc[-1] if len(measured) else []
    return " ".join(map(sentence, measured[is_told].to_dict("records")))


def _drawn(counted: pd.DataFrame) -> pd.DataFrame:
    columns = ["board", "row", "kind", "role", "engine", "image", "unit", "measured"]
    columns += ["predicted", "ratio", "ratio_low", "ratio_high"]
    units = list(counted["unit"])
    times = {
        f"{name}_us": [
            drawn_us(value, unit) for value, unit in zip(counted[name], units, strict=True)
        ]
        for name in ("measured", "predicted")
    }
    return counted[columns].assign(
        **times,
        simulated=counted["engine"].map(engine_name) + ", " + counted["image"],
        machine_name=counted["board"].map(machine_name),
    )
