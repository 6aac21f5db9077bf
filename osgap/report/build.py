# SPDX-License-Identifier: BSD-3-Clause
"""Builds the page of one run, of several runs, or of two runs side by side."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from osgap.printing.formats import table_rows
from osgap.report.blocks import Page, PageSection
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

_SMALL = ("fastest", "relative", "attribution", "checks", "geomean")
"""The tables of a run that a small page keeps: those that it displays."""
_RUN = "run"


@dataclass(frozen=True, eq=False)
class BuiltPage:
    """A page, and its headline as a sentence."""

    page: Page
    headline: str


def build(
    subject: Subject, *, small: bool = False, lenders: explore.Lenders | None = None
) -> BuiltPage:
    """Builds the page, with each section for which the runs have data. Raises OsgapError.

    `small` leaves out the tables that are not displayed. `lenders` caches the runs that lend their
    prediction errors; pass one to build several pages (explore.cached_lenders).
    """
    publications = published.gather(subject)
    sentences = overview.headlines(subject, publications.sentences)
    models, errors = explore.models(subject, lenders or explore.cached_lenders())
    comparison = compared.tables(subject)
    tables = {**_tables(subject, small), **publications.tables, **comparison}
    tables |= {
        name: rows
        for name, rows in (
            (health.FAILURES, health.failed(subject)),
            (provenance.PROVENANCE, provenance.provenance(subject)),
        )
        if len(rows)
    }
    curve, publication_section = scaling.section(subject), published.section(publications)
    sections: list[PageSection | None] = [
        overview.section(subject, sentences),
        curve,
        # A run without a scaling curve begins with its publication's figure.
        None if curve else publication_section,
        compared.section(comparison),
        explore.section(subject, models, errors),
        benchmarks.section(subject),
        publication_section if curve else None,
        health.checks(subject),
        health.failures(subject),
        provenance.section(subject),
        data.section(tables),
    ]
    name = subject.path.resolve().name
    other = f" beside {subject.beside.resolve().name}" if subject.beside else ""
    engines = sorted({run.engine for run in subject.analysed})
    return BuiltPage(
        Page(
            f"osgap: {name}{other}",
            f"Operating systems on machines of other speeds. {', '.join(engines)}",
            [section for section in sections if section is not None],
            tables,
            models,
        ),
        sentences[0] if sentences else "",
    )


def _tables(subject: Subject, small: bool) -> dict[str, pd.DataFrame]:
    """The runs' tables; those of several runs are concatenated, with a column of run names."""
    runs = [(subject.name_of(run), subject.tables_of(run)) for run in subject.analysed]
    names = dict.fromkeys(
        name for _, tables in runs for name in tables if not small or name in _SMALL
    )
    tables = {name: _concatenated(name, runs) for name in names}
    if subject.is_one:
        tables = {"fastest": table_rows(runs[0][1], "fastest"), **tables}
    if subject.layouts.groups and not small:
        tables["layouts"] = subject.layouts.rows
    return {name: rows for name, rows in tables.items() if len(rows)}


def _concatenated(name: str, runs: list[tuple[str, dict[str, pd.DataFrame]]]) -> pd.DataFrame:
    frames = [
        tables[name].assign(**{_RUN: run})
        for run, tables in runs
        if name in tables and len(tables[name])
    ]
    if len(runs) == 1 or not frames:
        return runs[0][1].get(name, pd.DataFrame())
    rows = pd.concat(frames, ignore_index=True)
    return rows[[_RUN, *(column for column in rows if column != _RUN)]]
