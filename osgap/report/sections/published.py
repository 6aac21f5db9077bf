# SPDX-License-Identifier: BSD-3-Clause
"""What publications printed, beside what was simulated."""

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
from osgap.drawing import style
from osgap.report import charts
from osgap.report.blocks import Block, Chart, Details, Rows, Section, Table, Text
from osgap.report.subject import Subject
from osgap.suites import suites

_MOST_LINES = 400
_MOST_NAMES = 20  # beside a chart's points
RATIO = "ratio"


@dataclass(frozen=True, eq=False)
class Published:
    """What the suites have of the runs: rows beside what was printed, and why some have none;
    `combined` are their tables over several runs, with what is printed of them."""

    beside: Sequence[Beside]
    why: Sequence[str]
    combined: Mapping[str, tuple[pd.DataFrame, str]]

    @property
    def sentences(self) -> list[str]:
        """What the suites say of the runs, the most important first."""
        return [one.headline for one in self.beside if one.headline]

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All of it, by name."""
        return {one.name: one.rows for one in self.beside} | {
            name: rows for name, (rows, _) in self.combined.items()
        }


def gather(subject: Subject) -> Published:
    """Every suite's."""
    found: list[Beside] = []
    why: list[str] = []
    for suite in suites() if subject.analysed else ():
        try:
            found += suite.beside(subject.path, subject.analysed)
        except OsgapError as error:
            why.append(f"{suite.title}: {error}")
    return Published(found, why, _combined(subject))


def section(made: Published) -> Section | None:
    """None where no publication has such rows."""
    blocks = [block for one in made.beside for block in _blocks(one)]
    blocks += [
        Details(f"Table {name}, as osgap analyze prints it", text)
        for name, (_, text) in made.combined.items()
        if text
    ]
    blocks += [Text(line, "note") for line in made.why]
    return Section("published", "Beside the publications", blocks) if blocks else None


def _blocks(one: Beside) -> Iterator[Block]:
    if one.printed:
        pairs = _pairs(one)
        spec = _against(one, named=len(pairs["pairs"]) <= _MOST_NAMES)
        yield Chart(f"{one.name}-chart", one.title, _words(one), spec, pairs)
    elif one.x:
        for at, (panel, rows) in enumerate(one.rows.groupby(one.panel, sort=False)):
            ticks = sorted({float(value) for value in rows[one.x]})
            # One place is no line: the table has it.
            if len(ticks) < 2:
                continue
            spec = charts.lines(one.x, one.y, ticks, _colours(one))
            yield Chart(
                f"{one.name}-chart-{at}",
                f"{one.title}: {panel}",
                one.headline,
                spec,
                {"rows": [_point(row, one) for row in rows.to_dict("records")]},
            )
    if one.note:
        yield Text(one.note, "note")
    ratio = RATIO if RATIO in one.rows else ""
    yield Table(f"{one.name}-table", one.title, one.rows, one.name, ratio)


def _colours(one: Beside) -> dict[str, str]:
    labels = dict.fromkeys(map(str, one.rows[one.colour]))
    return {name: style.COLOURS[at % len(style.COLOURS)] for at, name in enumerate(labels)}


def _against(one: Beside, *, named: bool) -> dict[str, Any]:
    return charts.against("printed", "simulated", _colours(one), named=named)


def _pairs(one: Beside) -> dict[str, Rows]:
    pairs: Rows = [
        {
            "what": ", ".join(str(row[name]) for name in one.names),
            "label": str(row[one.colour]),
            "printed": float(row[one.printed]),
            "simulated": float(row[one.simulated]),
        }
        for row in one.rows.to_dict("records")
        if defined(float(row[one.printed])) and defined(float(row[one.simulated]))
    ]
    values: list[float] = [pair[side] for pair in pairs for side in ("printed", "simulated")]
    ends = [{"printed": end, "simulated": end} for end in (min(values) / 1.1, max(values) * 1.1)]
    return {"pairs": pairs, "diagonal": ends}


def _words(one: Beside) -> str:
    off = [
        abs(math.log(float(row[one.simulated]) / float(row[one.printed])))
        for row in one.rows.to_dict("records")
        if defined(float(row[one.printed])) and defined(float(row[one.simulated]))
    ]
    near = sum(value < math.log(1.25) for value in off)
    return (
        f"Simulated against printed, {len(off)} points about the diagonal: {near} of them within "
        "25 %. The table below has each."
    )


def _point(row: Mapping[Hashable, Any], one: Beside) -> dict[str, Any]:
    low, high = (row.get(name) for name in ("low", "high"))
    known = low is not None and high is not None
    return {
        "x": row[one.x],
        "y": row[one.y],
        "label": str(row[one.colour]),
        "low": low,
        "high": high,
        "interval": f"{low:.3g} to {high:.3g}" if known else "not known",
    }


def _combined(subject: Subject) -> dict[str, tuple[pd.DataFrame, str]]:
    """The tables over several runs of the suites that the runs have rows of: rows and text."""
    made: dict[str, tuple[pd.DataFrame, str]] = {}
    points = placed_points(subject.analysed)
    known = {
        str(name) for run in subject.analysed for name in run.tables["times"]["benchmark"].unique()
    }
    native = bool(subject.analysed) and not any(run.is_simulated for run in subject.analysed)
    for suite in suites():
        # The first suite's are of measured machines, the others' of their own benchmarks.
        wanted = native if suite.always else bool(known & set(suite.rows))
        for name, table in suite.combined.items() if wanted else ():
            try:
                result = table.compute(points)
            except OsgapError:
                continue
            if len(result.rows):
                made[name] = result.rows, _text(result.printed)
    return made


def _text(printed: Any) -> str:
    lines: list[str] = []
    for part in printed:
        if isinstance(part, str):
            lines.append(part)
        else:
            title, rows = part
            lines += [title, rows.to_string(index=False, float_format="{:.4g}".format), ""]
    more = len(lines) - _MOST_LINES
    return "\n".join([*lines[:_MOST_LINES], *([f"... {more} more lines"] if more > 0 else [])])
