# SPDX-License-Identifier: BSD-3-Clause
"""Section of two runs side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from osgap.analysis.compare import compare, notes
from osgap.analysis.relative import defined
from osgap.drawing import style
from osgap.printing.comparison import sides
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Lines, PageSection, TableBlock, Text
from osgap.report.subject import Subject

COMPARED = "compared"


def tables(subject: Subject) -> Mapping[str, pd.DataFrame]:
    """The tables of `osgap compare`, by name; none without a second run. Raises OsgapError."""
    if subject.beside is None:
        return {}
    return compare(*sides(subject.path, subject.beside, subject.layout_runs))


def section(comparison: Mapping[str, pd.DataFrame]) -> PageSection | None:
    """The section of the tables `comparison`; None without a second run."""
    if not comparison:
        return None
    return PageSection("compared", "Two runs side by side", list(_blocks(comparison)))


def _blocks(comparison: Mapping[str, pd.DataFrame]) -> Iterator[Block]:
    a, b = comparison["sides"]["label"]
    yield Text(f"a is {a}, b is {b}; ratios are b / a.")
    if sentences := notes(comparison):
        yield Lines(sentences)
    rows = comparison[COMPARED]
    rows = rows[rows["clock_mhz"] == rows["clock_mhz"].max()]
    styles = style.series_style(map(str, rows["series"].unique()))
    colours = {
        str(styles[name]["label"]): str(styles[name]["color"]) for name in rows["series"].unique()
    }
    points = [
        {
            "benchmark": style.benchmark_label(row["benchmark"], row["fs"]),
            "ratio": row["time_ratio"],
            "label": style.series_label(row["series"]),
        }
        for row in rows.to_dict("records")
        if defined(float(row["time_ratio"]))
    ]
    clock = float(rows["clock_mhz"].max())
    title = f"time of b by that of a, at {clock:g} MHz"
    yield Chart(
        "compared-chart",
        f"Times at {clock:g} MHz",
        f"Each benchmark's {title}. The table below has each ratio.",
        charts.ratios(colours, title),
        {"rows": points, "one": [{"ratio": 1}]},
    )
    yield TableBlock("compared-means", "Means of R", comparison["means"], "means", "ratio")
    yield TableBlock(
        "compared-rows", f"Every benchmark at {clock:g} MHz", rows, COMPARED, "time_ratio"
    )
