# SPDX-License-Identifier: BSD-3-Clause
"""What `osgap predict` does: a run's points, the grid asked for, and the tables of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from osgap.analysis.analysed import AnalysedRun, Tables
from osgap.analysis.columns import (
    BENCHMARK,
    CLOCK_MHZ,
    FS,
    MACHINE,
    METRIC,
    MIPS,
    SERIES,
    SET,
    count,
    flag,
    names,
)
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.table import Column, Table
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.axes import FIGURE_COLUMNS
from osgap.predict.borrowed_errors import lender, told
from osgap.predict.elasticity import elasticities
from osgap.predict.errors import Name, Spread, spreads
from osgap.predict.intervals import IntervalWidths, layouts
from osgap.predict.observations import Observations, observations
from osgap.predict.tables import Machine, Model, model, settled, simulated_keys, tables, unsettled
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.load import Run
from osgap.suites import load_runs, suites

_PLACE_COLUMNS = (
    MACHINE,
    SERIES,
    CLOCK_MHZ,
    *FIGURE_COLUMNS,
    Column("rotation_ns", "time of one turn of the disk", "ns"),
)
_SIMULATED = flag("simulated", "whether the position was simulated")
PREDICTED = Table(
    "predicted",
    "of a sweep --predict: every benchmark at every place, simulated or predicted",
    (
        *_PLACE_COLUMNS,
        BENCHMARK,
        FS,
        METRIC,
        _SIMULATED,
        Column("value", "the benchmark's result", "metric"),
        Column("low", "lower end of its 95 % interval", "metric"),
        Column("high", "upper end of its 95 % interval", "metric"),
        Column("ns_per_op", "time of one operation", "ns"),
        MIPS,
        Column("relative", "R"),
        Column("relative_low", "lower end of R's 95 % interval"),
        Column("relative_high", "upper end of R's 95 % interval"),
    ),
    absent="no point of this run was left to be predicted (see osgap predict)",
    order=140,
)
PREDICTED_MEANS = Table(
    "predicted_means",
    "of a sweep --predict: the same for the means of R",
    (
        SET,
        *_PLACE_COLUMNS,
        _SIMULATED,
        MIPS,
        count("n", "rows of the set with a defined R"),
        count("of", "rows of the set that the run measured"),
        Column("geomean", "geometric mean of R"),
        Column("low", "lower end of its 95 % interval"),
        Column("high", "upper end of its 95 % interval"),
    ),
    absent="no point of this run was left to be predicted (see osgap predict)",
    order=150,
)
_PLACE = ["key", "machine", "series", *names(*FIGURE_COLUMNS), "rotation_ns", "simulated"]


@dataclass(frozen=True, eq=False)
class Prediction:
    """A grid's tables, as of simulated points; with intervals in `predicted` and `means`.

    `used` are the keys of the points that it follows from, `errors` those at points that it does
    not (osgap.predict.errors), `elsewhere` those of another run's points
    (osgap.predict.borrowed_errors).
    """

    tables: Tables
    predicted: pd.DataFrame
    means: pd.DataFrame
    used: tuple[str, ...]
    errors: pd.DataFrame
    elsewhere: pd.DataFrame


def predict(
    path: Path,
    axes: Mapping[str, Any],
    use: Sequence[str],
    machines: Path,
    lenders: Sequence[Path] = (),
    names: Sequence[str] = (),
    prior: Path | None = None,
) -> Prediction:
    """From the run in `path` the grid of `axes`; without any, that of the run's own sweep.

    With `names` other machines are predicted in its place, which have the run's caches and core.

    `use` are beginnings of the keys of the points to use, none for all of them; `machines` is the
    folder of machine files. With runs of several layouts in `lenders` intervals are those of
    another layout. `prior` is a folder with a run of each engine, whose errors count where the
    run has few of its own, or none of memories that differ as those asked for do. Raises
    OsgapError.
    """
    grid.check(axes)
    return predict_run(only_run(path), axes, use, machines, lenders, names, prior)


def predict_run(
    analysed: AnalysedRun,
    axes: Mapping[str, Any],
    use: Sequence[str],
    machines: Path,
    lenders: Sequence[Path] = (),
    names: Sequence[str] = (),
    prior: Path | None = None,
    *,
    settle: bool = False,
) -> Prediction:
    """The same of a run that is analysed. Raises OsgapError.

    With `settle` points that were simulated are as simulated, and have no width.
    """
    run, known = analysed.run, suites()
    seen, used, own_model = _modelled(analysed, use)
    asked = _asked(run, axes, machines, names)
    made = tables(own_model, asked, known, analysed.engine)
    known_errors = told(
        analysed, seen, used, [one.system for one in asked], lender(prior, analysed.engine)
    )
    keys = simulated_keys(asked, grid.simulated(run))
    if settle:
        made = settled(made, analysed.tables, keys, known)
    placed = _placed(made, asked, keys)
    own = IntervalWidths(
        spreads(known_errors.counted),
        layouts(analysed, lenders),
        unsettled(own_model, asked, known),
        settle,
    )
    return Prediction(
        made,
        _predicted(made, placed, own),
        _means(made, placed, own),
        used,
        known_errors.apart,
        known_errors.elsewhere,
    )


@dataclass(frozen=True, eq=False)
class Explored:
    """The model of a run, the machine to which R is relative, and how far predictions are off.

    `reference` is the run's own at its slowest clock.
    """

    model: Model
    reference: Machine
    spreads: Mapping[Name, Spread]
    used: tuple[str, ...]


def explored(
    analysed: AnalysedRun, wanted: Callable[[Machine], Sequence[System]], other: AnalysedRun | None
) -> Explored:
    """What predicts machines of this run's caches and core, from all its finished points.

    `wanted` gives, of the reference, machines at the ends of what will be asked for; `other` is a
    run whose errors are lent (osgap.predict.borrowed_errors.lender). Raises OsgapError.
    """
    seen, used, own = _modelled(analysed, ())
    reference = min(grid.simulated(analysed.run), key=lambda one: one.clock_mhz)
    known = told(analysed, seen, used, wanted(reference), other, only_counted=True)
    return Explored(own, reference, spreads(known.counted), used)


def run_elasticities(
    analysed: AnalysedRun,
    axes: Mapping[str, Any],
    use: Sequence[str],
    machines: Path,
    names: Sequence[str] = (),
) -> pd.DataFrame:
    """How the times of the same machines follow clock, memory and disk. Raises OsgapError."""
    _, _, made = _modelled(analysed, use)
    return elasticities(made, _asked(analysed.run, axes, machines, names), suites())


def _modelled(
    analysed: AnalysedRun, use: Sequence[str]
) -> tuple[Observations, tuple[str, ...], Model]:
    """What the run's points say, which of them are used, and the model through these."""
    run = analysed.run
    seen = observations(run, analysed.tables["samples"], analysed.tables["disk"])
    used = tuple(grid.finished_keys(run, use))
    return seen, used, model(seen, used)


