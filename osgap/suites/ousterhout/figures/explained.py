# SPDX-License-Identifier: BSD-3-Clause
"""The parts of log R of each benchmark and machine, with the paper's R."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MultipleLocator

from osgap.drawing import panels, style
from osgap.drawing.display_names import benchmark_name, engine_name, machine_name
from osgap.drawing.figure import FigureError
from osgap.drawing.labels import HALO
from osgap.suites.ousterhout.entry import ENTRY
from osgap.suites.ousterhout.explain import EXPLAINED
from osgap.suites.ousterhout.tables import MEANS

TABLES = [EXPLAINED, MEANS]
OPTIONAL = [ENTRY]
PARTS = {
    "memory": "slower memory",
    "disk": "slower disk",
    "entry": "kernel entry",
    "rest": "neither",
}
TITLE = "What keeps the operating system from keeping up, machine by machine"
READING = (
    "bars: losses and gains of R on the simulated machine, on a log scale; circles: R as printed"
)
_NO_BAR = 0.03
"""Octaves of R below which a bar is not seen."""
_LOG2 = np.log(2)
_KEYS = ["engine", "machine", "benchmark"]


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """A row for each benchmark, a column for each engine; bars are machines by MIPS, log2 of R."""
    explained = _with_entry(tables["explained"].dropna(subset=["paper"]), tables.get("entry"))
    if explained.empty:
        raise FigureError("explained: the runs share no benchmark with the paper")
    order = list(tables["means"].drop_duplicates("machine").sort_values("mips")["machine"])
    engines = list(dict.fromkeys(explained["engine"]))
    rows = list(dict.fromkeys(zip(explained["benchmark"], explained["fs"], strict=True)))
    figure = Figure(figsize=(7.5, 1.4 * len(rows) + 0.8), layout="constrained")
    grid = figure.subplots(len(rows), len(engines), squeeze=False, sharey="row", sharex=True)
    parts = [part for part in PARTS if (explained[part].abs() > 0).any()]
    for line, (name, fs) in zip(grid, rows, strict=True):
        for axes, engine in zip(line, engines, strict=True):
            group = explained[(explained["benchmark"] == name) & (explained["fs"] == fs)]
            group = group[group["engine"] == engine].set_index("machine")
            _bars(axes, group.reindex([m for m in order if m in set(explained["machine"])]), parts)
            label = f"{benchmark_name(name, fs)}, {engine_name(engine)}"
            axes.set_title(label, fontsize=8)
    legend = grid[0, 0].get_legend_handles_labels()
    figure.supylabel("R (1: kept up with the processor)", fontsize=9)
    panels.add_heading(figure, (TITLE, READING), legend, 5)
    return figure


def _with_entry(explained: pd.DataFrame, entry: pd.DataFrame | None) -> pd.DataFrame:
    """Splits `rest` into kernel entry and the rest, for engines whose runs spend kernel entry.

    The table `entry` has R with and without it; runs without are nearer to the latter.
    """
    plain = explained.assign(entry=0.0)
    if entry is None or explained.empty:
        return plain
    with_entry = plain.merge(entry[[*_KEYS, "without", "with", "entry"]], on=_KEYS, how="left")
    with_entry.index = plain.index
    apart = with_entry[["without", "with"]].rsub(with_entry["log_relative"], axis=0).abs()
    off = apart.groupby(with_entry["engine"]).sum()
    spends = with_entry["engine"].map(off["with"] < off["without"])
    part = with_entry["entry_y"].where(spends, 0.0).fillna(0.0)
    return plain.assign(entry=part, rest=plain["rest"] - part)


def _bars(axes: Axes, rows: pd.DataFrame, parts: list[str]) -> None:
    places = np.arange(len(rows))
    above, below = np.zeros(len(rows)), np.zeros(len(rows))
    for part in parts:
        height = np.nan_to_num(rows[part].to_numpy(dtype=float)) / _LOG2
        base = np.where(height >= 0, above, below)
        style.stacked_bars(axes, places, height, base, part, label=PARTS[part], width=0.7)
        above, below = above + np.maximum(height, 0), below + np.minimum(height, 0)
    style.white_marks(axes, places, rows["paper"] / _LOG2, 4.5, label="printed in 1990")
    off = float(np.abs(np.expm1((above + below) * _LOG2)).max())
    if max(above.max(), -below.min()) < _NO_BAR:
        text = f"no bars: simulated R is within {100 * off:.1f} % of 1"
        note = axes.text(0.99, 0.04, text, fontsize=7.5, ha="right", transform=axes.transAxes)
        note.set_path_effects([HALO])
    style.plain(axes)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(places, [machine_name(str(m)) for m in rows.index], rotation=40, ha="right")
    lowest = min(-1.0, float(np.nanmin([*below, *(rows["paper"] / _LOG2)])) - 0.15)
    axes.set_ylim(min(lowest, axes.get_ylim()[0]), max(0.35, axes.get_ylim()[1]))
    axes.yaxis.set_major_locator(MultipleLocator(1))
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda n, _: f"{2.0**n:g}" if n >= 0 else f"1/{2.0**-n:g}")
    )
    axes.tick_params(labelsize=7.5)
