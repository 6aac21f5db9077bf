# SPDX-License-Identifier: BSD-3-Clause
"""What was run, and what came out, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from osgap.points.record import State
from osgap.printing.headline import headline
from osgap.printing.layouts import View
from osgap.printing.predictions import view_of
from osgap.report.blocks import Block, Lines, Section, Text
from osgap.report.subject import Subject, asked_of

_MOST_LINES = 12


def section(subject: Subject, told: Sequence[str]) -> Section:
    """Always there. `told` is what came out (`headlines`)."""
    return Section("overview", "What was run, and what came out", list(_blocks(subject, told)))


def _blocks(subject: Subject, told: Sequence[str]) -> Iterator[Block]:
    if told:
        yield Text(told[0], "lead")
    yield Text(_what(subject))
    if told[1:]:
        yield Lines(told[1:_MOST_LINES])
    yield Text(
        "R, the MIPS-relative speed, is how many times faster a benchmark got, divided by how many "
        "times faster the processor's MIPS rating got. 1 means that it kept up."
    )


def headlines(subject: Subject, own: list[str]) -> list[str]:
    """What came out: the suites' `own` sentences, else that of each run's means."""
    if own or not subject.is_simulated:
        return own or [_none_yet(subject)]
    views = subject.layouts.views()
    grids = {str(run.path): made for run, made in subject.grids.items()}
    told = [_sentence(view_of(view, grids.get(view.title)), len(views) > 1) for view in views]
    return [line for line in told if line] or [_none_yet(subject)]


def _sentence(view: View, several: bool) -> str:
    sentence = headline(view.tables, view.bands) or ""
    name = view.title.rpartition("/")[2]
    return f"{name}: {sentence}" if several and sentence else sentence


def _none_yet(subject: Subject) -> str:
    if subject.analysed:
        return "No mean of R: the run has too few benchmarks or clocks."
    return "No point is finished yet."


def _what(subject: Subject) -> str:
    """Points by state, engine, machines and image."""
    parts = []
    total = sum(len(one.records) for one in subject.states)
    done = sum(one.counts[State.DONE] for one in subject.states)
    runs = len(subject.states)
    parts.append(f"{done} of {total} points finished" + (f", in {runs} runs" if runs > 1 else ""))
    if subject.analysed:
        engines = sorted({one.engine for one in subject.analysed})
        machines = list(dict.fromkeys(one.machine for one in subject.analysed))
        more = f" and {len(machines) - 6} more" if len(machines) > 6 else ""
        word = "machine" if len(machines) == 1 else "machines"
        parts += [f"engine {', '.join(engines)}", f"{word} {', '.join(machines[:6])}{more}"]
        variants = sorted({one.variant for one in subject.analysed})
        if subject.is_simulated:
            parts.append(f"image {', '.join(variants)}")
    asked = {str(asked_of(one).sweep.get("description", "")) for one in subject.states}
    described = f" {asked.pop()}." if len(asked) == 1 and asked != {""} else ""
    return f"{'; '.join(parts)}.{described}".replace("..", ".")
