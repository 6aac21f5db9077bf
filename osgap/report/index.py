# SPDX-License-Identifier: BSD-3-Clause
"""Renders the index of a site: groups of cards, each with its pages, its finding and a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from osgap.base.frozen import Frozen
from osgap.drawing.display_names import engine_name
from osgap.report.arrangement import SiteArrangement, SiteCard, page_name
from osgap.report.document import asset, template


class PageSummary(Frozen):
    """The part of a page that the index shows: its finding, its picture, and its engines.

    `description` is that of the run's sweep, `explorer` the file of its explorer. A page that could
    not be made has an `error` alone.
    """

    name: str
    description: str = ""
    finding: str = ""
    picture: str = ""
    alt: str = ""
    engines: tuple[str, ...] = ()
    explorer: str = ""
    error: str = ""

    @property
    def file(self) -> str:
        """The page's file in the site."""
        return f"{self.name}.html"


@dataclass(frozen=True)
class PageLink:
    """A link to a page with the finding of its run; without `file` the page was not written."""

    label: str
    finding: str
    file: str


@dataclass(frozen=True)
class IndexCard:
    """A card: title, text, picture and pages."""

    title: str
    text: str
    picture: str
    alt: str
    pages: Sequence[PageLink]


@dataclass(frozen=True)
class IndexGroup:
    """A heading and its cards."""

    id: str
    title: str
    text: str
    folded: bool
    cards: Sequence[IndexCard]


@dataclass(frozen=True)
class Index:
    """The index: `explorer` is the explorer's file, "" without; `command` makes missing pages."""

    title: str
    finding: str
    text: str
    explorer: str
    command: str
    groups: Sequence[IndexGroup]
    errors: Sequence[str]


def make_index(
    arrangement: SiteArrangement,
    summaries: Mapping[str, PageSummary],
    written: Sequence[str],
    *,
    command: str = "",
) -> Index:
    """The index of the pages `summaries`, of which those in `written` are files of the site.

    `command` is the command that writes the others.
    """
    groups = [
        IndexGroup(
            f"group-{number}",
            group.title,
            group.text,
            group.folded,
            [card for card in (_card(card, summaries, written) for card in group.card) if card],
        )
        for number, group in enumerate(arrangement.group, 1)
    ]
    lead = summaries.get(page_name(arrangement.lead))
    missing = any(not page.file for group in groups for card in group.cards for page in card.pages)
    return Index(
        arrangement.title,
        lead.finding if lead else "",
        arrangement.text,
        next((page.explorer for page in summaries.values() if page.explorer), ""),
        command if missing else "",
        [group for group in groups if group.cards],
        [summary.error for summary in summaries.values() if summary.error],
    )


def index_html(index: Index) -> str:
    """The index as one self-contained HTML file; equal indexes give equal bytes."""
    return template("index.html.jinja").render(
        index=index, style=asset("page.css") + asset("index.css"), script=asset("index.js")
    )


def _card(
    card: SiteCard, summaries: Mapping[str, PageSummary], written: Sequence[str]
) -> IndexCard | None:
    """The card with its pages; None if none of them could be made."""
    pages = [summaries[name] for name in card.pages if not summaries[name].error]
    if not pages:
        return None
    first = next((page for page in pages if page.picture), pages[0])
    labels = _labels(pages)
    return IndexCard(
        card.title,
        card.text or _sentence(first.description),
        first.picture,
        first.alt,
        [
            PageLink(label, page.finding, page.file if page.name in written else "")
            for label, page in zip(labels, pages, strict=True)
        ],
    )


def _labels(pages: Sequence[PageSummary]) -> list[str]:
    """The engines' names, or the pages' own where two pages have the same engines."""
    labels = [" and ".join(map(engine_name, page.engines)) for page in pages]
    return labels if len(set(labels)) == len(labels) else [page.name for page in pages]


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."
