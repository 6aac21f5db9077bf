# SPDX-License-Identifier: BSD-3-Clause
"""Sections of checks and warnings, and of failed points with the last line of their logs."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.points.record import State
from osgap.report.blocks import Block, Lines, PageSection, TableBlock, Text
from osgap.report.subject import Subject
from osgap.report.warnings import warnings

FAILURES = "failures"
_MOST_NAMES = 4
_COLUMNS = ["run", "key", "state", "why", "log", "attempt"]


def checks(subject: Subject) -> PageSection | None:
    """The section of checks and warnings; None without a finished point."""
    if not subject.analysed:
        return None
    sentences = _sentences(subject)
    blocks: list[Block] = [Lines(sentences) if sentences else Text("Nothing to warn of.")]
    rows = subject.analysed[0].tables["checks"]
    if subject.is_one and subject.is_simulated and len(rows):
        blocks.append(
            Text(
                "The memory that a program measures in the guest, beside the machine file's. A "
                "copy waits for memory at each line, so it is slower than memory's bandwidth: no "
                "error."
            )
        )
        blocks.append(TableBlock("checks", "Measured and configured", rows, "checks"))
    return PageSection("checks", "Checks and warnings", blocks, "Checks")


def _sentences(subject: Subject) -> list[str]:
    """The warnings of all runs, each once, after the names of the runs that have it."""
    runs_of: dict[str, list[str]] = {}
    for run in subject.analysed:
        for note in warnings(run.tables):
            runs_of.setdefault(note, []).append(subject.name_of(run))
    if len(subject.analysed) == 1:
        return list(runs_of)
    return [f"{_shortened(names)}: {note}" for note, names in runs_of.items()]


def _shortened(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def failures(subject: Subject) -> PageSection:
    """The section of failed points, which also counts the unfinished ones."""
    rows = failed(subject)
    unfinished = {
        state: sum(progress.counts[state] for progress in subject.states)
        for state in (State.QUEUED, State.RUNNING)
    }
    waiting = [f"{count} {state}" for state, count in unfinished.items() if count]
    blocks: list[Block] = []
    if waiting:
        blocks.append(Text(f"Not finished yet: {', '.join(waiting)}. Make the page again later."))
    if rows.empty:
        blocks.append(Text("No point failed."))
    else:
        blocks.append(TableBlock(FAILURES, "Points that failed, and why", rows, FAILURES))
        blocks.append(Text("Once the cause is gone, osgap retry runs them again."))
    return PageSection("failures", "Failures", blocks)


def failed(subject: Subject) -> pd.DataFrame:
    """A row for each failed point; `why` is the last line of its log."""
    rows = [
        (progress.run.name, record.key, str(record.state), record.line, record.log, record.attempt)
        for progress in subject.states
        for record in progress.failed
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)
