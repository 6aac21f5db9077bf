# SPDX-License-Identifier: BSD-3-Clause
"""Means of the predictions' errors over rows, with intervals over rows and layouts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from osgap.analysis.columns import ENGINE, count, ends, text
from osgap.analysis.layouts.spread import Variance, margin, total
from osgap.analysis.relative import NAN
from osgap.analysis.resampling import CONFIDENCE, Array
from osgap.analysis.table import Column, Table
from osgap.suites.boards.pairs import ENGINES
from osgap.suites.boards.rows import HELD_BACK, PREDICTION, SOURCE, BoardRow
from osgap.suites.boards.simulated import SimulatedBoard
from osgap.suites.boards.tables import BOARD_NAME, IMAGE
from osgap.suites.boards.units import time_ns

ALL = "all"
SCOPES = {
    PREDICTION: "rows of the operating system",
    HELD_BACK: "rows of user code that no machine file uses",
    SOURCE: "rows that the machine files are made from",
}
"""Role -> what its rows are."""
FACTORS = {"within_125": 1.25, "within_150": 1.5, "within_200": 2.0}
_ROUNDING = 1e-5
"""Published values are round numbers: a ratio of just 1.25 counts as within it."""
MEASURED = "measured"
SUMMARY = Table(
    "board_summary",
    "how near predicted times are to measured ones over rows, and those of two engines or images "
    "to each other",
    (
        Column("board", f"{BOARD_NAME.text}; all: all boards together", kind="text"),
        ENGINE,
        IMAGE,
        text("against", "measured; or the engine, or the image, whose times the ratio is of"),
        text("role", "prediction, held_back or source: the rows' role"),
        count("rows", "rows that are counted"),
        count("layouts", "layouts that all these rows have; of two engines or images the fewer"),
        Column("ratio", "geometric mean of the ratios of times"),
        *ends("ratio_", "its 95 % interval over rows and layouts"),
        Column("factor", "mean factor, either way, of a row: exp of the mean of |ln ratio|"),
        *ends("factor_", "its 95 % interval over rows and layouts"),
        *(
            column
            for name, factor in FACTORS.items()
            for column in (
                Column(name, f"part of the rows within a factor of {factor:g}"),
                *ends(f"{name}_", "its exact 95 % interval, were the rows independent"),
            )
        ),
    ),
)


@dataclass(frozen=True, eq=False)
class PredictionError:
    """A row's logarithm of the ratio of times: the mean, and in each layout where it is known.

    Rows of one `cluster`, their benchmarks, are not taken for independent.
    """

    role: str
    cluster: str
    log: float
    by_layout: Mapping[int, float]


def summary_table(
    rows: Sequence[BoardRow], boards: Sequence[SimulatedBoard], pairs: pd.DataFrame
) -> pd.DataFrame:
    """One row for each board, engine, image and role, then for each two of these (SUMMARY).

    `pairs` is the table PAIRS. The rows of all boards together follow where there are several.
    """
    return SUMMARY.frame([*_measured(rows, boards), *_compared(pairs)])


def _measured(
    rows: Sequence[BoardRow], boards: Sequence[SimulatedBoard]
) -> Iterator[dict[str, Any]]:
    errors: dict[tuple[str, str, str], list[PredictionError]] = {}
    for board in boards:
        of_board = [error for row in rows if (error := row_error(row, board)) is not None]
        for name in (board.board, ALL):
            errors.setdefault((name, board.engine, board.image), []).extend(of_board)
    several = len({board.board for board in boards}) > 1
    for (name, engine, image), logs in sorted(errors.items(), key=lambda item: item[0][0] == ALL):
        if name != ALL or several:
            where = {"board": name, "engine": engine, "image": image, "against": MEASURED}
            yield from _by_role(where, logs)


def row_error(row: BoardRow, board: SimulatedBoard) -> PredictionError | None:
    """The error of a row on its board; None where it does not count or is not predicted."""
    if row.board != board.board or not row.counts_on(board.image):
        return None
    spread = board.prediction(row)
    if spread is None:
        return None
    published = float(np.log(time_ns(row.measured.value, row.measured.unit)))
    by_layout = {layout: value - published for layout, value in board.logs_by_layout(row).items()}
    return PredictionError(row.role, row.benchmark, spread.mean - published, by_layout)


def _compared(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The rows of pairs, for each board and for all, without what each layout has."""
    counted = pairs[pairs["comparable"] == "yes"]
    several = counted["board"].nunique() > 1
    for name in (*counted["board"].unique(), *([ALL] if several else [])):
        of_name = counted if name == ALL else counted[counted["board"] == name]
        for (between, a, b, both), group in of_name.groupby(
            ["between", "a", "b", "both"], sort=False
        ):
            engine, image = (a, both) if between == ENGINES else (both, a)
            where = {"board": name, "engine": engine, "image": image, "against": b}
            logs = [
                PredictionError(role, benchmark, float(np.log(ratio)), {})
                for role, benchmark, ratio in group[["role", "benchmark", "ratio"]].itertuples(
                    index=False, name=None
                )
            ]
            least = int(group[["layouts_a", "layouts_b"]].to_numpy().min())
            for row in _by_role(where, logs):
                yield {**row, "layouts": least}


