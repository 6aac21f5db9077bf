# SPDX-License-Identifier: BSD-3-Clause
"""Section of the headline, the runs and the definition of R."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from osgap.points.record import State
from osgap.printing.headline import headline
from osgap.printing.layouts import View
from osgap.printing.predictions import view_of
from osgap.report.blocks import Block, Lines, PageSection, Text
from osgap.report.subject import Subject, sweep_description

_MOST_LINES = 12


def section(subject: Subject, sentences: Sequence[str]) -> PageSection:
    """The section, which every page has; `sentences` are the results, the headline first."""
    return PageSection(
        "overview", "What was run, and what came out", list(_blocks(subject, sentences))
    )


def _blocks(subject: Subject, sentences: Sequence[str]) -> Iterator[Block]:
    if sentences:
        yield Text(sentences[0], "lead")
    yield Text(_description(subject))
    if sentences[1:]:
        yield Lines(sentences[1:_MOST_LINES])
    yield Text(
        "R, the MIPS-relative speed, is how many times faster a benchmark got, divided by how many "
        "times faster the processor's MIPS rating got. 1 means that it kept up."
    )


def headlines(subject: Subject, suite_sentences: list[str]) -> list[str]:
    """The results in sentences: those of the suites, or else one for each run's means of R."""
    if suite_sentences or not subject.is_simulated:
        return suite_sentences or [_no_result(subject)]
    views = subject.layouts.views()
    grids = {str(run.path): grid for run, grid in subject.grids.items()}
    sentences = [_sentence(view_of(view, grids.get(view.title)), len(views) > 1) for view in views]
    return [line for line in sentences if line] or [_no_result(subject)]


def _sentence(view: View, several: bool) -> str:
    sentence = headline(view.tables, view.bands) or ""
    name = view.title.rpartition("/")[2]
    return f"{name}: {sentence}" if several and sentence else sentence


def _no_result(subject: Subject) -> str:
    if subject.analysed:
        return "No mean of R: the run has too few benchmarks or clocks."
    return "No point is finished yet."


def _description(subject: Subject) -> str:
    """Counts of points, engine, machines and image, in a sentence."""
    parts = []
    total = sum(len(progress.records) for progress in subject.states)
    done = sum(progress.counts[State.DONE] for progress in subject.states)
    runs = len(subject.states)
    parts.append(f"{done} of {total} points finished" + (f", in {runs} runs" if runs > 1 else ""))
    if subject.analysed:
        engines = sorted({run.engine for run in subject.analysed})
        machines = list(dict.fromkeys(run.machine for run in subject.analysed))
        more = f" and {len(machines) - 6} more" if len(machines) > 6 else ""
        word = "machine" if len(machines) == 1 else "machines"
        parts += [f"engine {', '.join(engines)}", f"{word} {', '.join(machines[:6])}{more}"]
        variants = sorted({run.variant for run in subject.analysed})
        if subject.is_simulated:
            parts.append(f"image {', '.join(variants)}")
    sweeps = {sweep_description(progress) for progress in subject.states}
    described = f" {sweeps.pop()}." if len(sweeps) == 1 and sweeps != {""} else ""
    return f"{'; '.join(parts)}.{described}".replace("..", ".")
