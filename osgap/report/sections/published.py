# SPDX-License-Identifier: BSD-3-Clause
"""Section of the publications' printed numbers beside the simulated ones."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from osgap.analysis.relative import defined
from osgap.analysis.runs import placed_points
from osgap.analysis.suite import Beside
from osgap.base.errors import OsgapError
from osgap.base.quoting import counted
from osgap.drawing.display_names import column_name
from osgap.report import comparison_charts
from osgap.report.blocks import Block, Chart, Details, PageSection, Rows, TableBlock, Text
from osgap.report.labels import placed_pairs
from osgap.report.looks import Looks, entity_looks
from osgap.report.subject import Subject
from osgap.suites import suites

_MOST_LINES = 400
_MOST_NAMES = 20  # beside a chart's points
RATIO = "ratio"
_AXES = {"relative_paper": "R, printed", "relative_simulated": "R, simulated", "ratio": "simulated"}


@dataclass(frozen=True, eq=False)
class Publications:
    """The suites' tables about the runs.

    `comparisons` hold simulated beside printed numbers, `errors` explain why a suite has none.
    `combined` are tables over several runs, each with its text as `osgap analyze` prints it.
    """

    comparisons: Sequence[Beside]
    errors: Sequence[str]
    combined: Mapping[str, tuple[pd.DataFrame, str]]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables, by name."""
        return {part.name: part.rows for part in self.comparisons} | {
            name: rows for name, (rows, _) in self.combined.items()
        }


def gather(subject: Subject) -> Publications:
    """Collects the tables of all suites."""
    comparisons: list[Beside] = []
    errors: list[str] = []
    for suite in suites() if subject.analysed else ():
        try:
            comparisons += suite.beside(subject.analysed)
        except OsgapError as error:
            errors.append(f"{suite.title}: {error}")
    return Publications(comparisons, errors, _combined(subject))


def section(publications: Publications) -> PageSection | None:
    """The section; None if no publication has such rows."""
    parts = publications.comparisons
    blocks = [block for comparison in parts for block in blocks_of(comparison)]
    blocks += [
        Details(f"Table {name}, as osgap analyze prints it", text)
        for name, (_, text) in publications.combined.items()
        if text
    ]
    blocks += [Text(line, "note") for line in publications.errors]
    if not blocks:
        return None
    return PageSection("published", "Beside the publications", blocks, "Publications")


def agreements(parts: Sequence[Beside]) -> PageSection | None:
    """The section of predicted and simulated values, or of two engines; None without them."""
    blocks = [block for part in parts for block in blocks_of(part)]
    if not blocks:
        return None
    return PageSection("agreement", "Values that should agree", blocks, "Agreement")


def blocks_of(comparison: Beside) -> Iterator[Block]:
    """The charts and the table of a comparison."""
    if comparison.printed:
        pairs = _pairs(comparison)
        looks = _looks(comparison)
        words = _axis_name(comparison.printed), _axis_name(comparison.simulated)
        spec = comparison_charts.against(*words, looks, named=len(pairs["pairs"]) <= _MOST_NAMES)
        yield Chart(
            f"{comparison.name}-chart", comparison.title, _summary(pairs["pairs"]), spec, pairs
        )
    elif comparison.x:
        yield from _panels(comparison)
    elif comparison.dots:
        yield _dots(comparison)
    if comparison.note:
        yield Text(comparison.note, "note")
    # The ratio of a cost to another says nothing of an agreement.
    is_compared = RATIO in comparison.rows and not comparison.dots
    ratio = RATIO if is_compared and comparison.simulated != RATIO else ""
    yield TableBlock(
        f"{comparison.name}-table", comparison.title, comparison.rows, comparison.name, ratio
    )


def _dots(comparison: Beside) -> Block:
    """A dot for each ratio."""
    rows: Rows = [
        {
            "benchmark": ", ".join(str(row[name]) for name in comparison.names),
            "ratio": float(row[comparison.dots]),
            "label": str(row[comparison.colour]),
        }
        for row in comparison.rows.to_dict("records")
    ]
    ratios = [float(row["ratio"]) for row in rows] + [1.0]
    ends = min(ratios) / 1.1, max(ratios) * 1.1
    return Chart(
        f"{comparison.name}-chart",
        comparison.title,
        comparison.headline,
        comparison_charts.ratios(_looks(comparison), column_name(comparison.dots), ends),
        {"rows": rows, "one": [{"ratio": 1}]},
    )


