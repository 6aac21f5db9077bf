# SPDX-License-Identifier: BSD-3-Clause
"""A prediction as it is printed: the headline and the table of a run, and what it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
from rich.console import Console

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.base.paths import project_root
from osgap.predict.adaptive import Folders, predicted_grid
from osgap.predict.borrowed_errors import committed_prior
from osgap.predict.errors import sizes_text
from osgap.predict.prediction import Prediction
from osgap.printing.headline import headline
from osgap.printing.intervals import Bands
from osgap.printing.layouts import View
from osgap.printing.tables import compact_table
from osgap.rundir import manifest

_SHOWN_KEYS = 4
_WORDS = {TIME: "times", SPEED: "R", MEAN: "means of R"}


def print_prediction(console: Console, made: Prediction) -> None:
    """Prints the sentence and table of the fastest clock, the points used, and the errors."""
    bands = _bands(made)
    sentence = headline(made.tables, bands)
    if sentence:
        console.print(f"Predicted. {sentence}", soft_wrap=True)
    console.print(compact_table(made.tables, bands))
    for line in (_used(made), _errors(made.errors)):
        console.print(line, soft_wrap=True)


def predictions(
    runs: Sequence[AnalysedRun], lenders: Sequence[Path] = ()
) -> dict[AnalysedRun, Prediction]:
    """Of each run that was to be predicted in part its whole grid. Raises OsgapError."""
    folders = Folders(project_root() / "configs" / "machines", committed_prior())
    return {
        run: predicted_grid(run, folders, lenders)
        for run in runs
        if manifest.read(run.path).predict is not None
    }


def predicted_tables(made: Prediction | None) -> dict[str, pd.DataFrame]:
    """A prediction's tables as they are written beside a run's own; of none none."""
    return {} if made is None else {"predicted": made.predicted, "predicted_means": made.means}


def view_of(view: View, made: Prediction | None) -> View:
    """What is printed of a run: where it has a prediction, all of its grid."""
    return view if made is None else View(view.title, made.tables, _bands(made))


def notes_of(grids: Mapping[AnalysedRun, Prediction]) -> list[str]:
    """What each prediction rests on."""
    return [f"{run.path.name}: {_told(made)}" for run, made in grids.items()]


def _told(made: Prediction) -> str:
    places = made.predicted.drop_duplicates(["series", "clock_mhz"])
    simulated = int((places["simulated"] == "yes").sum())
    points = "point" if len(made.used) == 1 else "points"
    return (
        f"{len(made.used)} {points} simulated, which stand in {simulated} of {len(places)} places; "
        "the others are predicted, with 95 % intervals: see --table predicted"
    )


def _bands(made: Prediction) -> Bands:
    """Intervals by the names under which tables ask for them; a reference's R has none."""
    texts: dict[tuple[object, ...], str] = {}
    for row in made.predicted[
        made.predicted["relative_low"] < made.predicted["relative_high"]
    ].to_dict("records"):
        name = (SPEED, "", row["series"], row["clock_mhz"], row["benchmark"], row["fs"])
        texts[name] = f" [{row['relative_low']:.2f}, {row['relative_high']:.2f}]"
    for row in made.means[made.means["low"] < made.means["high"]].to_dict("records"):
        name = (MEAN, row["set"], row["series"], row["clock_mhz"], "", "")
        texts[name] = f" [{row['low']:.2f}, {row['high']:.2f}]"
    return Bands(texts)


def _used(made: Prediction) -> str:
    shown = ", ".join(made.used[:_SHOWN_KEYS])
    more = len(made.used) - _SHOWN_KEYS
    return f"predicted from {shown}" + (f" and {more} more points" if more > 0 else "")


def _errors(errors: pd.DataFrame) -> str:
    """The errors in one line, or why there are none."""
    if errors.empty:
        return (
            "no point of the run was simulated and not used: intervals, if any, are from another "
            "run's errors"
        )
    parts = []
    for quantity, word in _WORDS.items():
        apart = errors.loc[errors["quantity"] == quantity, "error"]
        if len(apart):
            parts.append(f"{word} {sizes_text(apart)}")
    count = errors["key"].nunique()
    return f"errors at {count} points not used, median / 90 % / worst: {'; '.join(parts)}"
