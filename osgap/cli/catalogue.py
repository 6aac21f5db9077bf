# SPDX-License-Identifier: BSD-3-Clause
"""Lists what users choose from: each name with the description in its file."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from rich.table import Table

from osgap import engines, figures, suites
from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.base.paths import project_root
from osgap.base.terminal import columns
from osgap.cli.command_reference import command_names, commands_page
from osgap.drawing import display_names
from osgap.image.benchmarks import benchmarks
from osgap.machines.machine import load_machine
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


def machine_table() -> Table:
    """The machine files with their figures; a file that cannot be read has its fault instead."""
    table = columns("machine", *_FIGURES, "description")
    for column in table.columns[1:-1]:
        column.justify = "right"
    for column in table.columns[:-1]:
        column.no_wrap = True
    folder = project_root() / "configs" / "machines"
    for name, description in machines().items():
        table.add_row(name, *_machine_cells(folder / f"{name}.toml", description))
    return table


_FIGURES = ("MHz", "latency, ns", "MB/s", "MIPS")


def _machine_cells(path: Path, description: str) -> list[str]:
    """The clock, memory and MIPS of a machine, and its description's first words."""
    try:
        machine = load_machine(path)
    except OsgapError as error:
        return [*[""] * len(_FIGURES), description or str(error)]
    memory = machine.memory
    figures = (machine.cpu.clock_mhz, memory.latency_ns, memory.bandwidth_mb_s, machine.mips)
    texts = ("" if figure is None else f"{figure.value:.4g}" for figure in figures)
    words = re.split(r"[:;,]", description, maxsplit=1)[0]
    return [*texts, words.removeprefix("A machine ").removeprefix("A ")]


def benchmark_catalogue() -> Catalogue:
    """The benchmarks with the work of one operation, else with their file's comment."""
    return {
        name: display_names.benchmark(name.rpartition("/")[2]).meaning or comment
        for name, comment in benchmarks().items()
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
    rows = [
        ("", path)
        for path in sorted([*_modules(figures.OF_A_RUN), *of_runs], key=lambda path: path.stem)
    ]
    rows += [("compare: ", path) for path in _modules(figures.OF_TWO_RUNS)]
    rows += [(f"{name}: ", path) for name, path in of_suites if path not in of_runs]
    return {f"{prefix}{path.stem}": _first_line(path) for prefix, path in rows}


def _modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("[!_]*.py"))


def _is_of_runs(path: Path) -> bool:
    """Returns True if `osgap plot` draws the figure of a suite, which then declares ENGINES."""
    return any(line.startswith("ENGINES = ") for line in inputs.read_text(path).splitlines())


def tables() -> Catalogue:
    """Returns the tables that `analyze --table` prints."""
    return descriptions()


CATALOGUES: Mapping[str, Callable[[], Catalogue]] = {
    "machines": machines,
    "benchmarks": benchmark_catalogue,
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
