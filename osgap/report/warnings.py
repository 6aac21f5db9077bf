# SPDX-License-Identifier: BSD-3-Clause
"""Sentences that warn the reader of a run's numbers, each with its consequence."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from osgap.analysis.analysed import Tables
from osgap.base.quoting import counted
from osgap.drawing.display_names import benchmark_name
from osgap.printing.means import averaged_sets

_MOST_NAMES = 6


def warnings(tables: Tables) -> Iterator[str]:
    """Sentences on what is missing or stands out, and what that changes."""
    yield from _missing(tables["points"])
    yield from _not_run(tables["geomean"])
    yield from _clocks(tables["samples"])
    outliers = tables.get("outliers")
    if outliers is not None and len(outliers):
        yield _outliers(outliers, len(tables["samples"]))


def _missing(points: pd.DataFrame) -> Iterator[str]:
    missing = points[points["finished"] == "no"]["key"].nunique()
    unrated = points[(points["finished"] == "yes") & points["mips"].isna()]["key"].nunique()
    if missing:
        yield f"Not finished: {counted(missing, 'point')}; all numbers here are of the others."
    if unrated:
        yield f"Without a MIPS rating, so without R: {counted(unrated, 'point')}."


def _not_run(geomeans: pd.DataFrame) -> Iterator[str]:
    """A sentence on each set of which a part was run; a set without any has no mean here."""
    for name in averaged_sets(geomeans):
        rows = geomeans[(geomeans["set"] == name) & (geomeans["n"] > 0)]
        names = sorted({name for text in rows["not_run"] for name in str(text).split() if text})
        if names:
            listed = ", ".join(map(benchmark_name, names))
            yield f"The mean of R leaves out {listed}: the run has no such result."


def _clocks(samples: pd.DataFrame) -> Iterator[str]:
    """A sentence on regions whose two clocks differ, and on the medians that they move."""
    flagged = samples["flagged"] == "yes"
    if not flagged.any():
        return
    parts = flagged.groupby([samples["key"], samples["benchmark"], samples["fs"]]).mean()
    names = dict.fromkeys(benchmark_name(name, fs) for _, name, fs in parts[parts >= 0.5].index)
    text = (
        f"In {flagged.sum()} of {counted(len(samples), 'timed region')} the guest's clock and the "
        "simulator's differ by more than 2 %."
    )
    if not names:
        yield f"{text} No result changes: medians leave such regions out."
        return
    more = " and others" if len(names) > _MOST_NAMES else ""
    listed = ", ".join(list(names)[:_MOST_NAMES])
    yield f"{text} Times may be off by as much for {listed}{more}."


def _outliers(outliers: pd.DataFrame, batches: int) -> str:
    unexplained = int((outliers["timer_irqs"] <= outliers["others_timer_irqs"]).sum())
    explained = len(outliers) - unexplained
    return (
        f"{len(outliers)} of {counted(batches, 'batch')} stand out from their neighbours; more "
        f"timer interrupts explain {'all' if not unexplained else explained} of them. No result "
        "changes: each is a median of batches."
    )
