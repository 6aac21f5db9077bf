# SPDX-License-Identifier: BSD-3-Clause
"""Writes pages to disk, and never over a file that osgap did not write."""

from __future__ import annotations

from pathlib import Path

from osgap.base import durable, inputs
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.quoting import quoted
from osgap.rundir.directory import MANIFEST, is_accepted
from osgap.rundir.output import claim

NAME = "report.html"
MARK = "<title>osgap: "
_HEAD = 400


def default_target(path: Path) -> Path:
    """RUN/report.html, or results/runs/report-NAME/report.html for accepted and several runs.

    Raises OsgapError if osgap may not write the directory.
    """
    if (path / MANIFEST).is_file() and not is_accepted(path):
        return claim(path) / NAME
    name = path.resolve().name or "page"
    return claim(project_root() / "results" / "runs" / f"report-{name}") / NAME


def write(file: Path, text: str) -> None:
    """Writes the page atomically.

    Raises OsgapError if `file` exists and is no page of osgap's, OSError if it cannot be
    written.
    """
    if file.suffix != ".html":
        raise OsgapError(f"{file}: found {quoted(file.suffix)}; allowed: a name in .html")
    if file.is_symlink() or file.exists():
        _check_page(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    durable.write_text(file, text)


def _check_page(file: Path) -> None:
    wrong = f"{file}: osgap has not written it; allowed: a new file, or a page of osgap's"
    if file.is_symlink() or not file.is_file():
        raise OsgapError(wrong)
    with inputs.open_bytes(file) as stream:
        if MARK.encode() not in stream.read(_HEAD):
            raise OsgapError(wrong)
