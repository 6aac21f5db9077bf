# SPDX-License-Identifier: BSD-3-Clause
"""Scaling curves of two simulators."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import labels, panels, style
from osgap.drawing.display_names import engine_name
from osgap.drawing.figure import NothingToDraw
from osgap.figures import _findings
from osgap.figures.compare import _sides
from osgap.suites import reference_set

TABLES = ["sides", "means"]


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws the geometric mean of R against MIPS, solid for side A, dashed for B."""
    means = tables["means"]
    drawn = means[means["set"] == reference_set()].dropna(subset=["geomean_a", "geomean_b"])
    if drawn.empty:
        raise NothingToDraw("scaling: no geometric mean is defined in both runs")
    names = [engine_name(str(label)) for label in tables["sides"]["label"]]
    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    axes = figure.add_subplot()
    style.shade_below(axes)
    styles = style.series_style(drawn["series"].unique())
    for series, rows in drawn.groupby("series", sort=False):
        _curves(axes, rows.sort_values("clock_mhz"), styles[str(series)])
    style.plain(axes)
    style.log2_ticks(axes, [2.0**power for power in range(-6, 20)])
    axes.set_ylim(0, max(1.1, drawn[["geomean_a", "geomean_b"]].max().max()) * 1.08)
    axes.set_xlabel("speed of the processor (MIPS), relative to the slowest machine")
    axes.set_ylabel("mean R")
    words = (_title(drawn, names), _findings.READING)
    panels.add_heading(figure, words, _sides.entries(names), 3, right=1.5)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    labels.label_ends(axes, _ends(drawn, styles))
    return figure


def _curves(axes: Axes, line: pd.DataFrame, look: Mapping[str, Any]) -> None:
    for side, drawn in (("a", _sides.first(look)), ("b", _sides.second(look))):
        axes.plot(line[f"mips_ratio_{side}"], line[f"geomean_{side}"], markersize=5, **drawn)


def _ends(drawn: pd.DataFrame, styles: Mapping[str, Any]) -> list[tuple[float, float, str, str]]:
    ends = []
    for series, rows in drawn.groupby("series", sort=False):
        last = rows.sort_values("clock_mhz").iloc[-1]
        look = styles[str(series)]
        text = f"{labels.wrapped(look['label'])}:\n{last['geomean_a']:.2f}, {last['geomean_b']:.2f}"
        ends.append((float(last["mips_ratio_a"]), float(last["geomean_a"]), text, look["color"]))
    return ends


def _title(drawn: pd.DataFrame, names: list[str]) -> str:
    alone = drawn[drawn["series"] == "fixed"]
    if alone.empty:
        return f"Mean R on {names[0]} and on {names[1]}"
    last = alone.sort_values("clock_mhz").iloc[-1]
    faster = _findings.times(float(last["mips_ratio_a"]))
    return (
        f"A processor {faster} times faster: R is {last['geomean_a']:.2f} on {names[0]}, "
        f"{last['geomean_b']:.2f} on {names[1]}"
    )
