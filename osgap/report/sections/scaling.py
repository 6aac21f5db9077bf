# SPDX-License-Identifier: BSD-3-Clause
"""Section of the scaling figure: the mean of R against MIPS, with a check box for each series."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.layouts.values import MEAN
from osgap.analysis.reference import load_reference
from osgap.analysis.suite import PublishedMeans
from osgap.drawing import style
from osgap.printing.layouts import View
from osgap.printing.means import averaged_sets
from osgap.printing.predictions import view_of
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Choices, PageSection, Rows, Select, Text
from osgap.report.subject import Subject
from osgap.suites import main_sets, published_means

_MOST_VIEWS = 8


def section(subject: Subject) -> PageSection | None:
    """The section; None if no run has means at two clocks."""
    views = subject.layouts.views() if subject.analysed else []
    if not views or len(views) > _MOST_VIEWS:
        return None
    grids = {str(run.path): grid for run, grid in subject.grids.items()}
    views = [view_of(view, grids.get(view.title)) for view in views]
    rows = [row for view in views for row in _rows(subject, view, len(views) > 1)]
    if len({row["mips_ratio"] for row in rows}) < 2:
        return None
    return PageSection("scaling", "The scaling figure", list(_blocks(rows)))


def _blocks(rows: Rows) -> Iterator[Block]:
    sets = list(dict.fromkeys(row["set"] for row in rows))
    series = list(dict.fromkeys((row["label"], row["series"]) for row in rows))
    colours = colours_of([label for label, _ in series], dict(series))
    titles = main_sets()
    if len(sets) > 1:
        yield Select("scaling-set", "Mean of the rows of", [(n, titles[n].title) for n in sets])
    yield Choices(
        "scaling-series",
        "Shown",
        "scaling-chart",
        "label",
        [(label, label, colours[label]) for label, _ in series],
    )
    published = next((means for name, means in published_means().items() if name in sets), None)
    paper = _rows_of(published) if published else []
    yield Chart(
        "scaling-chart",
        "Mean of R against MIPS",
        _summary(rows),
        charts.means(colours, paper=bool(paper)),
        {"means": rows, "paper": paper} if paper else {"means": rows},
    )
    if published:
        yield Text(
            f"Grey circles: {published.machines}. Vertical lines: 95 % intervals, where they are "
            "known.",
            "note",
        )


def _summary(rows: Rows) -> str:
    """A description of the chart in words, for screen readers."""
    ends = {
        row["label"]: f"{row['label']}: {row['value']:.3g} at {row['mips_ratio']:.3g} times MIPS"
        for row in sorted(rows, key=lambda row: row["mips_ratio"])
        if row["set"] == rows[0]["set"]
    }
    return f"Mean of R where each curve ends. {'; '.join(ends.values())}."


def colours_of(labels: list[str], series: Mapping[str, str]) -> dict[str, str]:
    """Label -> colour: that of its series if each label is another series, else in turn."""
    if len(set(series.values())) == len(labels):
        styles = style.series_style(series.values())
        return {label: str(styles[series[label]]["color"]) for label in labels}
    return {label: style.COLOURS[index % len(style.COLOURS)] for index, label in enumerate(labels)}


def _rows(subject: Subject, view: View, several: bool) -> Iterator[dict[str, Any]]:
    geomeans = view.tables["geomean"]
    means = geomeans[geomeans["set"].isin(averaged_sets(geomeans)) & (geomeans["geomean"] > 0)]
    intervals = _intervals(subject, view)
    instructions = _instructions(view.tables)
    for row in means.to_dict("records"):
        low, high = intervals.get((row["set"], row["series"], row["clock_mhz"]), (None, None))
        label = style.series_label(row["series"])
        yield {
            "set": row["set"],
            "series": row["series"],
            "label": f"{view.title.rpartition('/')[2]}: {label}" if several else label,
            "clock_mhz": row["clock_mhz"],
            "mips_ratio": row["mips_ratio"],
            "mips": row["mips"],
            "value": row["geomean"],
            "low": low,
            "high": high,
            "interval": f"{low:.3g} to {high:.3g}" if low and high else "not known",
            "instructions": instructions.get(row["key"]),
        }


def _intervals(subject: Subject, view: View) -> dict[tuple[str, str, float], tuple[float, float]]:
    """(set, series, clock) -> interval of the mean, from the run's prediction or its layouts."""
    grid = next((g for run, g in subject.grids.items() if str(run.path) == view.title), None)
    if grid is not None:
        rows = grid.means[grid.means["low"] < grid.means["high"]]
        columns = ["set", "series", "clock_mhz", "low", "high"]
        return _by_point(rows[columns])
    groups = subject.layouts.groups
    if len(groups) != 1:
        return {}
    table = subject.layouts.tables[groups[0]]
    low, high = ("one_low", "one_high") if subject.layouts.borrowed else ("low", "high")
    means = table[table["quantity"] == MEAN]
    return _by_point(means[["set", "series", "clock_mhz", low, high]].dropna())


def _by_point(rows: pd.DataFrame) -> dict[tuple[str, str, float], tuple[float, float]]:
    return {
        (str(chosen), str(series), float(clock)): (float(low), float(high))
        for chosen, series, clock, low, high in rows.itertuples(index=False, name=None)
    }


def _instructions(tables: Tables) -> dict[str, float]:
    """Key -> instructions in all timed regions of the point; empty if the engine counts none."""
    if "samples" not in tables or tables["samples"]["insts"].isna().all():
        return {}
    return {str(k): float(v) for k, v in tables["samples"].groupby("key")["insts"].sum().items()}


def _rows_of(published: PublishedMeans) -> Rows:
    """The publication's machines, with relative MIPS."""
    return [
        {"machine": name, "mips_ratio": ratio, "value": mean}
        for ratio, mean, name in published.points(load_reference(published.table))
    ]
