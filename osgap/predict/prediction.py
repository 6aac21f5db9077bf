# SPDX-License-Identifier: BSD-3-Clause
"""Predicts a run's machines that were not simulated: the functions of `osgap predict`."""

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
    KEY,
    METRIC,
    MIPS,
    SET,
    count,
    ends,
    flag,
)
from osgap.analysis.columns import names as column_names
from osgap.analysis.layouts.values import MEAN, SPEED, TIME
from osgap.analysis.table import Column, Table
from osgap.machines.system import System
from osgap.predict import grid
from osgap.predict.axes import NETWORK_COLUMNS, POSITION_COLUMNS, network_columns
from osgap.predict.borrowed_errors import Lender, error_source, lender
from osgap.predict.elasticity import elasticities
from osgap.predict.errors import ErrorSpread, Name, spreads
from osgap.predict.grid import GridMachine
from osgap.predict.intervals import IntervalWidths, layout_factors
from osgap.predict.model import Model, fitted_run
from osgap.predict.tables import (
    simulated_keys,
    wait_deviations,
    with_simulated,
)
from osgap.predict.tables import tables as predicted_tables
from osgap.rundir.csvfile import ResultsError
from osgap.suites import load_runs, suites

_SIMULATED = flag("simulated", "whether the position was simulated")
PREDICTED = Table(
    "predicted",
    "of a sweep --predict: every benchmark at every position, simulated or predicted",
    (
        *POSITION_COLUMNS,
        BENCHMARK,
        FS,
        METRIC,
        _SIMULATED,
        Column("value", "the benchmark's result", "metric"),
        *ends("", "its 95 % interval", "metric"),
        Column("ns_per_op", "time of one operation", "ns"),
        MIPS,
        Column("relative", "R"),
        *ends("relative_", "R's 95 % interval"),
    ),
    optional=NETWORK_COLUMNS,
    absent="no point of this run was left to be predicted (see osgap predict)",
    order=140,
)
PREDICTED_MEANS = Table(
    "predicted_means",
    "of a sweep --predict: the same for the means of R",
    (
        SET,
        *POSITION_COLUMNS,
        _SIMULATED,
        MIPS,
        count("n", "rows of the set with a defined R"),
        count("of", "rows of the set that the run measured"),
        Column("geomean", "geometric mean of R"),
        *ends("", "its 95 % interval"),
    ),
    optional=NETWORK_COLUMNS,
    absent="no point of this run was left to be predicted (see osgap predict)",
    order=150,
)


@dataclass(frozen=True, eq=False)
class Prediction:
    """A grid's tables as of simulated points, and `predicted` and `means` with intervals.

    `used` are the keys of the points that it follows from, `errors` those at the run's others.
    """

    tables: Tables
    predicted: pd.DataFrame
    means: pd.DataFrame
    used: tuple[str, ...]
    errors: pd.DataFrame


def predict_run(
    analysed: AnalysedRun,
    axes: Mapping[str, Any],
    use: Sequence[str],
    machines: Path,
    layout_runs: Sequence[Path] = (),
    names: Sequence[str] = (),
    prior: Path | None = None,
    *,
    settle: bool = False,
) -> Prediction:
    """Predicts the grid of `axes`, or of the run's own sweep, or the machines `names`.

    `use` are beginnings of the keys of the points to use, empty for all; `machines` is the folder
    of machine files. With runs of several layouts in `layout_runs`, intervals hold for another
    layout. `prior` is a folder with a run of each engine that lends its errors. With `settle`,
    simulated points keep their values, and have no width. Raises OsgapError.
    """
    fitted = fitted_run(analysed, use)
    grid_machines = grid.grid_machines(analysed.run, axes, names, machines)
    times = fitted.model.machine_times(grid_machines)
    tables = predicted_tables(fitted.model, grid_machines, suites(), analysed.engine, times)
    grid_systems = [machine.system for machine in grid_machines]
    source = error_source(fitted, grid_systems, lender(prior, analysed.engine))
    keys = simulated_keys(grid_machines, grid.simulated(analysed.run))
    if settle:
        tables = with_simulated(tables, analysed.tables, keys, suites())
    widths = IntervalWidths(
        spreads(source.counted),
        layout_factors(analysed, layout_runs),
        wait_deviations(times, suites()),
        settle,
    )
    positions = _positions(tables, grid_machines, keys)
    return Prediction(
        tables,
        _predicted(tables, positions, widths),
        _means(tables, positions, widths),
        fitted.used,
        source.run,
    )


