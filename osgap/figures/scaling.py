# SPDX-License-Identifier: BSD-3-Clause
"""The scaling curve: geometric mean of R against MIPS, with the publication's behind it.

A run of several suites gets a panel for each suite and for its elasticities.  If the run has a
table `layouts`, a band around each curve holds 95 % of layouts.  The curve of a run that was
predicted in part shows the predicted grid with 95 % bands; simulated points are filled.
"""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import style
from osgap.figures import _bands, _predicted, _suites
from osgap.suites import published_means, reference_set

SET = reference_set()
PUBLISHED = published_means().get(SET)
_REFERENCE = [f"reference/{PUBLISHED.table}"] if PUBLISHED else []
TABLES = ["geomean", "elasticity", *_REFERENCE]
OPTIONAL = ["layouts", "predicted_means"]


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a line for each series: mean R over MIPS relative to the slowest machine (log2)."""
    if _suites.present(tables["geomean"]):
        return _suites.draw(tables)
    figure = Figure(figsize=(7.5, 4.8), layout="constrained")
    axes = figure.add_subplot()
    geomeans = _predicted.means(tables)
    means = geomeans[(geomeans["set"] == SET) & geomeans["geomean"].notna()]
    axes.axhline(1, color=style.GREY, linewidth=0.8, linestyle=(0, (1, 2)))
    styles = style.series_style(means["series"].unique())
    for series, group in means.groupby("series", sort=False):
        ordered = group.sort_values("mips_ratio")
        axes.plot(ordered["mips_ratio"], ordered["geomean"], markersize=5, **styles[str(series)])
    if _predicted.draw(axes, means, styles):
        _predicted.explain(axes)
    elif _bands.draw(axes, _bands.of_set(tables, SET), means, styles):
        _bands.explain(axes)
    published = _published(axes, tables)
    x = [*means["mips_ratio"], *(x for x, _, _ in published)]
    _finish(axes, x, [*means["geomean"], *(y for _, y, _ in published)])
    # The layout engine moves the axes, so it has to run before the labels are placed.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    style.place_labels(axes, published)
    return figure


def _published(axes: Axes, tables: Mapping[str, pd.DataFrame]) -> list[tuple[float, float, str]]:
    """Draws the publication's machines; returns their x, y and names."""
    if PUBLISHED is None:
        return []
    points = PUBLISHED.points(tables[_REFERENCE[0]])
    axes.plot(
        [x for x, _, _ in points],
        [y for _, y, _ in points],
        "o",
        markersize=5,
        markerfacecolor="white",
        markeredgecolor=style.GREY,
        label=PUBLISHED.label,
    )
    return points


def _finish(axes: Axes, x: list[float], y: list[float]) -> None:
    style.plain(axes)
    style.log2_ticks(axes, [2.0**power for power in range(-6, 20)])
    axes.set_xlim(min(x) / 1.4, max(x) * 1.25)
    axes.set_ylim(0, max([1.1, *y]) * 1.12)
    axes.set_xlabel("MIPS relative to the slowest machine")
    axes.set_ylabel("MIPS-relative speed, geometric mean")
    axes.figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
