# SPDX-License-Identifier: BSD-3-Clause
"""Section of the scaling figure: the mean of R against MIPS, with a check box for each series."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.reference import load_reference
from osgap.analysis.suite import PublishedMeans
from osgap.drawing.display_names import machine_name, series_name
from osgap.machines.axes import MEMORY_KEYS
from osgap.machines.series import parse_series
from osgap.printing.means import averaged_sets
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Choices, PageSection, Rows, Select, Text
from osgap.report.labels import place_names
from osgap.report.looks import label_looks
from osgap.report.views import PageView
from osgap.suites import main_sets, published_means

_MOST_VIEWS = 8
_FEWEST_APART = 4
"""From as many series of other latencies or bandwidths, a table shows them in place of lines."""
_LEAST_UP = 1.2
_MOST_TICKS = 7
_MOST_LINE_NAMES = 8
"""With more lines, looks.js gives them no names at their ends."""
_RIGHT_OF_SEVERAL = 0.68
"""The plot's end, as a part of the width, where lines have the names of views."""
_CHART = "scaling-chart"
_PAPER = "Grey circles"
_BARS = "Bars and bands: 95 % intervals, where they are known."


def section(views: Sequence[PageView]) -> PageSection | None:
    """The section; None if no view has means at two clocks."""
    if not views or len(views) > _MOST_VIEWS:
        return None
    rows = [row for view in views for row in _rows(view, len(views) > 1)]
    if len({row["mips_ratio"] for row in rows}) < 2:
        return None
    memories = [row for row in rows if parse_series(row["series"]).varies_memory_alone]
    apart = [row for row in memories if parse_series(row["series"]).values]
    if len({row["series"] for row in apart}) >= _FEWEST_APART:
        policies = parse_series(apart[0]["series"]).policies
        cells = [row for row in memories if parse_series(row["series"]).policies == policies]
        cells = [row for row in cells if row["latency"] and row["bandwidth"]]
        return PageSection(
            "scaling", "R by memory's latency and bandwidth", list(_heats(cells)), "Memory"
        )
    return PageSection(
        "scaling", "How far the operating system keeps up", list(_blocks(rows)), "Curve"
    )


def _heats(rows: Rows) -> Iterator[Block]:
    """A table coloured by R for each view and set, at its fastest clock."""
    main_set = rows[0]["set"]
    for index, view in enumerate(dict.fromkeys(row["view"] for row in rows)):
        view_rows = [row for row in rows if row["view"] == view and row["set"] == main_set]
        clock = max(row["clock_mhz"] for row in view_rows)
        cells = [
            {**row, "text": f"{row['value']:.2f}"} for row in view_rows if row["clock_mhz"] == clock
        ]
        name = f"{view}: " if view else ""
        yield Chart(
            f"apart-chart-{index}",
            f"{name}mean R at {clock:g} MHz (1: kept up)",
            "; ".join(
                f"{cell['latency']:g} ns, {cell['bandwidth']:g} MB/s: {cell['text']}"
                for cell in cells
            ),
            charts.heat("mean R"),
            {"cells": cells},
            is_half=True,
        )


def _blocks(rows: Rows) -> Iterator[Block]:
    sets = list(dict.fromkeys(row["set"] for row in rows))
    series = {row["label"]: row["series"] for row in rows}
    looks = label_looks(series, {row["label"]: row["view"] for row in rows})
    titles = main_sets()
    if len(sets) > 1:
        yield Select("scaling-set", "Mean of the rows of", [(n, titles[n].title) for n in sets])
    published = next((means for name, means in published_means().items() if name in sets), None)
    paper = _rows_of(published) if published else []
    highest = max(
        value for row in [*rows, *paper] for value in (row["value"], row.get("high") or 0)
    )
    up = max(_LEAST_UP, 1.05 * highest)
    across = [row["mips_ratio"] for row in [*rows, *paper]]
    ends = min(across), max(across)
    curves = [row for row in rows if row["set"] == sets[0]]
    data = {
        "means": rows,
        "ends": [],
        **({"paper": _named(paper, curves, up)} if paper else {}),
    }
    yield Chart(
        _CHART,
        "Mean R against the processor's speed",
        _summary(rows),
        charts.means(looks, _ticks(rows, ends), ends, up, paper=bool(paper)),
        data,
    )
    yield Choices(
        "scaling-series",
        "What gets faster",
        _CHART,
        "label",
        [(label, label, look.colour, look.glyph, look.stroke) for label, look in looks.items()],
    )
    if published:
        yield Text(f"{_PAPER}: {published.machines}. {_BARS}", "note")
    elif any(row["low"] for row in rows):
        yield Text(_BARS, "note")


