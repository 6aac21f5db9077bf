# SPDX-License-Identifier: BSD-3-Clause
"""Lists what users choose from: each name with the description in its file."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from osgap import engines, figures, suites
from osgap.base import inputs
from osgap.base.paths import project_root
from osgap.cli.command_reference import command_names, commands_page
from osgap.image.benchmarks import benchmarks
from osgap.printing.formats import descriptions
from osgap.printing.keys import PAGES as KEY_PAGES
from osgap.printing.keys import key_catalogue, keys_page
from osgap.printing.reference import tables_page

Catalogue = Mapping[str, str]
# Suites of our own, of no publication: they have no host side that could describe them.
_OWN_SUITES = {
    "calls": "checks of reflected system calls: what Linux promises, and that the server saw them",
    "checks": "the machine's rating, its memory's latency and bandwidth, the empty loop",
    "modes": "checks of user, system and idle time, where it is known how much each is",
    "smp": "checks of memory shared by several harts",
}


def machines() -> Catalogue:
    """The machine files in configs/machines, with their folders in the names."""
    folder = project_root() / "configs" / "machines"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): _toml(path)
        for path in sorted(folder.rglob("*.toml"))
    }


def sweeps() -> Catalogue:
    """The sweep files in configs/sweeps."""
    return _folder(project_root() / "configs" / "sweeps")


def variants() -> Catalogue:
    """The image variants in disk-images/variants, and the default image, which has no file."""
    files = _folder(project_root() / "disk-images" / "variants")
    return {"default": "gcc -O2, glibc, one hart, the kernel as in disk-images/kernel", **files}


def engine_names() -> Catalogue:
    """The engines in osgap/engines."""
    return {name: engines.load(name).description for name in engines.names()}


def suite_names() -> Catalogue:
    """The folders of workloads, with the publication whose benchmarks they hold."""
    published = {
        folder: f"the benchmarks of {suite.title}"
        for suite in suites.suites()
        for folder in suite.workloads
    }
    names = sorted({name.partition("/")[0] for name in benchmarks()})
    return {name: published.get(name) or _OWN_SUITES.get(name, "") for name in names}


def figure_names() -> Catalogue:
    """Returns the figures of a run, and those of other commands as "COMMAND: NAME"."""
    commands = {suite.command: suite.figures for suite in suites.suites() if suite.figures}
    of_suites = [(name, path) for name, folder in commands.items() for path in _modules(folder)]
    of_runs = [path for _, path in of_suites if _is_of_runs(path)]
    rows = [("", path) for path in sorted([*_modules(figures.OF_A_RUN), *of_runs], key=_stem)]
    rows += [("compare: ", path) for path in _modules(figures.OF_TWO_RUNS)]
    rows += [(f"{name}: ", path) for name, path in of_suites if path not in of_runs]
    return {f"{prefix}{path.stem}": _first_line(path) for prefix, path in rows}


def _modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("[!_]*.py"))


def _stem(path: Path) -> str:
    return path.stem


def _is_of_runs(path: Path) -> bool:
    """Returns True if `osgap plot` draws the figure of a suite, which then declares ENGINES."""
    return any(line.startswith("ENGINES = ") for line in inputs.read_text(path).splitlines())


def tables() -> Catalogue:
    """Returns the tables that `analyze --table` prints."""
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
    **{kind: partial(key_catalogue, kind) for kind in KEY_PAGES},
    "commands": command_names,
}


def reference_pages() -> Mapping[str, Callable[[], str]]:
    """Returns the makers of the pages of docs/reference, by the kind that is listed."""
    pages = {kind: partial(keys_page, kind) for kind in KEY_PAGES}
    return {"tables": tables_page, **pages, "commands": commands_page}


def _folder(folder: Path) -> dict[str, str]:
    return {path.stem: _toml(path) for path in sorted(folder.glob("*.toml"))}


def _toml(path: Path) -> str:
    """A file's description, or a remark that the file cannot be read."""
    try:
        return str(tomllib.loads(inputs.read_text(path)).get("description", ""))
    except (OSError, ValueError, RecursionError) as error:
        return f"(cannot be read: {error})"


def _first_line(path: Path) -> str:
    documentation = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return documentation.partition("\n")[0]
