# SPDX-License-Identifier: BSD-3-Clause
"""Mean R of memories of several latencies and bandwidths, as a grid of coloured cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from osgap.drawing import style
from osgap.drawing.display_names import series_name
from osgap.figures import _findings
from osgap.machines.axes import MEMORY_KEYS
from osgap.machines.series import parse_series

LATENCY, BANDWIDTH = MEMORY_KEYS
_COLOURS = "cividis"
_OWN = "the machine's own memory"


def present(means: pd.DataFrame) -> bool:
    """Returns whether the series are memories of several latencies and of several bandwidths."""
    series = [parse_series(str(name)) for name in means["series"].unique()]
    values = [dict(each.values) for each in series if each.varies_memory_alone]
    return all(len({value.get(axis) for value in values}) > 1 for axis in (LATENCY, BANDWIDTH))


def draw(tables: Mapping[str, pd.DataFrame], means: pd.DataFrame) -> Figure:
    """Draws a grid for each choice of scaled parts: R at all memories' fastest clock."""
    rows = _at_one_clock(_with_memory(means, tables))
    kinds = list(dict.fromkeys(rows["policies"]))
    figure = Figure(figsize=(7.5, 4.4), layout="constrained")
    grid = figure.subplots(1, len(kinds), squeeze=False)[0]
    for axes, kind in zip(grid, kinds, strict=True):
        _cells(axes, rows[rows["policies"] == kind])
        if len(kinds) > 1:
            axes.set_title(series_name(kind), fontsize=9)
    grid[0].set_ylabel("latency of memory, ns")
    style.add_title(figure, _title(rows), _subtitle(tables, rows))
    return figure


def _title(rows: pd.DataFrame) -> str:
    faster = float(rows["mips_ratio"].median())
    gains = rows["mips_ratio"] * rows["geomean"]
    low, high = (_findings.times(float(gain)) for gain in (gains.min(), gains.max()))
    subject = _findings.subject(rows.iloc[0])
    return (
        f"A processor {_findings.times(faster)} times faster made {subject}\n"
        f"{low} to {high} times faster, by the memory beside it"
    )


def _subtitle(tables: Mapping[str, pd.DataFrame], rows: pd.DataFrame) -> str:
    clock = float(rows["clock_mhz"].iloc[0])
    text = f"{_findings.scaling_subtitle(tables, rows)}\n"
    text += f"at {clock:g} MHz, relative to the slowest clock with the same memory"
    if "simulated" in rows:
        text += "; in brackets the 95 % interval of a prediction"
    return text


def _with_memory(means: pd.DataFrame, tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The rows with columns for policies, latency and bandwidth."""
    is_memory = [parse_series(str(name)).varies_memory_alone for name in means["series"]]
    means = means[is_memory]
    series = [parse_series(str(name)) for name in means["series"]]
    rows = means.assign(policies=[each.policies for each in series])
    points = tables.get("points", pd.DataFrame({"series": []}))
    plain = points[[not parse_series(str(name)).values for name in points["series"]]]
    for axis in (LATENCY, BANDWIDTH):
        values = pd.Series(
            [dict(each.values).get(axis) for each in series], rows.index, dtype=float
        )
        if axis in plain and len(plain):
            values = values.fillna(float(plain[axis].iloc[0]))
        rows[axis] = values
    complete: pd.DataFrame = rows.dropna(subset=[LATENCY, BANDWIDTH])
    return complete


def _at_one_clock(rows: pd.DataFrame) -> pd.DataFrame:
    memories = rows.groupby(["policies", LATENCY, BANDWIDTH]).ngroups
    counts = rows.groupby("clock_mhz").size()
    common = counts[counts == memories] if (counts == memories).any() else counts
    at_clock: pd.DataFrame = rows[rows["clock_mhz"] == common.index.max()]
    return at_clock


def _cells(axes: Axes, rows: pd.DataFrame) -> None:
    latencies, bandwidths = (sorted(rows[axis].unique()) for axis in (LATENCY, BANDWIDTH))
    ends = float(rows["geomean"].min()), float(rows["geomean"].max())
    for row in rows.to_dict("records"):
        place = bandwidths.index(row[BANDWIDTH]), latencies.index(row[LATENCY])
        _cell(axes, place, {str(key): value for key, value in row.items()}, ends)
    axes.set_xlim(-0.5, len(bandwidths) - 0.5)
    axes.set_ylim(len(latencies) - 0.5, -0.5)
    axes.set_xticks(range(len(bandwidths)), [f"{value:g}" for value in bandwidths])
    axes.set_yticks(range(len(latencies)), [f"{value:g}" for value in latencies])
    axes.set_xlabel("bandwidth of memory, MB/s")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _cell(
    axes: Axes, place: tuple[int, int], row: Mapping[str, Any], ends: tuple[float, float]
) -> None:
    x, y = place
    mean, is_own_memory = float(row["geomean"]), not parse_series(str(row["series"])).values
    least, most = ends
    # The lowest R gets a middle colour, so that a small difference does not look like a large one.
    share = 1 - (most - mean) / (1.5 * (most - least)) if most > least else 1.0
    colour = colormaps[_COLOURS](share)
    axes.add_patch(Rectangle((x - 0.49, y - 0.485), 0.98, 0.97, facecolor=colour, linewidth=0))
    red, green, blue, _ = colour
    ink = "white" if 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else "black"
    axes.text(x, y, f"{mean:.2f}", ha="center", va="center", color=ink, fontsize=15)
    notes = [_OWN] if is_own_memory else []
    if row.get("simulated") == "no":
        notes.append(f"predicted [{row['low']:.2f}, {row['high']:.2f}]")
    axes.text(*(x, y + 0.19), "\n".join(notes), ha="center", va="top", color=ink, fontsize=7.5)