def _asked(
    run: Run, axes: Mapping[str, Any], machines: Path, names: Sequence[str]
) -> list[Machine]:
    if names:
        return grid.others(run, names, machines)
    return grid.machines(run, axes or grid.own_axes(run), machines)


def _placed(made: Tables, asked: Sequence[Machine], keys: Mapping[str, str]) -> pd.DataFrame:
    """The points with their disks, and whether they were simulated."""
    at = {machine.key: machine.system.disk.rotation_ns for machine in asked}
    own = made["points"]["key"].astype(str)
    yes = own.isin(list(keys)).map({True: "yes", False: "no"})
    return made["points"].assign(rotation_ns=own.map(at), simulated=yes)


def only_run(path: Path) -> AnalysedRun:
    """The run at `path`, analysed. Raises OsgapError unless it is one."""
    runs = load_runs([path])
    if len(runs) != 1:
        raise ResultsError(f"{path}: holds {len(runs)} runs; allowed: one")
    return runs[0]


def _predicted(made: Tables, placed: pd.DataFrame, widths: IntervalWidths) -> pd.DataFrame:
    costs = made["times"][["key", "benchmark", "fs", "ns_per_op"]]
    rows = made["relative"].merge(placed[_PLACE], on=["key", "series"])
    rows = rows.merge(costs, on=["key", "benchmark", "fs"])
    times, speeds = widths.of(rows, TIME), widths.of(rows, SPEED)
    # The reference's R is 1 by definition.
    speeds = speeds.mask(rows["relative"] == 1, 1.0)
    return rows.assign(
        low=rows["value"] / times,
        high=rows["value"] * times,
        relative_low=rows["relative"] / speeds,
        relative_high=rows["relative"] * speeds,
    )[PREDICTED.names]


def _means(made: Tables, placed: pd.DataFrame, widths: IntervalWidths) -> pd.DataFrame:
    rows = made["geomean"].merge(placed[_PLACE], on=["key", "series"])
    factors = widths.of(rows, MEAN).mask(rows["geomean"] == 1, 1.0)
    low, high = rows["geomean"] / factors, rows["geomean"] * factors
    return rows.assign(low=low, high=high)[PREDICTED_MEANS.names]
