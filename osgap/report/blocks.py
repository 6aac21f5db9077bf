# SPDX-License-Identifier: BSD-3-Clause
"""What a page is made of: sections of text, tables, charts and controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import pandas as pd

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Text:
    """A paragraph; `role` "lead" is the first thing to read, "code" is typed as it stands."""

    text: str
    role: Literal["plain", "lead", "note", "code"] = "plain"
    kind: str = "text"


@dataclass(frozen=True)
class Lines:
    """A list of sentences."""

    lines: Sequence[str]
    kind: str = "lines"


@dataclass(frozen=True, eq=False)
class Table:
    """Rows to look at. `source` is the table of the page's data whose cells these are.

    `ratio` names a column that is 1 where a number is as printed; its cells are coloured by how
    far off they are.
    """

    id: str
    caption: str
    rows: pd.DataFrame
    source: str
    ratio: str = ""
    kind: str = "table"


@dataclass(frozen=True, eq=False)
class Chart:
    """A Vega-Lite specification with its data by name; `alt` is what it shows, in words."""

    id: str
    title: str
    alt: str
    spec: Mapping[str, Any]
    data: Mapping[str, Rows] = field(default_factory=dict)
    kind: str = "chart"


@dataclass(frozen=True)
class Choices:
    """Boxes to tick: which values of `column` the chart `chart` shows; (value, label, colour)."""

    id: str
    legend: str
    chart: str
    column: str
    options: Sequence[tuple[str, str, str]]
    kind: str = "choices"


@dataclass(frozen=True)
class Select:
    """One of several values (value, label)."""

    id: str
    label: str
    options: Sequence[tuple[str, str]]
    kind: str = "select"


@dataclass(frozen=True)
class Slider:
    """A range on a logarithmic scale, on the machine's own time."""

    id: str
    label: str
    unit: str
    kind: str = "slider"


@dataclass(frozen=True)
class Output:
    """A place for words that follow what is chosen; read out when they change."""

    id: str
    kind: str = "output"


@dataclass(frozen=True)
class Details:
    """Text as it is printed on a terminal, to unfold."""

    summary: str
    text: str
    kind: str = "details"


@dataclass(frozen=True)
class Downloads:
    """Every table of the page's data, to look at and to save."""

    names: Sequence[tuple[str, str]]
    kind: str = "downloads"


@dataclass(frozen=True)
class Link:
    """Another page: where it is, what it asks and says; `picture` is an SVG in base64."""

    target: str
    title: str
    text: str
    picture: str = ""
    alt: str = ""


@dataclass(frozen=True)
class Links:
    """Other pages."""

    links: Sequence[Link]
    kind: str = "links"


Block = (
    Text | Lines | Table | Chart | Choices | Select | Slider | Output | Details | Downloads | Links
)


@dataclass(frozen=True)
class Section:
    """A heading and what is below it."""

    id: str
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, eq=False)
class Page:
    """A page: `data` are tables by name, `models` what the sliders compute with, by run."""

    title: str
    subtitle: str
    sections: Sequence[Section]
    data: Mapping[str, pd.DataFrame]
    models: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
