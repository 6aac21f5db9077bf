# SPDX-License-Identifier: BSD-3-Clause
"""What there is to choose from, by name with one line of description, read from its own files."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from osgap import engines, figures, suites
from osgap.analysis.suite import Suite
from osgap.base import inputs
from osgap.base.paths import project_root
from osgap.image.benchmarks import benchmarks
from osgap.printing.formats import descriptions

Catalogue = Mapping[str, str]
# Suites of our own, of no publication: they have no host side that could describe them.
_OWN_SUITES = {
    "calls": "checks of reflected system calls: what Linux promises, and that the server saw them",
    "checks": "the machine's rating, its memory's latency and bandwidth, the empty loop",
    "modes": "checks of user, system and idle time, where it is known how much each is",
    "smp": "checks of memory shared by several harts",
}


def machines() -> Catalogue:
    """configs/machines, folders in the names."""
    folder = project_root() / "configs" / "machines"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): _toml(path)
        for path in sorted(folder.rglob("*.toml"))
    }


def sweeps() -> Catalogue:
    """configs/sweeps."""
    return _folder(project_root() / "configs" / "sweeps")


def variants() -> Catalogue:
    """disk-images/variants, and the default image, which has no file."""
    own = _folder(project_root() / "disk-images" / "variants")
    return {"default": "gcc -O2, glibc, one hart, the kernel as in disk-images/kernel", **own}


def engine_names() -> Catalogue:
    """osgap/engines."""
    return {name: engines.load(name).description for name in engines.names()}


def suite_names() -> Catalogue:
    """The folders of workloads, with the publication whose benchmarks they hold."""
    published = {
        folder: f"the benchmarks of {one.title}"
        for one in suites.suites()
        for folder in one.workloads
    }
    names = sorted({name.partition("/")[0] for name in benchmarks()})
    return {name: published.get(name) or _OWN_SUITES.get(name, "") for name in names}


def figure_names() -> Catalogue:
    """Figures of a run; those that other commands draw, with the command's name before them."""
    folders = {"": figures.OF_A_RUN, "compare: ": figures.OF_TWO_RUNS}
    folders |= {f"{_drawn_by(one)}: ": one.figures for one in suites.suites() if one.figures}
    return {
        f"{before}{path.stem}": _first_line(path)
        for before, folder in folders.items()
        for path in sorted(folder.glob("[!_]*.py"))
    }


def _drawn_by(suite: Suite) -> str:
    """The subcommand that draws a suite's figures."""
    return "paper" if suite.name == "ousterhout" else suite.name


def tables() -> Catalogue:
    """What analyze --table prints."""
    return descriptions()


CATALOGUES: Mapping[str, Callable[[], Catalogue]] = {
    "machines": machines,
    "benchmarks": benchmarks,
    "suites": suite_names,
    "sweeps": sweeps,
    "variants": variants,
    "engines": engine_names,
    "figures": figure_names,
    "tables": tables,
}


def _folder(folder: Path) -> dict[str, str]:
    return {path.stem: _toml(path) for path in sorted(folder.glob("*.toml"))}


def _toml(path: Path) -> str:
    """A file's description; a broken file is listed too, as such."""
    try:
        return str(tomllib.loads(inputs.read_text(path)).get("description", ""))
    except (OSError, ValueError, RecursionError) as error:
        return f"(cannot be read: {error})"


def _first_line(path: Path) -> str:
    documentation = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return documentation.partition("\n")[0]
