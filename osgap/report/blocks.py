# SPDX-License-Identifier: BSD-3-Clause
"""The parts of a page: sections of text, tables, charts and controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

Rows = list[dict[str, Any]]


class Block:
    """A part of a section; page.html.jinja renders each kind."""

    @property
    def kind(self) -> str:
        """The class's name in lower case, by which the template selects the markup."""
        return type(self).__name__.removesuffix("Block").lower()


@dataclass(frozen=True)
class Text(Block):
    """A paragraph; `role` "lead" is the headline, "code" a command line."""

    text: str
    role: Literal["plain", "lead", "note", "code"] = "plain"


@dataclass(frozen=True)
class Lines(Block):
    """A list of sentences."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Terms(Block):
    """Words with their meanings."""

    terms: Sequence[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class TableBlock(Block):
    """A table to read. `source` names the table in the page's data that its rows come from.

    `ratio` names a column of ratios to a printed number; its cells are coloured by their distance
    from 1.
    """

    id: str
    caption: str
    rows: pd.DataFrame
    source: str
    ratio: str = ""


@dataclass(frozen=True, eq=False)
class Chart(Block):
    """A Vega-Lite specification with its data by name; `alt` describes the chart in words.

    `is_half` charts stand side by side on a wide screen.
    """

    id: str
    title: str
    alt: str
    spec: Mapping[str, Any]
    data: Mapping[str, Rows] = field(default_factory=dict)
    is_half: bool = False


@dataclass(frozen=True)
class Choices(Block):
    """Check boxes for the values of `column` that the chart `chart` shows.

    An option is (value, label, colour, glyph, dashes of its line as SVG has them).
    """

    id: str
    legend: str
    chart: str
    column: str
    options: Sequence[tuple[str, str, str, str, str]]


@dataclass(frozen=True)
class Select(Block):
    """A menu of options (value, label); `first` is chosen first where it is among them."""

    id: str
    label: str
    options: Sequence[tuple[str, str]]
    first: str = ""


@dataclass(frozen=True)
class Slider(Block):
    """A slider with a logarithmic scale, in units of the machine's own time."""

    id: str
    label: str
    unit: str


@dataclass(frozen=True)
class Output(Block):
    """A paragraph that page.js fills after each choice; screen readers announce changes."""

    id: str


@dataclass(frozen=True)
class Details(Block):
    """Terminal output that unfolds."""

    summary: str
    text: str


@dataclass(frozen=True)
class Downloads(Block):
    """A viewer for all tables of the page's data, with buttons to save them.

    `names` are (name, description).
    """

    names: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class PageSection:
    """A heading and the blocks below it; `short` is its name in the bar of links."""

    id: str
    title: str
    blocks: Sequence[Block]
    short: str = ""


@dataclass(frozen=True, eq=False)
class Page:
    """A page: `data` has its tables by name, `models` the parameters of the sliders by run."""

    title: str
    subtitle: str
    sections: Sequence[PageSection]
    data: Mapping[str, pd.DataFrame]
    models: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
