# SPDX-License-Identifier: BSD-3-Clause
"""Builds the page of one run, of several runs, or of two runs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.analysis.suite import Beside
from osgap.analysis.tables import run_tables
from osgap.drawing.display_names import engine_name
from osgap.printing.formats import table_rows
from osgap.report import agreement
from osgap.report.blocks import Page, PageSection
from osgap.report.sections import (
    benchmarks,
    compared,
    data,
    explore,
    glossary,
    health,
    overview,
    provenance,
    published,
    remote,
    scaling,
)
from osgap.report.subject import Subject, load, shown_path, sweep_description
from osgap.report.views import PageView, page_views

_SMALL = ("fastest", "relative", "attribution", "checks", "geomean", "remote_time")
"""The tables of a run that a small page keeps: those that it displays."""
_RUN = "run"
_LONGEST_TITLE = 100
_FEWEST_MACHINES = 2
"""From as many machines on two engines, their agreement is the page's first finding."""


@dataclass(frozen=True, eq=False)
class BuiltPage:
    """A page, its headline in a sentence or more, and its comparisons with publications."""

    page: Page
    headline: str
    comparisons: Sequence[Beside] = ()


def build(
    subject: Subject,
    *,
    small: bool = False,
    lenders: explore.Lenders | None = None,
    title: str = "",
) -> BuiltPage:
    """Builds the page, with each section for which the runs have data. Raises OsgapError.

    `small` leaves out the tables that are not displayed. `lenders` caches the runs that lend their
    prediction errors; pass one to build several pages (explore.cached_lenders). `title` is the
    page's title in plain words, by default the run's description or its name.
    """
    views, beside = page_views(subject), _views_beside(subject)
    publications = published.gather(subject)
    agreements = [] if publications.comparisons else agreement.predicted(subject)
    has_headline = any(part.headline for part in publications.comparisons)
    has_sentence = any(view.sentence for view in views)
    if not agreements and not has_headline:
        agreements = agreement.engines(subject, _FEWEST_MACHINES if has_sentence else 1)
    comparison = compared.tables(subject)
    if comparison:
        views, beside = _relabelled(views, beside, list(comparison["sides"]["label"]))
    parts = [*publications.comparisons, *agreements]
    findings = overview.findings(subject, [*views, *beside], parts, compared.verdict(comparison))
    models, errors = explore.models(subject, lenders or explore.cached_lenders())
    tables = {**_tables(subject, small), **publications.tables, **comparison}
    tables |= {part.name: part.rows for part in agreements}
    tables |= {
        name: rows
        for name, rows in (
            (health.FAILURES, health.failed(subject)),
            (provenance.PROVENANCE, provenance.provenance(subject)),
        )
        if len(rows)
    }
    curve, publication_section = scaling.section([*views, *beside]), published.section(publications)
    sections: list[PageSection | None] = [
        overview.section(findings),
        curve,
        # A run without a scaling curve begins with its publication's figure.
        None if curve else publication_section,
        published.agreements(agreements),
        compared.section(comparison),
        explore.section(subject, models, errors),
        benchmarks.section(subject),
        remote.section(subject),
        publication_section if curve else None,
        health.checks(subject),
        health.failures(subject),
        provenance.section(subject),
        glossary.section(),
        data.section(tables),
    ]
    page = Page(
        title or _title(subject),
        _subtitle(subject, [*views, *beside]),
        [section for section in sections if section is not None],
        tables,
        models,
    )
    return BuiltPage(page, findings.headline, parts)


def _views_beside(subject: Subject) -> list[PageView]:
    """The views of the second run, which is not a measured one."""
    return page_views(load(subject.beside, cache=subject.cache)) if subject.beside else []


def _relabelled(
    views: list[PageView], beside: list[PageView], labels: Sequence[str]
) -> tuple[list[PageView], list[PageView]]:
    """Two views with the labels of a comparison in place of their runs' names."""
    if not len(views) == len(beside) == 1:
        return views, beside
    first, second = (
        replace(view, name=label) for view, label in zip([*views, *beside], labels, strict=True)
    )
    return [first], [second]


def _title(subject: Subject) -> str:
    """The description of the only sweep, else the directory's name; both of two runs."""
    name = subject.path.resolve().name
    if subject.beside:
        return f"{name} beside {subject.beside.resolve().name}"
    descriptions = {sweep_description(progress) for progress in subject.states}
    described = descriptions.pop() if len(descriptions) == 1 else ""
    if len(described) > _LONGEST_TITLE:
        described = described.partition(": ")[0]
    return described or name


def _subtitle(subject: Subject, views: Sequence[PageView]) -> str:
    """The directory, and all engines of the page."""
    names = [run.engine for run in subject.analysed] + [view.engine for view in views]
    engines = " and ".join(dict.fromkeys(map(engine_name, names)))
    how = "Simulated by" if subject.is_simulated else "Engine:"
    return f"Run {shown_path(subject.path)}. {how} {engines}." if engines else ""


def _tables(subject: Subject, small: bool) -> dict[str, pd.DataFrame]:
    """The runs' tables; those of several runs are concatenated, with a column of run names."""
    runs = [(subject.name_of(run), subject.tables_of(run)) for run in subject.analysed]
    chosen = [name for name in run_tables() if name in _SMALL]
    names = dict.fromkeys(name for _, tables in runs for name in (chosen if small else tables))
    tables = {name: _concatenated(name, runs) for name in names}
    if subject.is_one:
        tables = {"fastest": table_rows(runs[0][1], "fastest"), **tables}
    if subject.layouts.groups and not small:
        tables["layouts"] = subject.layouts.rows
    return {name: rows for name, rows in tables.items() if len(rows)}


def _concatenated(name: str, runs: list[tuple[str, Tables]]) -> pd.DataFrame:
    frames = [
        tables[name].assign(**{_RUN: run})
        for run, tables in runs
        if name in tables and len(tables[name])
    ]
    if len(runs) == 1 or not frames:
        return runs[0][1].get(name, pd.DataFrame())
    rows = pd.concat(frames, ignore_index=True)
    return rows[[_RUN, *(column for column in rows if column != _RUN)]]
