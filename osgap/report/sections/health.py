# SPDX-License-Identifier: BSD-3-Clause
"""Checks and warnings, and points that failed with their log's last line."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from osgap.points.record import State
from osgap.printing.tables import notes
from osgap.report.blocks import Block, Lines, Section, Table, Text
from osgap.report.subject import Subject

FAILURES = "failures"
_MOST_NAMES = 4
_COLUMNS = ["run", "key", "state", "why", "log", "attempt"]


def checks(subject: Subject) -> Section | None:
    """None without a finished point."""
    if not subject.analysed:
        return None
    told = _told(subject)
    blocks: list[Block] = [Lines(told) if told else Text("Nothing to warn of.")]
    own = subject.analysed[0]
    if subject.is_one and own.is_simulated and len(own.tables["checks"]):
        blocks.append(
            Text(
                "The memory that a program measures in the guest, beside the machine file's. A "
                "slow core does not copy as fast as memory could."
            )
        )
        blocks.append(Table("checks", "Measured and configured", own.tables["checks"], "checks"))
    return Section("checks", "Checks and warnings", blocks)


def _told(subject: Subject) -> list[str]:
    """The runs' notes, each once, with the runs that have it."""
    found: dict[str, list[str]] = {}
    for run in subject.analysed:
        for note in notes(run.tables):
            found.setdefault(note, []).append(subject.name_of(run))
    if len(subject.analysed) == 1:
        return list(found)
    return [f"{_some(names)}: {note}" for note, names in found.items()]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def failures(subject: Subject) -> Section:
    """Points that ended without a result; those that are not done yet are counted."""
    rows = failed(subject)
    left = {
        state: sum(one.counts[state] for one in subject.states)
        for state in (State.QUEUED, State.RUNNING)
    }
    waiting = [f"{count} {state}" for state, count in left.items() if count]
    blocks: list[Block] = []
    if waiting:
        blocks.append(Text(f"Not finished yet: {', '.join(waiting)}. Make the page again later."))
    if rows.empty:
        blocks.append(Text("No point failed."))
    else:
        blocks.append(Table(FAILURES, "Points that failed, and why", rows, FAILURES))
        blocks.append(Text("Once the cause is gone, osgap retry runs them again."))
    return Section("failures", "Failures", blocks)


def failed(subject: Subject) -> pd.DataFrame:
    """A row a point that failed; `why` is what its log ends with."""
    rows = [
        (one.run.name, record.key, str(record.state), record.line, record.log, record.attempt)
        for one in subject.states
        for record in one.failed
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)
