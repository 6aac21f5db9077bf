# SPDX-License-Identifier: BSD-3-Clause
"""Colours, axes and labels that all figures share."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, Locator, NullLocator
from numpy.typing import ArrayLike

from osgap.analysis.constants import SERIES
from osgap.drawing.display_names import engine_name, series_name

# Okabe and Ito's palette, distinguishable for colour-blind readers, then Tol's: no colour repeats.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MORE_COLOURS = (
    *("#882255", "#999933", "#332288", "#117733", "#AA4499", "#661100", "#88CCEE", "#DDCC77"),
    *("#44AA99", "#8C564B", "#7F7F7F", "#BCBD22", "#1F4E79", "#F0A3FF", "#4C4CFF", "#FF6F61"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", (0, (6, 1.5)), (0, (4, 1.2, 1, 1.2)), (0, (1.5, 1.2)))
GREY = "#595959"
SHADE = "#f4f1ee"

# Entity -> colour and marker, the same in every figure and on every page.
ENTITIES = {
    "rvsim": ("#0072B2", "o"),
    "gem5": ("#D55E00", "s"),
    "rvsim_period": ("#56B4E9", "^"),
    "gem5_period": ("#E69F00", "D"),
    "native": ("#009E73", "*"),
    "null_model": ("#7F7F7F", "X"),
    "informed_null": ("#000000", "P"),
    "no giant lock": ("#009E73", "o"),
    "adaptive": ("#0072B2", "s"),
    "giant": ("#D55E00", "^"),
}

# Part of the machine that takes time -> colour and hatch.
RESOURCES = {
    "user": ("#0072B2", ""),
    "kernel": ("#56B4E9", ""),
    "busy": ("#3A93CE", ""),
    "memory": ("#D55E00", "////"),
    "disk": ("#A6DCCB", "...."),
    "wire": ("#E69F00", "\\\\\\\\"),
    "entry": ("#CC79A7", "xxxx"),
    "rest": ("#B3B3B3", ""),
}


def entity_colours(names: Iterable[str]) -> dict[str, str]:
    """Returns the colour of each engine, lock or other entity; no two share one of the first 23."""
    distinct = dict.fromkeys(names)
    used_colours = {ENTITIES[name][0] for name in distinct if name in ENTITIES}
    free = [colour for colour in (*COLOURS, *MORE_COLOURS) if colour not in used_colours]
    variable = [name for name in distinct if name not in ENTITIES]
    spare = {name: free[index % len(free)] for index, name in enumerate(variable)}
    return {name: ENTITIES[name][0] if name in ENTITIES else spare[name] for name in distinct}


def entity_style(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Returns colour, marker and label of each engine; an unknown one gets spare looks."""
    colours = entity_colours(names)
    spare = iter(MARKERS * (1 + len(colours) // len(MARKERS)))
    return {
        name: {
            "label": engine_name(name),
            "color": colour,
            "marker": ENTITIES[name][1] if name in ENTITIES else next(spare),
        }
        for name, colour in colours.items()
    }


def series_style(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Series -> label, colour, marker and dashes; the first 161 have distinct looks."""
    order = [*SERIES, *(name for name in names if name not in SERIES)]
    palette = (*COLOURS, *MORE_COLOURS)
    return {
        name: {
            "label": series_name(name),
            "color": palette[index % len(palette)],
            "marker": MARKERS[(index + index // len(palette)) % len(MARKERS)],
            "linestyle": DASHES[index % len(DASHES)],
        }
        for index, name in enumerate(order)
    }


def nested_widths(count: int) -> list[float]:
    """Returns widths of up to four lines, each thinner than the one below, so that all show."""
    if count > len(SERIES):
        return [1.3] * count
    return [float(width) for width in np.linspace(3.4, 1.0, count)] if count > 1 else [1.5]


def plain(axes: Axes) -> None:
    """Gives the axes a light grid and two spines."""
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def only_ticks(
    axis: Axis, locator: Locator, label: str | Callable[[float, float], str] = "{x:g}"
) -> None:
    """Gives an axis the ticks of `locator` and no others, labelled as `label` formats them."""
    axis.set_major_locator(locator)
    axis.set_major_formatter(label)
    axis.set_minor_locator(NullLocator())


def white_marks(
    axes: Axes, x: ArrayLike, y: ArrayLike, size: float, edge: str = "black", **look: Any
) -> None:
    """Draws white marks, by default circles: printed and predicted values."""
    look = {"marker": "o", "markersize": size, "linestyle": "none", **look}
    axes.plot(x, y, markerfacecolor="white", markeredgecolor=edge, **look)


def stacked_bars(
    axes: Axes, x: ArrayLike, height: ArrayLike, bottom: ArrayLike, resource: str, **look: Any
) -> None:
    """Draws a bar at each `x` from `bottom`, in the colour and hatch of one of RESOURCES."""
    colour, hatch = RESOURCES[resource]
    look = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0, **look}
    axes.bar(x, height, bottom=bottom, **look)


def log2_ticks(axes: Axes, values: Sequence[float]) -> None:
    """Makes x a log axis with ticks at `values` only, labelled with plain numbers."""
    axes.set_xscale("log", base=2)
    only_ticks(axes.xaxis, FixedLocator(sorted(values)))


def add_title(
    figure: Figure, title: str, subtitle: str = "", right: float = 0, below: float = 0
) -> None:
    """Writes above all panels what is seen, and in smaller letters how to read it.

    The layout leaves room for both, and for `below` and `right` inches more.
    """
    width, height = figure.get_size_inches()
    figure.text(0.012, 1 - 0.07 / height, title, fontsize=11, fontweight="bold", va="top")
    first = 0.1 + 0.19 * (title.count("\n") + 1)
    figure.text(0.012, 1 - first / height, subtitle, fontsize=8, color=GREY, va="top")
    engine = figure.get_layout_engine()
    if engine is not None:
        size = (1 - right / width, 1 - (title_inches(title, subtitle) + below) / height)
        engine.set(rect=(0, 0, *size))  # type: ignore[call-arg]


def title_inches(title: str, subtitle: str = "") -> float:
    """Returns the height of a title of a figure."""
    lines = subtitle.count("\n") + 1 if subtitle else 0
    return 0.18 + 0.19 * (title.count("\n") + 1) + 0.145 * lines


def shade_below(axes: Axes) -> None:
    """Shades the area below R = 1, and draws the line of benchmarks that kept up."""
    axes.axhspan(0, 1, color=SHADE, linewidth=0, zorder=0)
    axes.axhline(1, color=GREY, linewidth=1, linestyle=(0, (1, 2)), zorder=1)
