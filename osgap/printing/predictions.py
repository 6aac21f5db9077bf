# SPDX-License-Identifier: BSD-3-Clause
"""Prints predictions: the headline and table of a run, the points used, and the errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from rich.console import Console

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.base.paths import project_root
from osgap.base.quoting import counted
from osgap.predict.adaptive import Folders, predicted_grid
from osgap.predict.borrowed_errors import committed_prior
from osgap.predict.errors import sizes_text
from osgap.predict.prediction import PREDICTED, PREDICTED_MEANS, Prediction
from osgap.printing.headline import headline
from osgap.printing.intervals import Bands, bands
from osgap.printing.layouts import View
from osgap.printing.tables import compact_table
from osgap.rundir import manifest

_MAX_KEYS = 4
"""Keys of points that are printed."""
_WORDS = {TIME: "times", SPEED: "R", MEAN: "means of R"}


def print_prediction(console: Console, prediction: Prediction) -> None:
    """Prints the sentence and table of the fastest clock, the points used, and the errors."""
    intervals = _bands(prediction)
    sentence = headline(prediction.tables, intervals)
    if sentence:
        console.print(f"Predicted. {sentence}")
    console.print(compact_table(prediction.tables, intervals))
    for line in (_used_text(prediction), _errors_text(prediction.errors)):
        console.print(line)


def predictions(
    runs: Sequence[AnalysedRun], layout_runs: Sequence[Path] = ()
) -> dict[AnalysedRun, Prediction]:
    """The predicted grid of each run of a sweep --predict. Raises OsgapError."""
    folders = Folders(project_root() / "configs" / "machines", committed_prior())
    return {
        run: predicted_grid(run, folders, layout_runs)
        for run in runs
        if manifest.read(run.path).predict is not None
    }


def predicted_tables(prediction: Prediction | None) -> dict[str, pd.DataFrame]:
    """The prediction's tables, written next to the run's; empty without a prediction."""
    if prediction is None:
        return {}
    return {
        PREDICTED.name: prediction.predicted,
        PREDICTED_MEANS.name: prediction.means,
    }


def view_of(view: View, prediction: Prediction | None) -> View:
    """The run's view; with a prediction, a view of its whole grid."""
    if prediction is None:
        return view
    return View(view.title, prediction.tables, _bands(prediction))


def notes_of(grids: Mapping[AnalysedRun, Prediction]) -> list[str]:
    """A line for each run: the number of simulated points, and how to see intervals."""
    return [f"{run.path.name}: {_note(prediction)}" for run, prediction in grids.items()]


def _note(prediction: Prediction) -> str:
    positions = prediction.predicted.drop_duplicates(["series", "clock_mhz"])
    simulated = int((positions["simulated"] == "yes").sum())
    return (
        f"{counted(len(prediction.used), 'point')} simulated, which stand in {simulated} of "
        f"{counted(len(positions), 'place')}; the others are predicted, with 95 % intervals: see "
        "--table predicted"
    )


def _bands(prediction: Prediction) -> Bands:
    """The intervals as texts, by the names that tables use; a reference's R has none."""
    speeds = prediction.predicted.drop(columns=["low", "high"])
    speeds = speeds.rename(columns={"relative_low": "low", "relative_high": "high"})
    frames = (
        speeds.assign(quantity=SPEED, set="", wide="no"),
        prediction.means.assign(quantity=MEAN, benchmark="", fs="", wide="no"),
    )
    rows = pd.concat([frame[frame["low"] < frame["high"]] for frame in frames])
    return bands(rows, "low", "high", "")


def _used_text(prediction: Prediction) -> str:
    keys = ", ".join(prediction.used[:_MAX_KEYS])
    more = len(prediction.used) - _MAX_KEYS
    return f"predicted from {keys}" + (f" and {counted(more, 'more point')}" if more > 0 else "")


def _errors_text(errors: pd.DataFrame) -> str:
    """The sizes of errors in one line, or why there are none."""
    if errors.empty:
        return (
            "no point of the run was simulated and not used: intervals, if any, are from another "
            "run's errors"
        )
    parts = []
    for quantity, word in _WORDS.items():
        sizes = errors.loc[errors["quantity"] == quantity, "error"]
        if len(sizes):
            parts.append(f"{word} {sizes_text(sizes)}")
    count = errors["key"].nunique()
    return (
        f"errors at {counted(count, 'point')} not used, median / 90 % / worst: {'; '.join(parts)}"
    )
