# SPDX-License-Identifier: BSD-3-Clause
"""The page of a run, of several runs, or of two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from osgap.printing.formats import table_rows
from osgap.report.blocks import Page, Section
from osgap.report.sections import (
    benchmarks,
    compared,
    data,
    explore,
    health,
    overview,
    provenance,
    published,
    scaling,
)
from osgap.report.subject import Subject

_SMALL = ("fastest", "relative", "attribution", "checks", "geomean", "since_1990")
"""The tables of a run that a small page has: those that it shows."""
_RUN = "run"


@dataclass(frozen=True, eq=False)
class Built:
    """A page, and its headline in a sentence."""

    page: Page
    headline: str


def build(subject: Subject, *, small: bool = False, lent: explore.Lenders | None = None) -> Built:
    """Every section that the runs have. With `small` the tables that are not shown are left out;
    `lent` are runs that were read for other pages (explore.lenders).

    Raises OsgapError.
    """
    beside = published.gather(subject)
    told = overview.headlines(subject, beside.sentences)
    models, why = explore.models(subject, lent or explore.lenders())
    sides = compared.tables(subject)
    tables = {**_tables(subject, small), **beside.tables, **sides}
    tables |= {
        name: rows
        for name, rows in (
            (health.FAILURES, health.failed(subject)),
            (provenance.PROVENANCE, provenance.provenance(subject)),
        )
        if len(rows)
    }
    curve, shown = scaling.section(subject), published.section(beside)
    sections: list[Section | None] = [
        overview.section(subject, told),
        curve,
        # The main figure of a run that has no curve.
        *([] if curve else [shown]),
        compared.section(sides),
        explore.section(subject, models, why),
        benchmarks.section(subject),
        *([shown] if curve else []),
        health.checks(subject),
        health.failures(subject),
        provenance.section(subject),
        data.section(tables),
    ]
    name = subject.path.resolve().name
    other = f" beside {subject.beside.resolve().name}" if subject.beside else ""
    engines = sorted({run.engine for run in subject.analysed})
    return Built(
        Page(
            f"osgap: {name}{other}",
            f"Operating systems on machines of other speeds. {', '.join(engines)}",
            [section for section in sections if section is not None],
            tables,
            models,
        ),
        told[0] if told else "",
    )


def _tables(subject: Subject, small: bool) -> dict[str, pd.DataFrame]:
    """The runs' own, those of several runs one below the other with the run's name."""
    runs = [(subject.name_of(run), subject.tables_of(run)) for run in subject.analysed]
    names = dict.fromkeys(name for _, own in runs for name in own if not small or name in _SMALL)
    made = {name: _together(name, runs) for name in names}
    if subject.is_one:
        made = {"fastest": table_rows(runs[0][1], "fastest"), **made}
    if subject.layouts.groups and not small:
        made["layouts"] = subject.layouts.rows
    return {name: rows for name, rows in made.items() if len(rows)}


def _together(name: str, runs: list[tuple[str, dict[str, pd.DataFrame]]]) -> pd.DataFrame:
    frames: list[tuple[str, Mapping[str, pd.DataFrame]]] = [
        (run, own) for run, own in runs if name in own and len(own[name])
    ]
    if len(runs) == 1 or not frames:
        return runs[0][1].get(name, pd.DataFrame())
    whole = [own[name].assign(**{_RUN: run}) for run, own in frames]
    rows = pd.concat(whole, ignore_index=True)
    return rows[[_RUN, *(column for column in rows if column != _RUN)]]
