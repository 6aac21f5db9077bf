# SPDX-License-Identifier: BSD-3-Clause
"""The skill of each engine: its errors against those of a model that simulates nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import count, text
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import (
    Array,
    Draws,
    draws,
    interval,
    layout_draws,
    rank_correlations,
    standard_ranks,
)
from osgap.analysis.table import Column, Table
from osgap.suites.ousterhout.baselines import (
    CHOSEN,
    FLOOR,
    INFORMED,
    JUDGED_COLUMNS,
    NULL,
    judged_cells,
    left_out_scale,
)

CLOSE = float(np.log(1.25)) + 1e-5
"""An error of a cell that counts as within 25 %: inclusive, as printed values are round numbers."""
_MEASURE_TEXTS = {
    "cell_log_error": "mean absolute error of a cell, in natural logs",
    "machine_log_error": "mean absolute error of a machine's mean, in natural logs",
    "cell_skill": "1 - the error of a cell / the null model's",
    "machine_skill": "1 - the error of a machine / the null model's",
    "cell_skill_informed": "1 - the error of a cell / the informed null model's",
    "machine_skill_informed": "1 - the error of a machine / the informed null model's",
    "spearman": "rank correlation of the machines' means",
    "cell_within_25": "part of the cells within 25 % of the printed value",
    "cell_median_factor": "median factor between a cell and the printed value",
}
MEASURES = tuple(_MEASURE_TEXTS)
_ENDS = {"": "", "_low": "; lower end of its 95 % interval", "_high": "; upper end"}
MEASURE_COLUMNS = tuple(
    Column(f"{name}{end}", f"{meaning}{suffix}")
    for name, meaning in _MEASURE_TEXTS.items()
    for end, suffix in _ENDS.items()
)
"""Each measure and the ends of its interval."""
SKILL = Table(
    "skill",
    "errors of the engines and of models without a simulator",
    (
        text("rows", "figure1 (the rows that the paper relates) or all"),
        text("scale", "own, or left out: a factor for each row, fitted without the machine"),
        text("table", "the number of the paper's table, or all"),
        text("model", "an engine or a model without a simulator"),
        count("machines", "machines"),
        count("cells", "cells"),
        *MEASURE_COLUMNS,
    ),
)


def skill_table(
    cells: pd.DataFrame,
    reference: pd.DataFrame,
    source: int = 1990,
    other_layouts: Sequence[pd.DataFrame] = (),
) -> pd.DataFrame:
    """One row for each model and set of cells (SKILL); errors are natural logs of ratios.

    The rows that machines are fitted to are left out, in all tables. A skill is NaN where the null
    model has no error. `spearman` is NaN where a model gives all machines the same R, and for
    factors fitted without the machine, which would order equal machines against the paper.
    Intervals are bootstraps over machines, paired, so that differences of models have intervals
    too. `other_layouts` are the cells in other layouts of the image: a value is then the mean over
    all layouts, and each resample of the machines is of a layout drawn for it. Raises ResultsError
    for an engine with a baseline's name.
    """
    logs = [judged_cells(frame, reference, source) for frame in (cells, *other_layouts)]
    models = [name for name in logs[0].columns if name not in {*JUDGED_COLUMNS, "paper"}]
    plain = [name for name in models if name not in (CHOSEN, FLOOR)]
    scaled = [
        frame.assign(**{name: left_out_scale(frame, name) for name in plain}) for frame in logs
    ]
    rows = [
        {"rows": kind, "scale": scale, "table": table, **row}
        for scale, frames, judging in (("own", logs, models), ("left out", scaled, plain))
        for (kind, table), sets in _sets(frames)
        for row in scores(sets, judging, ranked=scale == "own")
    ]
    return SKILL.frame(rows)


def _sets(
    layouts: Sequence[pd.DataFrame],
) -> Iterator[tuple[tuple[str, str], list[pd.DataFrame]]]:
    """The sets of cells, each in all layouts: all tables together, then each table."""
    for kind in ("figure1", "all"):
        rows = [
            cells[cells["related"] == "yes"] if kind == "figure1" else cells for cells in layouts
        ]
        if rows[0].empty:
            continue
        yield (kind, "all"), rows
        for number in sorted(rows[0]["table"].unique()):
            yield (kind, str(number)), [cells[cells["table"] == number] for cells in rows]


def scores(
    layouts: Sequence[pd.DataFrame], models: list[str], *, ranked: bool
) -> Iterator[dict[str, Any]]:
    """One row for each model, from one set of resampled machines and layouts.

    Each frame of `layouts` has the columns machine, table, metric, "paper" and the models, NULL and
    INFORMED among them, as natural logs, without NaN but for whole columns. A row has model,
    machines, cells and MEASURE_COLUMNS; `ranked` says whether it has a rank correlation.
    """
    by_layout = [_measures(cells, models, ranked=ranked) for cells in layouts]
    drawn = layout_draws(len(layouts))
    counts = {"machines": layouts[0]["machine"].nunique(), "cells": len(layouts[0])}
    for name in models:
        values = {
            measure: _over_layouts([measures[name][measure] for measures in by_layout], drawn)
            for measure in MEASURES
        }
        yield {"model": name, **counts, **_with_intervals(values)}


def _over_layouts(by_layout: Sequence[Array], drawn: Draws) -> Array:
    """The mean of the layouts' values, followed by each resample's, of the layout drawn for it."""
    values = np.stack(by_layout)
    resampled = values[drawn, np.arange(1, values.shape[1])]
    return np.concatenate([[values[:, 0].mean()], resampled])


def _measures(
    cells: pd.DataFrame, models: list[str], *, ranked: bool
) -> dict[str, dict[str, Array]]:
    """MEASURES of each model: the value, followed by those of the resampled machines."""
    means = machine_means(cells, ["paper", *models])
    drawn = draws(len(means))
    apart_cells = cells[models].sub(cells["paper"], axis=0).abs()
    errors = apart_cells.groupby(cells["machine"])
    counts = np.asarray(errors.size(), dtype=np.float64)
    sums, close = errors.sum(), (apart_cells <= CLOSE).groupby(cells["machine"]).sum()
    counted = _times_drawn(drawn)
    positions = np.searchsorted(np.asarray(means.index), cells["machine"].to_numpy())
    apart = means[models].sub(means["paper"], axis=0).abs()
    of_cells, of_machines = (
        {name: _mean(frame[name].to_numpy(dtype=float), weights, drawn) for name in models}
        for frame, weights in ((sums, counts), (apart, np.ones_like(counts)))
    )
    orders = np.concatenate([np.arange(len(means))[None], drawn])
    ranks = {
        name: standard_ranks(means[name].to_numpy(dtype=float)[orders])
        for name in (["paper", *models] if ranked else [])
    }
    nothing = np.full(len(orders), NAN)
    measures = {}
    for name in models:
        values = {
            "cell_log_error": of_cells[name],
            "machine_log_error": of_machines[name],
            **{
                f"{kind}_skill{ending}": _skill(errors, name, null)
                for ending, null in (("", NULL), ("_informed", INFORMED))
                for kind, errors in (("cell", of_cells), ("machine", of_machines))
            },
            "spearman": rank_correlations(ranks["paper"], ranks[name]) if ranked else nothing,
        }
        factors = _medians(apart_cells[name].to_numpy(dtype=float), positions, counted)
        values |= {
            "cell_within_25": _mean(close[name].to_numpy(dtype=float), counts, drawn),
            "cell_median_factor": np.exp(factors),
        }
        if cells[name].isna().any():  # a choice had no other machine to be made on
            values = dict.fromkeys(MEASURES, nothing)
        measures[name] = values
    return measures


def machine_means(cells: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Mean log of each machine (index): over systems, then over rows, then over tables."""
    for by in (["machine", "table", "metric"], ["machine", "table"], ["machine"]):
        cells = cells.groupby(by)[columns].mean().reset_index()
    return cells.set_index("machine")


