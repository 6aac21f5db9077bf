# SPDX-License-Identifier: BSD-3-Clause
"""For each suite of a run, a panel of scaling curves above a panel of elasticities."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.base.quoting import counted
from osgap.drawing import panels, style
from osgap.drawing.display_names import benchmark_name
from osgap.figures import _bands, _findings
from osgap.suites import main_sets, reference_set

ROW_INCHES = 0.2
WIDTH = 3.75
TITLE = "What other publications' benchmarks gain from a faster clock"
SPREAD = 0.2
"""Vertical distance, in rows, between the marks of neighbouring series."""


def present(geomeans: pd.DataFrame) -> list[str]:
    """Returns each suite's main set that has a mean; none if that is the reference set alone."""
    averaged = set(geomeans[geomeans["geomean"].notna()]["set"])
    names = [name for name in main_sets() if name in averaged]
    return [] if names == [reference_set()] else names


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a column for each suite: mean R against MIPS, and the fitted elasticity of each row."""
    geomeans, elasticities = tables["geomean"], tables["elasticity"]
    names = present(geomeans)
    suites = main_sets()
    fits = elasticities[(elasticities["kind"] == "fit") & elasticities["elasticity"].notna()]
    rows = {name: _rows(fits, suites[name].rows) for name in names}
    height = ROW_INCHES * max(map(len, rows.values())) + 0.6
    figure = Figure(figsize=(WIDTH * len(names), 2.9 + height), layout="constrained")
    grid = figure.subplots(2, len(names), squeeze=False, height_ratios=[2.5, height])
    styles = style.series_style(geomeans["series"].unique())
    for name, curves, dots in zip(names, grid[0], grid[1], strict=True):
        means = geomeans[(geomeans["set"] == name) & geomeans["geomean"].notna()]
        _curves(curves, means, styles)
        has_bands = _bands.draw(curves, _bands.of_set(tables, name), means, styles)
        if has_bands and name == names[0]:
            _bands.explain(curves)
        curves.set_title(f"{suites[name].title}: {counted(means['n'].max(), 'row')}", fontsize=9)
        _dots(dots, fits, rows[name], styles)
    grid[0][0].set_ylabel("mean R", fontsize=8)
    legend = grid[0][0].get_legend_handles_labels()
    panels.add_heading(figure, (TITLE, _findings.READING), legend, len(legend[1]))
    return figure


def _curves(axes: Axes, means: pd.DataFrame, styles: Mapping[str, dict[str, Any]]) -> None:
    style.shade_below(axes)
    for series, group in means.groupby("series", sort=False):
        line = group.sort_values("mips_ratio")
        axes.plot(line["mips_ratio"], line["geomean"], markersize=4, **styles[str(series)])
    style.plain(axes)
    style.log2_ticks(axes, [2.0**power for power in range(-6, 20)])
    axes.set_xlim(means["mips_ratio"].min() / 1.2, means["mips_ratio"].max() * 1.2)
    axes.set_ylim(0, max(1.1, means["geomean"].max()) * 1.08)
    axes.set_xlabel("speed of the processor (MIPS), relative", fontsize=8)
    axes.tick_params(labelsize=7)


def _rows(fits: pd.DataFrame, benchmarks: Sequence[str]) -> list[tuple[str, str]]:
    """(benchmark, fs) of the rows with an elasticity, in the suite's order."""
    pairs = dict.fromkeys(zip(fits["benchmark"], fits["fs"], strict=True))
    return [(name, fs) for benchmark in benchmarks for name, fs in pairs if name == benchmark]


def _dots(
    axes: Axes,
    fits: pd.DataFrame,
    rows: Sequence[tuple[str, str]],
    styles: Mapping[str, dict[str, Any]],
) -> None:
    positions = {row: index for index, row in enumerate(rows)}
    axes.axvline(-1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    middle = (fits["series"].nunique() - 1) / 2
    for index, (series, group) in enumerate(fits.groupby("series", sort=False)):
        shift = SPREAD * (index - middle)
        pairs = zip(group["benchmark"], group["fs"], strict=True)
        group = group.assign(y=[positions.get(pair, math.nan) + shift for pair in pairs])
        group = group[group["y"].notna()]
        axes.plot(
            group["elasticity"],
            group["y"],
            markersize=3.5,
            **{**styles[str(series)], "linestyle": "none"},
        )
    style.plain(axes)
    axes.set_yticks(range(len(rows)), [benchmark_name(*row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(min(-1.15, fits["elasticity"].min()), max(0.15, fits["elasticity"].max()))
    # An elasticity e means that the time becomes 2^e times as long when the clock doubles.
    axes.set_xticks([-1, -0.5, 0], ["halves:\nkept up", "x 0.71", "stays as\nit was"])
    axes.set_xlabel("time when the clock doubles", fontsize=8)
    axes.tick_params(labelsize=7)
