# SPDX-License-Identifier: BSD-3-Clause
"""The scaling curve: geometric mean of R against MIPS, with the publication's behind it.

A run of several suites gets a panel for each suite and for its elasticities, a run of memories of
several latencies and bandwidths a grid of R.  If the run has a table `layouts`, bars and bands
around each curve hold 95 % of layouts.  Between two clocks a curve is that of the formula of
`osgap predict`.  The curve of a run that was predicted in part shows the predicted grid with 95 %
bands; simulated points are filled.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import labels, style
from osgap.drawing.display_names import machine_name
from osgap.figures import _bands, _findings, _grid, _predicted, _suites, _two_clocks
from osgap.suites import main_sets, published_means, reference_set

SET = reference_set()
BENCHMARKS = main_sets()[SET].sets[SET]
PUBLISHED = published_means().get(SET)
_REFERENCE = [f"reference/{PUBLISHED.table}"] if PUBLISHED else []
TABLES = ["geomean", "elasticity", *_REFERENCE]
OPTIONAL = ["layouts", "predicted_means", "points", "relative"]
_LABEL_INCHES = 1.6
"""Space for the labels at the ends of lines."""
MOST_LABELS = 6
"""Series that are named at the ends of their lines; of more, a legend names them."""


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws a line for each series: mean R over MIPS relative to the slowest machine (log2)."""
    if _suites.present(tables["geomean"]):
        return _suites.draw(tables)
    geomeans = _predicted.means(tables)
    means = geomeans[(geomeans["set"] == SET) & geomeans["geomean"].notna()]
    if _grid.present(means):
        return _grid.draw(tables, means)
    figure = Figure(figsize=(7.5, 4.9), layout="constrained")
    axes = figure.add_subplot()
    style.shade_below(axes)
    styles = style.series_style(means["series"].unique())
    for series, group in means.groupby("series", sort=False):
        x, y = _two_clocks.curve(group, tables, BENCHMARKS)
        marks = [0, -1] if len(x) > len(group) else None
        axes.plot(x, y, markersize=5, markevery=marks, **styles[str(series)])
    bands = _draw_bands(axes, tables, means, styles)
    published = _published(axes, tables)
    ratios = [*means["mips_ratio"], *(x for x, _, _ in published)]
    _finish(axes, ratios, [*means["geomean"], *(y for _, y, _ in published)])
    ends = _ends(means, styles)
    title = _findings.scaling_title(tables, SET, means)
    subtitle = _findings.scaling_subtitle(tables, means) + bands
    style.add_title(figure, title, subtitle, right=_LABEL_INCHES if ends else 0)
    _legend(figure, axes, dict(styles) if ends else {})
    # The layout engine moves the axes, so it has to run before the labels are placed.
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    labels.label_ends(axes, ends)
    _name_areas(axes)
    labels.place_labels(axes, published)
    return figure


def _draw_bands(
    axes: Axes,
    tables: Mapping[str, pd.DataFrame],
    means: pd.DataFrame,
    styles: Mapping[str, dict[str, Any]],
) -> str:
    """Draws bands of predictions or of layouts; returns how to read the lines beside them."""
    if _predicted.draw(axes, means, styles):
        _predicted.explain(axes)
    elif _bands.draw(axes, _bands.of_set(tables, SET), means, styles):
        _bands.explain(axes)
        return "\nline: one layout of code and data in memory; band: 95 % of all layouts"
    return ""


def _ends(
    means: pd.DataFrame, styles: Mapping[str, dict[str, Any]]
) -> list[tuple[float, float, str, str]]:
    """The end of each series' line, with its name and mean R; none for many series."""
    if means["series"].nunique() > MOST_LABELS:
        return []
    ends = []
    for series, group in means.groupby("series", sort=False):
        last = group.sort_values("mips_ratio").iloc[-1]
        look = styles[str(series)]
        name = labels.wrapped(str(look["label"]))
        text = f"{name}: {last['geomean']:.2f}"
        ends.append((float(last["mips_ratio"]), float(last["geomean"]), text, str(look["color"])))
    return ends


def _published(axes: Axes, tables: Mapping[str, pd.DataFrame]) -> list[tuple[float, float, str]]:
    """Draws the publication's machines; returns their x, y and names."""
    if PUBLISHED is None:
        return []
    points = [(x, y, machine_name(name)) for x, y, name in PUBLISHED.points(tables[_REFERENCE[0]])]
    x, y, _ = zip(*points, strict=True)
    style.white_marks(axes, x, y, 5, style.GREY, label=PUBLISHED.label)
    return points


def _finish(axes: Axes, x: list[float], y: list[float]) -> None:
    style.plain(axes)
    style.log2_ticks(axes, [2.0**power for power in range(-6, 20)])
    axes.set_xlim(min(x) / 1.35, max(x) * 1.06)
    axes.set_ylim(0, max([1.1, *y]) * 1.1)
    axes.set_xlabel("speed of the processor (MIPS), relative to the slowest machine")
    axes.set_ylabel("MIPS-relative speed R")


def _legend(figure: Figure, axes: Axes, named: Mapping[str, dict[str, Any]]) -> None:
    """Adds a legend of all that no label at a line's end names."""
    labels = {look["label"] for look in named.values()}
    pairs = zip(*axes.get_legend_handles_labels(), strict=True)
    entries = [(handle, text) for handle, text in pairs if text not in labels]
    if entries:
        handles, texts = zip(*entries, strict=True)
        figure.legend(
            handles, texts, loc="outside lower center", ncols=3, frameon=False, fontsize=8
        )


def _name_areas(axes: Axes) -> None:
    low, high = axes.get_xlim()
    inset = (high / low) ** 0.015
    for text, x, y, side in (
        ("R = 1: kept up with the processor", high / inset, 1.045, "right"),
        ("R below 1: fell behind", low * inset, 0.03, "left"),
    ):
        label = axes.text(x, y, text, fontsize=8, fontstyle="italic", color=style.GREY, ha=side)
        label.set_path_effects([labels.HALO])
