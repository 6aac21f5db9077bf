# SPDX-License-Identifier: BSD-3-Clause
"""Writes a site of all runs in a folder: an index, a page for each, one shared script."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.quoting import quoted
from osgap.report.arrangement import SiteArrangement, folders_with_runs, read_arrangement
from osgap.report.document import LIBRARY, library
from osgap.report.index import index_html, make_index
from osgap.report.site_pages import INDEX, RECORDS, PageTask, make_pages
from osgap.report.subject import shown_path
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.output import claim


def write_site(
    folder: Path, output: Path, pages: Collection[str] = (), *, workers: int | None = None
) -> tuple[Path, list[str]]:
    """Writes a page for each folder of runs in `folder`, and the index.

    The folders are those that site.toml lists, in `folder` or in a group, and the others in it.

    `output` is made, or is a directory of osgap's. With `pages`, only these pages are written, and
    the index tells how to make the others. `workers` is the number of processes, by default one for
    each processor. Returns the index's path, and an error message for each folder without a page.
    Raises ResultsError for a folder without runs, ConfigError for its site.toml, OsgapError for
    an unknown name in `pages` and for an `output` of others, OSError.
    """
    names = folders_with_runs(folder)
    if not names:
        raise ResultsError(f"{folder}: has no folder with a run in it")
    arrangement = read_arrangement(folder, names)
    tasks = _tasks(folder, arrangement, output, pages)
    count = workers or len(os.sched_getaffinity(0))
    output = claim(output)
    (output / RECORDS).mkdir(parents=True, exist_ok=True)
    summaries = make_pages(tasks, output / RECORDS, count)
    durable.write_text(output / LIBRARY, library())
    index = make_index(
        arrangement,
        summaries,
        [task.name for task in tasks if task.output],
        command=f"osgap site {shown_path(folder)}",
    )
    durable.write_text(output / INDEX, index_html(index))
    return output / INDEX, [summary.error for summary in summaries.values() if summary.error]


def _tasks(
    folder: Path,
    arrangement: SiteArrangement,
    output: Path,
    pages: Collection[str],
) -> list[PageTask]:
    """A task for each folder, then one for each comparison. Raises OsgapError."""
    compared = {card.compare.page: card.compare for _, card in arrangement.cards if card.compare}
    folders = dict(sorted(arrangement.pages.items()))
    all_pages = [*folders, *compared]
    for page in pages:
        if page not in all_pages:
            raise OsgapError(f"--pages: found {quoted(page)}; allowed: {', '.join(all_pages)}")
    outputs = {name: output if not pages or name in pages else None for name in all_pages}
    titles = {
        page: card.title if card.text else ""
        for _, card in arrangement.cards
        for page in card.pages
    }
    tasks = [
        PageTask(name, folder / path, None, outputs[name], titles[name], path == arrangement.lead)
        for name, path in folders.items()
    ]
    for name, comparison in compared.items():
        first, second = (folder / run for run in comparison.runs)
        tasks.append(PageTask(name, first, second, outputs[name], titles[name]))
    return tasks
