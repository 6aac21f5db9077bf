# SPDX-License-Identifier: BSD-3-Clause
"""All runs of a folder as a small site: an index, a page of each, one script for all."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.progress import each
from osgap.report.blocks import Block, Chart, Link, Links, Page, Rows, Section, Text
from osgap.report.build import Built, build
from osgap.report.document import LIBRARY, html, library
from osgap.report.sections.explore import lenders
from osgap.report.subject import Subject, asked_of, load
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import runs_below

INDEX = "index.html"
_WIDTH = 420


def write_site(folder: Path, output: Path) -> tuple[Path, list[str]]:
    """Writes the pages of everything in `folder` into `output`, which is osgap's.

    A folder in it is a page, be it a run or several. The index's path, and a sentence for each
    that gave no page. Raises ResultsError for a folder without runs, OSError.
    """
    parts = sorted(path for path in folder.iterdir() if path.is_dir() and runs_below(path))
    if not parts:
        raise ResultsError(f"{folder}: has no folder with a run in it")
    durable.write_text(output / LIBRARY, library())
    links: list[Link] = []
    wrong: list[str] = []
    lent = lenders()
    for path in each(parts, "Making a page of"):
        try:
            subject = load(path)
            built = build(subject, small=True, lent=lent)
        except OsgapError as error:
            wrong.append(f"{path}: {error}")
            continue
        name = f"{path.name}.html"
        durable.write_text(output / name, html(built.page, link=LIBRARY, home=INDEX))
        links.append(_link(name, subject, built))
    durable.write_text(output / INDEX, html(_index(folder, links, wrong), link=LIBRARY))
    return output / INDEX, wrong


def _link(name: str, subject: Subject, built: Built) -> Link:
    asks = list(
        dict.fromkeys(str(asked_of(one).sweep.get("description", "")) for one in subject.states)
    )
    others = len(asks) - 1
    more = f" And {others} more sweep{'s' if others > 1 else ''}." if others > 0 else ""
    chart = next(_charts(built.page.sections), None)
    return Link(
        name,
        subject.path.name,
        " ".join(filter(None, [_ended(asks[0]) + more, built.headline])),
        _picture(chart) if chart else "",
        f"{chart.title}. {chart.alt}" if chart else "",
    )


def _ended(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."


def _charts(sections: Sequence[Section]) -> Iterator[Chart]:
    """Those that have data of their own: the page's script fills the others."""
    for section in sections:
        yield from (
            block
            for block in section.blocks
            if isinstance(block, Chart) and any(block.data.values())
        )


def _picture(chart: Chart) -> str:
    """The chart as SVG in base64, small."""
    from vl_convert import vegalite_to_svg

    spec: dict[str, Any] = {**chart.spec, "datasets": _plain(chart.data), "width": _WIDTH}
    svg: str = vegalite_to_svg(spec)
    return base64.b64encode(svg.encode()).decode()


def _plain(data: Mapping[str, Rows]) -> dict[str, Rows]:
    """Without NaN, which JSON does not have."""
    return {name: [_defined(row) for row in rows] for name, rows in data.items()}


def _defined(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: None if value != value else value for key, value in row.items()}


def _index(folder: Path, links: Sequence[Link], wrong: Sequence[str]) -> Page:
    blocks: list[Block] = [
        Text(
            "Why do operating systems not get faster as fast as hardware? Each of these is a "
            "simulated experiment: what it asks, what came out, and a page to explore it.",
            "lead",
        ),
        Links(links),
        *(Text(line, "note") for line in wrong),
    ]
    return Page(
        f"osgap: {folder.resolve().name}",
        f"{len(links)} experiments, simulated",
        [Section("overview", "Experiments", blocks)],
        {},
    )
