# SPDX-License-Identifier: BSD-3-Clause
"""Where a page is written: a new file, or one that is a page of osgap's."""

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


class PageTargetError(OsgapError):
    """A file that is not osgap's to write."""


def default_target(path: Path) -> Path:
    """RUN/report.html; of an accepted run, and of what is no run, one in results/runs.

    Raises OsgapError where the directory is not osgap's.
    """
    if (path / MANIFEST).is_file() and not is_accepted(path):
        return claim(path) / NAME
    name = path.resolve().name or "page"
    return claim(project_root() / "results" / "runs" / f"report-{name}") / NAME


def write(file: Path, text: str) -> None:
    """Writes the page in one step. Raises PageTargetError where `file` is anything but a page of
    osgap's, OSError where it cannot be written."""
    if file.suffix != ".html":
        raise PageTargetError(f"{file}: found {quoted(file.suffix)}; allowed: a name in .html")
    if file.is_symlink() or file.exists():
        _refuse_strange(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    durable.write_text(file, text)


def _refuse_strange(file: Path) -> None:
    wrong = f"{file}: osgap has not written it; allowed: a new file, or a page of osgap's"
    if file.is_symlink() or not file.is_file():
        raise PageTargetError(wrong)
    with inputs.open_bytes(file) as stream:
        if MARK.encode() not in stream.read(_HEAD):
            raise PageTargetError(wrong)