def _mean(sums: Array, weights: Array, drawn: Draws) -> Array:
    """The weighted sums over machines, followed by those of each resample."""
    resampled = sums[drawn].sum(axis=1) / weights[drawn].sum(axis=1)
    return np.concatenate([[sums.sum() / weights.sum()], resampled])


def _medians(errors: Array, machines: np.ndarray[Any, Any], counts: Draws) -> Array:
    """The median of the cells' errors for each row of `counts`, the machines' numbers of draws."""
    order = np.argsort(errors)
    below = np.cumsum(counts[:, machines[order]], axis=1)
    half = below[:, -1:] / 2
    # Between two cells where half of them lie on either side.
    low = np.argmax(below >= half, axis=1)
    high = np.argmax(below > half, axis=1)
    medians: Array = (errors[order][low] + errors[order][high]) / 2
    return medians


def _times_drawn(drawn: Draws) -> Draws:
    """Returns the count of each machine: once each, then in each resample."""
    machines = drawn.shape[1]
    counts = np.zeros((len(drawn) + 1, machines), dtype=np.int64)
    counts[0] = 1
    rows = np.repeat(np.arange(1, len(drawn) + 1), machines)
    np.add.at(counts, (rows, drawn.ravel()), 1)
    return counts


def _skill(errors: Mapping[str, Array], model: str, null: str) -> Array:
    base = errors[null]
    ratios = np.divide(errors[model], base, out=np.full_like(base, NAN), where=base > 0)
    return 1 - ratios


def _with_intervals(values: Mapping[str, Array]) -> dict[str, float]:
    row: dict[str, float] = {}
    for name, both in values.items():
        defined = both[0] == both[0]
        low, high = interval(both[1:]) if defined else (NAN, NAN)
        row.update({name: float(both[0]), f"{name}_low": low, f"{name}_high": high})
    return row
