# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1 of 1990 and the same ten machines simulated; with --native machines of today too."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from osgap.drawing import panels, style
from osgap.drawing.display_names import machine_name
from osgap.drawing.figure import FigureError
from osgap.suites.ousterhout.cells import NULL_MODELS
from osgap.suites.ousterhout.simulated import REFERENCE
from osgap.suites.ousterhout.since import SINCE_1990_MEANS
from osgap.suites.ousterhout.tables import MEANS

TABLES = [MEANS]
OPTIONAL = [SINCE_1990_MEANS]
# Not all rows of the paper's own Figure 1, which has remote files too.
PUBLISHED = "printed in 1990"
TITLE = "The operating system's speed on machines of 1990: printed and simulated"
READING = "mean R of the rows on local files (R = 1: the operating system kept up)"
INTERVALS = "\nwide bars: 95 % over layouts of code and data, where several were simulated"
NULL_LINES = {"null": 1.3, "informed": 3.2}
"""The null models' columns -> the width of their marks."""
CLOSE = 1.25
_SPREAD = 0.6
"""The height that the engines' lines of one machine take, in rows."""


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """A row for each machine by MIPS: from the printed mean of R a line to each engine's."""
    means = tables["means"].dropna(subset=["paper", "simulated"])
    if means.empty:
        raise FigureError("figure1: no machine has a mean")
    printed = means.drop_duplicates("machine").sort_values("mips", kind="stable")
    here = _measured(tables)
    rows = {str(name): place for place, name in enumerate(printed["machine"])}
    engines = [str(name) for name in dict.fromkeys(means["engine"])]
    height = (0.24 + 0.09 * len(engines)) * len(rows) + 0.24 * len(here) + 0.6
    figure = Figure(figsize=(7.5, height), layout="constrained")
    axes = figure.add_subplot()
    style.plain(axes)
    axes.axvspan(0, 1, color=style.SHADE, linewidth=0, zorder=0)
    axes.axvline(1, color=style.GREY, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
    looks = style.entity_style([*engines, *NULL_MODELS, "native"])
    for number, engine in enumerate(engines):
        shift = _SPREAD * ((number + 0.5) / len(engines) - 0.5)
        _engine(axes, means[means["engine"] == engine], rows, shift, looks[engine])
    for model, column in NULL_MODELS.items():
        _null(axes, printed, rows, column, str(looks[model]["label"]))
    places = list(rows.values())
    style.white_marks(axes, printed["paper"], places, 7, zorder=5, label=PUBLISHED)
    for place, (_, mean, _) in enumerate(here, start=len(rows)):
        axes.plot([mean], [place], linestyle="none", markersize=11, **looks["native"])
    pairs = printed[["machine", "mips"]].itertuples(index=False, name=None)
    labels = [_label(machine_name(str(name)), float(mips)) for name, mips in pairs]
    labels += [_label(name, mips) for mips, _, name in here]
    axes.set_yticks(range(len(labels)), labels, fontsize=8.5)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    most = max(1.1, float(means[["paper", "simulated", *NULL_LINES]].max().max()))
    axes.set_xlim(0, most * 1.06)
    axes.set_xlabel("mean R")
    reading = READING + (INTERVALS if means["simulated_low"].notna().any() else "")
    panels.add_heading(figure, (TITLE, reading), _legend(axes, len(engines)), 3)
    return figure


def _engine(
    axes: Axes, means: pd.DataFrame, rows: Mapping[str, int], shift: float, look: dict[str, object]
) -> None:
    """Draws one engine's marks, a line to each from the printed mean, and the intervals."""
    within = _within(means, "simulated")
    for row in means.to_dict("records"):
        y = rows[str(row["machine"])] + shift
        paper, simulated = float(row["paper"]), float(row["simulated"])
        axes.plot([paper, simulated], [y, y], color=str(look["color"]), linewidth=1.4, zorder=2)
        if row["simulated_low"] == row["simulated_low"]:
            ends = [float(row["simulated_low"]), float(row["simulated_high"])]
            colour = str(look["color"])
            axes.plot(ends, [y, y], color=colour, linewidth=5, alpha=0.35, zorder=2)
    axes.plot(
        means["simulated"],
        [rows[str(name)] + shift for name in means["machine"]],
        linestyle="none",
        markersize=5.5,
        zorder=4,
        color=str(look["color"]),
        marker=str(look["marker"]),
        label=f"{look['label']}: {within}",
    )


def _null(
    axes: Axes, printed: pd.DataFrame, rows: Mapping[str, int], column: str, name: str
) -> None:
    """Draws a null model's marks, the informed one's wider."""
    axes.plot(
        printed[column],
        [rows[str(machine)] for machine in printed["machine"]],
        linestyle="none",
        marker="|",
        markersize=15,
        markeredgewidth=NULL_LINES[column],
        color="black",
        zorder=3,
        label=f"{name}: {_within(printed, column)}",
    )


def _within(means: pd.DataFrame, column: str) -> str:
    """The number of machines, but for the reference, whose mean is near the printed one."""
    compared = means[means["machine"] != REFERENCE].dropna(subset=[column])
    ratio = compared[column] / compared["paper"]
    near = int(ratio.between(1 / CLOSE, CLOSE).sum())
    return f"{near} of {len(compared)} within 25 %"


def _label(name: str, mips: float) -> str:
    return f"{name}, {mips:,.3g} MIPS" if mips < 1000 else f"{name}, {mips:,.0f} MIPS"


def _legend(axes: Axes, engines: int) -> tuple[list[Artist], list[str]]:
    """The printed circle first, then the engines, then the null models."""
    handles, labels = axes.get_legend_handles_labels()
    circle = engines + len(NULL_MODELS)
    order = [circle, *range(circle), *range(circle + 1, len(labels))]
    return [handles[index] for index in order], [labels[index] for index in order]


def _measured(tables: Mapping[str, pd.DataFrame]) -> list[tuple[float, float, str]]:
    """MIPS, mean R and name of each machine measured with --native."""
    if "since_1990_means" not in tables:
        return []
    means = tables["since_1990_means"]
    means = means[(means["mips"] > 0) & (means["geomean"] > 0)]
    measured = means[means["source"] == "measured"][["mips", "geomean", "machine"]]
    return [(float(x), float(y), str(n)) for x, y, n in measured.itertuples(index=False, name=None)]