def _named(paper: Rows, curves: Rows, up: float) -> Rows:
    """The publication's machines with places for their names, which labels of lines make fewer."""
    several = bool(curves[0]["view"]) and len({row["label"] for row in curves}) <= _MOST_LINE_NAMES
    return place_names(paper, curves, up, **({"right": _RIGHT_OF_SEVERAL} if several else {}))


def _ticks(rows: Rows, ends: tuple[float, float]) -> list[float]:
    """Ticks where the simulated points are; powers of 2 where those are too many."""
    ticks = sorted({float(f"{row['mips_ratio']:.2g}") for row in rows})
    if len(ticks) > _MOST_TICKS:
        ticks = [2.0**power for power in range(-6, 20) if ends[0] <= 2.0**power <= ends[1]]
    return ticks


def _summary(rows: Rows) -> str:
    """A description of the chart in words, for screen readers."""
    ends = {
        row["label"]: f"{row['label']}: {row['value']:.2f} at {row['mips_ratio']:.3g} times MIPS"
        for row in sorted(rows, key=lambda row: row["mips_ratio"])
        if row["set"] == rows[0]["set"]
    }
    return f"Mean of R where each curve ends. {'; '.join(ends.values())}."


def _rows(view: PageView, several: bool) -> Iterator[dict[str, Any]]:
    geomeans = view.tables["geomean"]
    means = geomeans[geomeans["set"].isin(averaged_sets(geomeans)) & (geomeans["geomean"] > 0)]
    intervals = {name: _by_point(view.intervals(name)) for name in means["set"].unique()}
    instructions, memories = _instructions(view.tables), _memories(view.tables)
    for row in means.to_dict("records"):
        ends = intervals[row["set"]].get((row["series"], row["clock_mhz"]), (None, None))
        label = series_name(row["series"])
        latency, bandwidth = memories.get(row["key"], (None, None))
        yield {
            "set": row["set"],
            "series": row["series"],
            "view": view.name if several else "",
            "label": f"{view.name}: {label}" if several else label,
            "clock_mhz": row["clock_mhz"],
            "mips_ratio": row["mips_ratio"],
            "mips": row["mips"],
            "value": row["geomean"],
            "low": ends[0],
            "high": ends[1],
            "interval": _interval(*ends),
            "instructions": instructions.get(row["key"]),
            "latency": latency,
            "bandwidth": bandwidth,
        }


def _interval(low: float | None, high: float | None) -> str:
    return "not known" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _by_point(rows: pd.DataFrame) -> dict[tuple[str, float], tuple[float, float]]:
    columns = rows[["series", "clock_mhz", "low", "high"]]
    return {
        (str(series), float(clock)): (float(low), float(high))
        for series, clock, low, high in columns.itertuples(index=False, name=None)
    }


def _memories(tables: Tables) -> dict[str, tuple[float, float]]:
    """Key -> memory's latency and bandwidth, of a run that varies them."""
    points = tables["points"]
    if not set(MEMORY_KEYS) <= set(points):
        return {}
    columns = points[["key", *MEMORY_KEYS]].dropna()
    return {
        str(key): (float(latency), float(bandwidth))
        for key, latency, bandwidth in columns.itertuples(index=False, name=None)
    }


def _instructions(tables: Tables) -> dict[str, float]:
    """Key -> instructions in all timed regions of the point; empty if the engine counts none."""
    if "samples" not in tables or tables["samples"]["insts"].isna().all():
        return {}
    return {str(k): float(v) for k, v in tables["samples"].groupby("key")["insts"].sum().items()}


def _rows_of(published: PublishedMeans) -> Rows:
    """The publication's machines, with relative MIPS."""
    return [
        {"machine": machine_name(name), "mips_ratio": ratio, "value": mean}
        for ratio, mean, name in published.points(load_reference(published.table))
    ]
