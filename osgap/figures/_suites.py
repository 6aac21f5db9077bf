# SPDX-License-Identifier: BSD-3-Clause
"""The scaling curves of the suites that a run has, a panel each, over a panel of elasticities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.figures import _bands
from osgap.suites import main_sets, reference_set

ROW_INCHES = 0.19
LEGEND_COLUMNS = 4
SPREAD = 0.2
"""Rows between the marks of neighbouring series, which would cover each other."""


def present(geomeans: pd.DataFrame) -> list[str]:
    """Returns each suite's main set that has a mean; none if that is the reference set alone."""
    names = [name for name in main_sets() if name in _sets(geomeans)]
    return [] if names == [reference_set()] else names


def _sets(geomeans: pd.DataFrame) -> set[str]:
    return set(geomeans[geomeans["geomean"].notna()]["set"])


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """A column a suite: above, mean of R against MIPS; below, every row's fitted elasticity."""
    geomeans, elasticities = tables["geomean"], tables["elasticity"]
    names = present(geomeans)
    suites = main_sets()
    fits = elasticities[(elasticities["kind"] == "fit") & elasticities["elasticity"].notna()]
    rows = {name: _rows(fits, suites[name].rows) for name in names}
    height = ROW_INCHES * max(map(len, rows.values())) + 0.6
    figure = Figure(figsize=(4.1 * len(names), 3.6 + height), layout="constrained")
    grid = figure.subplots(2, len(names), squeeze=False, height_ratios=[3.2, height])
    styles = style.series_style(geomeans["series"].unique())
    for at, name in enumerate(names):
        own = geomeans[(geomeans["set"] == name) & geomeans["geomean"].notna()]
        _curves(grid[0][at], own, styles)
        if _bands.draw(grid[0][at], _bands.of_set(tables, name), own, styles) and at == 0:
            _bands.explain(grid[0][at])
        grid[0][at].set_title(f"{suites[name].title}: {own['n'].max()} rows", fontsize=9)
        _dots(grid[1][at], fits, rows[name], styles)
    grid[0][0].set_ylabel("MIPS-relative speed, geometric mean", fontsize=8)
    handles, labels = grid[0][0].get_legend_handles_labels()
    columns = min(len(labels), LEGEND_COLUMNS)
    figure.legend(
        handles, labels, loc="outside upper center", ncols=columns, frameon=False, fontsize=8
    )
    return figure


def _curves(axes: Axes, own: pd.DataFrame, styles: Mapping[str, dict[str, Any]]) -> None:
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    for series, group in own.groupby("series", sort=False):
        line = group.sort_values("mips_ratio")
        axes.plot(line["mips_ratio"], line["geomean"], markersize=4, **styles[str(series)])
    style.plain(axes)
    style.log2_ticks(axes, [2.0**power for power in range(-6, 20)])
    axes.set_xlim(own["mips_ratio"].min() / 1.2, own["mips_ratio"].max() * 1.2)
    axes.set_ylim(0, max(1.1, own["geomean"].max()) * 1.08)
    axes.set_xlabel("MIPS relative to the slowest machine", fontsize=8)
    axes.tick_params(labelsize=7)


def _rows(fits: pd.DataFrame, benchmarks: Sequence[str]) -> list[tuple[str, str]]:
    """(benchmark, fs) of each that has an elasticity, in the suite's order."""
    found = dict.fromkeys(zip(fits["benchmark"], fits["fs"], strict=True))
    return [(name, fs) for wanted in benchmarks for name, fs in found if name == wanted]


def _dots(
    axes: Axes,
    fits: pd.DataFrame,
    rows: Sequence[tuple[str, str]],
    styles: Mapping[str, dict[str, Any]],
) -> None:
    places = {row: at for at, row in enumerate(rows)}
    axes.axvline(-1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    middle = (fits["series"].nunique() - 1) / 2
    for at, (series, group) in enumerate(fits.groupby("series", sort=False)):
        own = group[[row in places for row in zip(group["benchmark"], group["fs"], strict=True)]]
        rank = SPREAD * (at - middle)
        y = [places[row] + rank for row in zip(own["benchmark"], own["fs"], strict=True)]
        axes.plot(own["elasticity"], y, linestyle="none", markersize=3, **styles[str(series)])
    style.plain(axes)
    axes.set_yticks(range(len(rows)), [style.benchmark_label(*row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(min(-1.15, fits["elasticity"].min()), max(0.15, fits["elasticity"].max()))
    axes.set_xlabel("elasticity of time to the clock (-1: as fast as the clock)", fontsize=8)
    axes.tick_params(labelsize=7)