@dataclass(frozen=True, eq=False)
class Explored:
    """A run's model, its machine at the slowest clock, and the errors of predictions."""

    model: Model
    reference: GridMachine
    spreads: Mapping[Name, ErrorSpread]
    used: tuple[str, ...]


def explored(
    analysed: AnalysedRun,
    corners: Callable[[GridMachine], Sequence[System]],
    lender: Lender | None,
) -> Explored:
    """Fits the model to all finished points of the run. Raises OsgapError.

    `corners` gives, for the reference, systems at the limits of what will be predicted.
    """
    fitted = fitted_run(analysed, ())
    reference = min(grid.simulated(analysed.run), key=lambda machine: machine.clock_mhz)
    source = error_source(fitted, corners(reference), lender, only_counted=True)
    return Explored(fitted.model, reference, spreads(source.counted), fitted.used)


def run_elasticities(
    analysed: AnalysedRun,
    axes: Mapping[str, Any],
    use: Sequence[str],
    machines: Path,
    names: Sequence[str] = (),
) -> pd.DataFrame:
    """Elasticities of the machines that predict_run would predict. Raises OsgapError."""
    grid_machines = grid.grid_machines(analysed.run, axes, names, machines)
    return elasticities(fitted_run(analysed, use).model, grid_machines, suites())


def only_run(path: Path) -> AnalysedRun:
    """Loads and analyses the run in `path`. Raises OsgapError unless it holds exactly one."""
    runs = load_runs([path])
    if len(runs) != 1:
        raise ResultsError(f"{path}: holds {len(runs)} runs; allowed: one")
    return runs[0]


def _positions(
    tables: Tables, machines: Sequence[GridMachine], keys: Mapping[str, str]
) -> pd.DataFrame:
    """The table "points" with the disk's rotation, and whether the position was simulated."""
    rotation_ns = {machine.key: machine.system.disk.rotation_ns for machine in machines}
    point_keys = tables["points"]["key"].astype(str)
    simulated = point_keys.isin(list(keys)).map({True: "yes", False: "no"})
    points = tables["points"].assign(rotation_ns=point_keys.map(rotation_ns), simulated=simulated)
    # The tables "relative" and "geomean", to which these columns are added, have the clock.
    added = [column.name for column in POSITION_COLUMNS if column is not CLOCK_MHZ]
    added += column_names(*network_columns(machine.system for machine in machines))
    return points[[KEY.name, *added, _SIMULATED.name]]


def _predicted(tables: Tables, positions: pd.DataFrame, widths: IntervalWidths) -> pd.DataFrame:
    costs = tables["times"][["key", "benchmark", "fs", "ns_per_op"]]
    rows = tables["relative"].merge(positions, on=["key", "series"])
    rows = rows.merge(costs, on=["key", "benchmark", "fs"])
    times, speeds = widths.factors(rows, TIME), widths.factors(rows, SPEED)
    # R of the reference is 1 by definition.
    speeds = speeds.mask(rows["relative"] == 1, 1.0)
    return rows.assign(
        low=rows["value"] / times,
        high=rows["value"] * times,
        relative_low=rows["relative"] / speeds,
        relative_high=rows["relative"] * speeds,
    )[[*PREDICTED.names, *_varied(positions)]]


def _means(tables: Tables, positions: pd.DataFrame, widths: IntervalWidths) -> pd.DataFrame:
    rows = tables["geomean"].merge(positions, on=["key", "series"])
    factors = widths.factors(rows, MEAN).mask(rows["geomean"] == 1, 1.0)
    low, high = rows["geomean"] / factors, rows["geomean"] * factors
    return rows.assign(low=low, high=high)[[*PREDICTED_MEANS.names, *_varied(positions)]]


def _varied(positions: pd.DataFrame) -> list[str]:
    """The names of the network's columns that the positions have."""
    return [name for name in column_names(*NETWORK_COLUMNS) if name in positions]
