# SPDX-License-Identifier: BSD-3-Clause
"""Each benchmark's speedup from the MicroVAX II to a measured machine, and the processor's."""

from collections.abc import Hashable, Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from osgap.analysis.constants import higher_is_better
from osgap.drawing import panels, style, text
from osgap.drawing.display_names import benchmark_name
from osgap.drawing.figure import FigureError, NothingToDraw
from osgap.suites.ousterhout.cells import BENCHMARKS
from osgap.suites.ousterhout.published import LOCAL
from osgap.suites.ousterhout.simulated import REFERENCE
from osgap.suites.ousterhout.since import SINCE_1990

TABLES = ["reference/ousterhout_tables"]
OPTIONAL = [SINCE_1990]
ENGINES = ("native",)
READING = "after each name the printed and the measured value"
_METRICS = {benchmark: metric for metric, benchmark in BENCHMARKS.items()}
_NUMBERS = ["paper", "value", "faster", "mips_ratio", "relative"]
_ENDS = ("relative_low", "relative_high")
_MACHINE, _PROCESSOR, _OTHERS = style.ENTITIES["native"][0], style.COLOURS[1], "#999999"
TITLE = "How many times faster than the MicroVAX II: each benchmark, and the processor"


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """One line for each benchmark: the speedup over the MicroVAX II's printed result.

    Small dots are the paper's other machines. A dotted line leads to the processor's speedup.
    """
    if SINCE_1990.name not in tables:
        raise NothingToDraw("since_1990: the run has no MIPS rating, so no R")
    since = tables[SINCE_1990.name]
    since = since[(since[_NUMBERS] > 0).all(axis=1)]
    since = since[since["key"] == since["key"].iloc[0]] if len(since) else since
    bounds = {end: since[end].where(since[end] > 0, since["relative"]) for end in _ENDS}
    since = since.assign(**bounds)
    if since.empty:
        raise FigureError("since_1990: there is no row that the paper prints too")
    rows = since.sort_values("relative", kind="stable").to_dict("records")
    figure = Figure(figsize=(7.5, 0.36 * len(rows) + 0.7), layout="constrained")
    axes = figure.add_subplot()
    ratio = float(rows[0]["mips_ratio"])
    for position, row in enumerate(rows):
        _line(axes, position, row, _paper_speedups(tables["reference/ousterhout_tables"], row))
    axes.axvline(
        ratio,
        color=_PROCESSOR,
        linewidth=1.2,
        label=f"the processor (MIPS): {_times(ratio)} as fast",
    )
    axes.plot([], [], "o", color=_MACHINE, label=f"{rows[0]['machine']}, with its 95 % interval")
    axes.plot([], [], "o", color=_OTHERS, markersize=3, label="the paper's machines, 1987-1989")
    labels = [f"{benchmark_name(r['benchmark'], r['fs'])}  {_span(r)}" for r in rows]
    axes.set_yticks(range(len(rows)), labels, fontsize=8)
    axes.set_xscale("log")
    style.only_ticks(axes.xaxis, LogLocator(10, numticks=12), "{x:,.10g}")
    axes.set_xlabel("times as fast as the MicroVAX II (its printed times)")
    style.plain(axes)
    panels.add_heading(figure, (TITLE, READING), axes.get_legend_handles_labels(), 2)
    return figure


def _line(axes: Axes, position: int, row: Mapping[Hashable, object], speedups: list[float]) -> None:
    faster, ratio = float(str(row["faster"])), float(str(row["mips_ratio"]))
    axes.plot([1, faster], [position, position], color=_MACHINE, linewidth=2, solid_capstyle="butt")
    axes.plot(
        [faster, ratio],
        [position, position],
        color=_PROCESSOR,
        linewidth=0.8,
        linestyle=(0, (1, 2)),
    )
    axes.plot(speedups, [position] * len(speedups), "o", color=_OTHERS, markersize=3, zorder=3)
    low, high = (float(str(row[end])) * ratio for end in _ENDS)
    axes.plot([low, high], [position, position], color="black", linewidth=4, alpha=0.4, zorder=4)
    axes.plot([faster], [position], "o", color=_MACHINE, markersize=6, zorder=5)
    axes.annotate(
        _times(faster),
        (faster, position),
        xytext=(0, 5),
        textcoords="offset points",
        ha="center",
        fontsize=6.5,
        color=style.GREY,
    )


def _paper_speedups(reference: pd.DataFrame, row: Mapping[Hashable, object]) -> list[float]:
    """Returns the speedups over the MicroVAX II of the other printed machines with local files."""
    printed = reference[
        (reference["source"] == 1990)
        & (reference["metric"] == _METRICS.get(str(row["benchmark"])))
        & reference["variant"].isin(LOCAL)
        & (reference["value"] != "--")
        & (reference["machine"] != REFERENCE)
    ]["value"].astype(float)
    there = float(str(row["paper"]))
    rates = higher_is_better(str(row["metric"]))
    return [float(value / there if rates else there / value) for value in printed]


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x"


def _span(row: Mapping[Hashable, object]) -> str:
    """Returns the printed and the measured value with their unit."""
    return f"{text.grouped(row['paper'])} to {text.grouped(row['value'])} {row['metric']}"
