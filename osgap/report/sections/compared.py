# SPDX-License-Identifier: BSD-3-Clause
"""Section of two runs side by side, with a verdict in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from osgap.analysis.compare import compare, notes
from osgap.analysis.relative import defined
from osgap.base.quoting import counted
from osgap.drawing.display_names import benchmark_name, series_name
from osgap.printing.comparison import sides
from osgap.report import comparison_charts
from osgap.report.blocks import Block, Chart, Lines, PageSection, TableBlock, Text
from osgap.report.looks import series_looks
from osgap.report.subject import Subject

COMPARED = "compared"
FAR = 0.15
"""R of two runs that differ by more are named in the verdict."""
_NEAR_MEANS = 0.05
_FEW = 0.1
"""The two runs agree if no larger part of the rows is as far apart."""
_MOST_NAMES = 6


def tables(subject: Subject) -> Mapping[str, pd.DataFrame]:
    """The tables of `osgap compare`, by name; none without a second run. Raises OsgapError."""
    if subject.beside is None:
        return {}
    return compare(*sides(subject.path, subject.beside, subject.layout_runs, subject.cache))


def verdict(comparison: Mapping[str, pd.DataFrame]) -> str:
    """Both means of R and the rows whose R differ, in sentences; "" for runs without any R."""
    if "means" not in comparison or comparison["means"].empty:
        return ""
    a, b = comparison["sides"]["label"]
    means, rows = comparison["means"], comparison[COMPARED]
    series = str(means["series"].iloc[0])
    means = means[(means["series"] == series) & (means["set"] == means["set"].iloc[0])]
    last = means.sort_values("clock_mhz").iloc[-1]
    rows = rows[(rows["series"] == series) & (rows["clock_mhz"] == last["clock_mhz"])]
    rows = rows[rows["relative_difference"].notna()]
    if rows.empty:
        return ""
    far = rows[rows["relative_difference"].abs() > FAR]
    agree = abs(last["geomean_b"] - last["geomean_a"]) <= _NEAR_MEANS and len(far) <= _FEW * len(
        rows
    )
    names = [benchmark_name(name, fs) for name, fs in zip(far["benchmark"], far["fs"], strict=True)]
    place = f"at {last['clock_mhz']:g} MHz ({series_name(series)})"
    if not (defined(last["geomean_a"]) and defined(last["geomean_b"])):
        return f"{b} and {a} {place}: {_far(names, len(rows))}"
    return (
        f"{b} {'agrees' if agree else 'does not agree'} with {a}: {place} "
        f"the mean R is {last['geomean_b']:.2f} on {b} and "
        f"{last['geomean_a']:.2f} on {a}. {_far(names, len(rows))}"
    )


def _far(names: list[str], count: int) -> str:
    """The sentence on the rows that differ."""
    if not names:
        return f"R of none of the {counted(count, 'benchmark')} differs by more than {FAR}."
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    verb = "differs" if len(names) == 1 else "differ"
    return (
        f"Of {counted(count, 'benchmark')} {len(names)} {verb} by more than {FAR} in R: "
        f"{'; '.join(names[:_MOST_NAMES])}{more}."
    )


def section(comparison: Mapping[str, pd.DataFrame]) -> PageSection | None:
    """The section of the tables `comparison`; None without a second run."""
    if not comparison:
        return None
    return PageSection(
        "compared", "Two runs side by side", list(_blocks(comparison)), "Side by side"
    )


def _blocks(comparison: Mapping[str, pd.DataFrame]) -> Iterator[Block]:
    a, b = comparison["sides"]["label"]
    rows = comparison[COMPARED]
    rows = rows[rows["clock_mhz"] == rows["clock_mhz"].max()]
    clock = float(rows["clock_mhz"].max())
    yield from _chart(rows, f"time on {b} / time on {a}", clock)
    if sentences := notes(comparison):
        yield Text(f"In the tables run a is {a}, run b is {b}; ratios are b / a.")
        yield Lines(sentences)
    yield TableBlock("compared-means", "Means of R", comparison["means"], "means", "ratio")
    yield TableBlock(
        "compared-rows", f"Every benchmark at {clock:g} MHz", rows, COMPARED, "time_ratio"
    )


def _chart(rows: pd.DataFrame, title: str, clock: float) -> Iterator[Block]:
    names = [str(name) for name in rows["series"].unique()]
    looks = {series_name(n): look for n, look in series_looks(names).items() if n in names}
    finite = rows[[defined(float(ratio)) for ratio in rows["time_ratio"]]]
    order = finite.groupby(["benchmark", "fs"], sort=False)["time_ratio"].transform("mean")
    finite = finite.assign(order=order).sort_values("order", ascending=False, kind="stable")
    points = [
        {
            "benchmark": benchmark_name(row["benchmark"], row["fs"]),
            "ratio": row["time_ratio"],
            "label": series_name(row["series"]),
        }
        for row in finite.to_dict("records")
    ]
    if not points:
        return
    ratios = [float(point["ratio"]) for point in points] + [1.0]
    yield Chart(
        "compared-chart",
        f"Times at {clock:g} MHz: {title}",
        f"Each benchmark's {title}. The table below has each ratio.",
        comparison_charts.ratios(looks, title, (min(ratios) / 1.1, max(ratios) * 1.1)),
        {"rows": points, "one": [{"ratio": 1}]},
    )
