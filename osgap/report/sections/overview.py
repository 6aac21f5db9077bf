# SPDX-License-Identifier: BSD-3-Clause
"""The first section: the finding in plain words, R explained, and other findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from osgap.analysis.suite import Beside
from osgap.base.quoting import counted
from osgap.printing.headline import explanation
from osgap.report.blocks import Block, Details, Lines, PageSection, Text
from osgap.report.subject import Subject
from osgap.report.views import PageView
from osgap.suites import main_sets

_MOST_LINES = 1
"""More findings than these are folded."""


@dataclass(frozen=True)
class Findings:
    """The findings of a page in sentences, the headline first; `notes` explain its numbers."""

    sentences: Sequence[str]
    notes: Sequence[str] = ()

    @property
    def headline(self) -> str:
        """The first finding; "" without any."""
        return self.sentences[0] if self.sentences else ""


def findings(
    subject: Subject,
    views: Sequence[PageView],
    comparisons: Sequence[Beside],
    verdict: str = "",
) -> Findings:
    """A `verdict` on two runs, those of publications and predictions (`comparisons`), or else of
    each view's means of R.
    """
    sentences = [part.headline for part in comparisons if part.headline]
    with_sentence = [view for view in views if view.sentence]
    if sentences and not verdict:
        return Findings([*sentences, *(f"{view.name}: {view.sentence}" for view in with_sentence)])
    if not with_sentence:
        return Findings([] if subject.analysed else ["No point is finished yet."])
    first, *further = with_sentence
    notes = list(_notes(first, len(with_sentence) > 1))
    if verdict:
        return Findings(
            [verdict, *(f"{view.name}: {view.sentence}" for view in with_sentence)], notes
        )
    lines = [f"{view.name}: {view.sentence}" for view in further]
    return Findings([first.sentence, *lines], notes)


def _notes(view: PageView, several: bool) -> Iterator[str]:
    gain = view.first_gain
    assert gain is not None
    means = view.tables["geomean"]
    rows = means[(means["set"] == gain.set_name) & (means["series"] == gain.series)]
    count = int(rows["n"].max())
    whose = f" ({view.name})" if several and view.name != view.engine else ""
    title = main_sets()[gain.set_name].title
    yield (
        f"Geometric mean of {counted(count, 'benchmark')} of {title}, simulated by "
        f"{view.engine}{whose}. {view.brackets}"
    ).strip()
    yield explanation(gain)


def section(findings: Findings) -> PageSection:
    """The section, which every page has."""
    return PageSection("overview", "Result", list(_blocks(findings)))


def _blocks(findings: Findings) -> Iterator[Block]:
    if findings.headline:
        yield Text(findings.headline, "lead")
    if findings.notes:
        yield Text(" ".join(findings.notes), "note")
    further = findings.sentences[1:]
    if len(further) > _MOST_LINES:
        yield Details(f"{counted(len(further), 'more result')}", "\n".join(further))
    elif further:
        yield Lines(further)
