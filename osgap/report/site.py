# SPDX-License-Identifier: BSD-3-Clause
"""Writes a site of all runs in a folder: an index, a page for each, one shared script."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.progress import each
from osgap.report.blocks import Block, Chart, Link, Links, Page, PageSection, Text
from osgap.report.build import BuiltPage, build
from osgap.report.document import LIBRARY, html, json_value, library
from osgap.report.explore_page import EXPLORER, build_explorer, explorer_html
from osgap.report.sections.explore import cached_lenders
from osgap.report.subject import Subject, load, sweep_description
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import runs_below

INDEX = "index.html"
_EXPLORED = "default"
"""The folder whose run the site's explorer shows."""
_WIDTH = 420
_EXPLORER_LINK = Link(
    EXPLORER,
    "Explore",
    "What makes an operating system faster? Move the clock, memory and the disk of a machine, and "
    "see every benchmark follow, with the reason.",
)


def write_site(folder: Path, output: Path) -> tuple[Path, list[str]]:
    """Writes a page for each folder in `folder` that holds one or more runs, and the index.

    `output` is a directory of osgap's. Returns the index's path, and an error message for each
    folder without a page. Raises ResultsError for a folder without runs, OSError.
    """
    folders = sorted(path for path in folder.iterdir() if path.is_dir() and runs_below(path))
    if not folders:
        raise ResultsError(f"{folder}: has no folder with a run in it")
    durable.write_text(output / LIBRARY, library())
    links: list[Link] = []
    errors: list[str] = []
    lenders = cached_lenders()
    for path in each(folders, "Making a page of"):
        try:
            subject = load(path)
            built = build(subject, small=True, lenders=lenders)
        except OsgapError as error:
            errors.append(f"{path}: {error}")
            continue
        if path.name == _EXPLORED:
            page = explorer_html(build_explorer(subject, lenders), home=INDEX)
            durable.write_text(output / EXPLORER, page)
            links.insert(0, _EXPLORER_LINK)
        name = f"{path.name}.html"
        durable.write_text(output / name, html(built.page, link=LIBRARY, home=INDEX))
        links.append(_link(name, subject, built))
    durable.write_text(output / INDEX, html(_index(folder, links, errors), link=LIBRARY))
    return output / INDEX, errors


def _link(name: str, subject: Subject, built: BuiltPage) -> Link:
    first, *rest = dict.fromkeys(sweep_description(state) for state in subject.states)
    more = f" And {len(rest)} more sweep{'s' if len(rest) > 1 else ''}." if rest else ""
    chart = next(_charts(built.page.sections), None)
    return Link(
        name,
        subject.path.name,
        " ".join(filter(None, [_sentence(first) + more, built.headline])),
        _picture(chart) if chart else "",
        f"{chart.title}. {chart.alt}" if chart else "",
    )


def _sentence(text: str) -> str:
    return text if not text or text.endswith(".") else f"{text}."


def _charts(sections: Sequence[PageSection]) -> Iterator[Chart]:
    """The charts with data; the page's script fills the others."""
    for section in sections:
        yield from (
            block
            for block in section.blocks
            if isinstance(block, Chart) and any(block.data.values())
        )


def _picture(chart: Chart) -> str:
    """The chart as SVG in base64, small."""
    from vl_convert import vegalite_to_svg

    spec: dict[str, Any] = {**chart.spec, "datasets": json_value(chart.data), "width": _WIDTH}
    svg: str = vegalite_to_svg(spec)
    return base64.b64encode(svg.encode()).decode()


def _index(folder: Path, links: Sequence[Link], errors: Sequence[str]) -> Page:
    blocks: list[Block] = [
        Text(
            "Why do operating systems not get faster as fast as hardware? Each of these is a "
            "simulated experiment: what it asks, what came out, and a page to explore it.",
            "lead",
        ),
        Links(links),
        *(Text(line, "note") for line in errors),
    ]
    return Page(
        f"osgap: {folder.resolve().name}",
        f"{len(links)} experiments, simulated",
        [PageSection("overview", "Experiments", blocks)],
        {},
    )