def _by_role(
    where: Mapping[str, Any], errors: Sequence[PredictionError]
) -> Iterator[dict[str, Any]]:
    for role in SCOPES:
        of_role = [error for error in errors if error.role == role]
        if of_role:
            yield {**where, "role": role, **summarised(of_role)}


def summarised(errors: Sequence[PredictionError]) -> dict[str, float]:
    """The columns of SUMMARY from `rows` on, of one row or more."""
    logs = np.array([error.log for error in errors])
    clusters = [error.cluster for error in errors]
    by_layout = _in_common_layouts(errors)
    means = mean_interval(logs, clusters, by_layout.mean(axis=1))
    sizes = mean_interval(np.abs(logs), clusters, np.abs(by_layout).mean(axis=1))
    result = {
        "rows": len(errors),
        "layouts": len(by_layout),
        **_named("ratio", np.exp(means)),
        # A factor, either way, is never below 1.
        **_named("factor", np.exp(np.maximum(sizes, 0))),
    }
    for name, factor in FACTORS.items():
        near = int((np.abs(logs) <= np.log(factor) + _ROUNDING).sum())
        share = near / len(logs)
        result |= _named(name, np.array([share, *share_interval(near, len(logs))]))
    return result


def _named(name: str, values: Array) -> dict[str, float]:
    return dict(zip((name, f"{name}_low", f"{name}_high"), map(float, values), strict=True))


def _in_common_layouts(errors: Sequence[PredictionError]) -> Array:
    """The errors in each layout that all have: a line for each layout, in it one for each row."""
    common = set.intersection(*(set(error.by_layout) for error in errors))
    lines = [[error.by_layout[layout] for error in errors] for layout in sorted(common)]
    return np.array(lines, dtype=float).reshape(len(common), len(errors))


def mean_interval(values: Array, clusters: Sequence[str], by_layout: Array) -> Array:
    """The mean of the rows' values, and its 95 % interval over rows and layouts.

    `by_layout` are the rows' means in each layout. The variance over rows is that of clusters,
    between which alone rows are taken as independent; that of the layouts' mean is added. The
    interval is Student's, NaN for fewer than two clusters.
    """
    mean = float(values.mean())
    over_rows = cluster_variance(values, clusters)
    if not over_rows.df > 0:
        return np.array([mean, NAN, NAN])
    layouts = len(by_layout)
    over_layouts = Variance(
        float(by_layout.var(ddof=1)) / layouts if layouts > 1 else 0.0, max(layouts - 1, 0)
    )
    half = margin(total([over_rows, over_layouts]))
    return np.array([mean, mean - half, mean + half])


def cluster_variance(values: Array, clusters: Sequence[str]) -> Variance:
    """The variance of the mean of values of which those of a cluster may depend on each other.

    Of clusters of one value each it is their variance by their number.
    """
    names = list(dict.fromkeys(clusters))
    count = len(names)
    if count < 2:
        return Variance(NAN, 0)
    off = values - values.mean()
    places = np.array([names.index(name) for name in clusters])
    sums = np.bincount(places, weights=off, minlength=count)
    value = float((sums**2).sum()) / len(values) ** 2 * count / (count - 1)
    return Variance(value, count - 1)


def share_interval(near: int, of: int) -> tuple[float, float]:
    """Clopper and Pearson's exact 95 % interval of a share of independent rows."""
    from scipy import special  # takes a tenth of a second

    tail = (1 - CONFIDENCE) / 2
    low = float(special.betaincinv(near, of - near + 1, tail)) if near else 0.0
    high = float(special.betaincinv(near + 1, of - near, 1 - tail)) if near < of else 1.0
    return low, high