def _axis_name(column: str) -> str:
    return _AXES.get(column) or column_name(column)


def _panels(comparison: Beside) -> Iterator[Block]:
    """A chart of lines for each panel, all with one y axis."""
    panels = [
        (str(panel), rows)
        for panel, rows in comparison.rows.groupby(comparison.panel, sort=False)
        # A line needs two values of x.
        if rows[comparison.x].nunique() > 1
    ]
    highest = max((_highest(rows, comparison) for _, rows in panels), default=1.0)
    looks = _looks(comparison)
    for index, (panel, rows) in enumerate(panels):
        ticks = sorted({float(value) for value in rows[comparison.x]})
        x, y = column_name(comparison.x), column_name(comparison.y)
        yield Chart(
            f"{comparison.name}-chart-{index}",
            f"{comparison.title}: {panel}",
            comparison.headline,
            comparison_charts.lines(x, y, ticks, looks, 1.05 * highest),
            {"rows": [_point(row, comparison) for row in rows.to_dict("records")], "ends": []},
            is_half=len(panels) > 1,
        )


def _highest(rows: pd.DataFrame, comparison: Beside) -> float:
    columns = [name for name in (comparison.y, "high") if name in rows]
    return float(rows[columns].max().max())


def _looks(comparison: Beside) -> Looks:
    return entity_looks(map(str, comparison.rows[comparison.colour]))


def _pairs(comparison: Beside) -> dict[str, Rows]:
    pairs: Rows = [
        {
            "what": ", ".join(str(row[name]) for name in comparison.names),
            "label": str(row[comparison.colour]),
            "printed": float(row[comparison.printed]),
            "simulated": float(row[comparison.simulated]),
        }
        for row in comparison.rows.to_dict("records")
        if defined(float(row[comparison.printed])) and defined(float(row[comparison.simulated]))
    ]
    values = [float(pair[side]) for pair in pairs for side in ("printed", "simulated")]
    if 0 < len(pairs) <= _MOST_NAMES:
        pairs = placed_pairs(pairs)
    return {"pairs": pairs, "diagonal": comparison_charts.diagonal(values) if values else []}


def _summary(pairs: Rows) -> str:
    near = sum(abs(math.log(p["simulated"] / p["printed"])) < math.log(1.25) for p in pairs)
    return (
        f"Simulated against printed, {counted(len(pairs), 'point')} about the diagonal: "
        f"{near} of them within the band of 25 %. The table below has each."
    )


def _point(row: Mapping[Hashable, Any], comparison: Beside) -> dict[str, Any]:
    low, high = (row.get(name) for name in ("low", "high"))
    has_interval = low is not None and high is not None
    return {
        "x": row[comparison.x],
        "y": row[comparison.y],
        "label": str(row[comparison.colour]),
        "low": low,
        "high": high,
        "interval": f"{low:.3g} to {high:.3g}" if has_interval else "not known",
    }


def _combined(subject: Subject) -> dict[str, tuple[pd.DataFrame, str]]:
    """Name -> rows and printed text of the tables over several runs, for suites in the runs."""
    tables: dict[str, tuple[pd.DataFrame, str]] = {}
    points = placed_points(subject.analysed)
    benchmarks = {
        str(name) for run in subject.analysed for name in run.tables["times"]["benchmark"].unique()
    }
    all_measured = bool(subject.analysed) and not any(run.is_simulated for run in subject.analysed)
    for suite in suites():
        for combined in suite.combined:
            name = combined.table.name
            of_measured = name in suite.default_tables
            if not (all_measured if of_measured else benchmarks & set(suite.rows)):
                continue
            try:
                result = combined.compute(points)
            except OsgapError:
                continue
            if len(result.rows):
                tables[name] = result.rows, _text(result.printed)
    return tables


def _text(printed: Any) -> str:
    lines: list[str] = []
    for part in printed:
        if isinstance(part, str):
            lines.append(part)
        else:
            title, rows = part
            lines += [title, rows.to_string(index=False, float_format="{:.4g}".format), ""]
    more = len(lines) - _MOST_LINES
    return "\n".join(
        [*lines[:_MOST_LINES], *([f"... {counted(more, 'more line')}"] if more > 0 else [])]
    )
