# SPDX-License-Identifier: BSD-3-Clause
"""Figures, one module each: TABLES names what it reads, draw(tables) gives a Figure.

A module whose name begins with _ is no figure.  A name in TABLES is a table of the run, or, as
`reference/NAME`, one of results/reference.
"""

import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from osgap.analysis import read_tables
from osgap.errors import OsgapError
from osgap.reference import REFERENCE_DIRECTORY, load_reference

Tables = Mapping[str, pd.DataFrame]
FORMATS = ("svg", "png")
_REFERENCE = "reference/"
# Fixed ids and no dates, so that equal tables give equal files; text stays text in SVG.
_SETTINGS: Any = {"svg.hashsalt": "osgap", "svg.fonttype": "none", "font.family": "DejaVu Sans"}
_METADATA: dict[str, dict[str, str | None]] = {"svg": {"Date": None}, "png": {"Software": None}}


class FigureError(OsgapError):
    """A figure that is not there, or a module that does not declare one."""


@dataclass(frozen=True)
class FigureModule:
    """One figure: its name (the module's), the tables it reads, and its drawing."""

    name: str
    tables: Sequence[str]
    draw: Callable[[Tables], Figure]


def discover(directory: Path = Path(__file__).parent) -> dict[str, FigureModule]:
    """Every figure module of a directory, by name in alphabetical order.

    Raises FigureError for a module without TABLES or draw.
    """
    files = sorted(file for file in directory.glob("*.py") if not file.name.startswith("_"))
    return {file.stem: _load(file) for file in files}


def render(
    figure: FigureModule,
    tables: Path,
    output: Path,
    formats: Sequence[str] = FORMATS,
    reference: Path = REFERENCE_DIRECTORY,
) -> list[Path]:
    """Draw a figure from the tables' directory and save it as output/NAME.FORMAT.

    Raises ResultsError for a table that is missing, FigureError for one that gives no figure.
    """
    own = [name for name in figure.tables if not name.startswith(_REFERENCE)]
    frames = read_tables(tables, own)
    for name in set(figure.tables) - set(own):
        frames[name] = load_reference(name.removeprefix(_REFERENCE), reference)
    output.mkdir(parents=True, exist_ok=True)
    with mpl.rc_context(_SETTINGS):
        return save(figure.draw(frames), output / figure.name, formats)


def render_set(name: str, output: Path) -> Iterator[Path]:
    """The files of every figure in osgap/figures/NAME, from output/tables to output/figures.

    Raises as `discover` and `render` do.
    """
    for figure in discover(Path(__file__).parent / name).values():
        yield from render(figure, output / "tables", output / "figures")


def save(figure: Figure, stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Save a figure as STEM.FORMAT for each format; equal figures give equal bytes."""
    files = [stem.with_name(f"{stem.name}.{name}") for name in formats]
    FigureCanvasAgg(figure)
    with mpl.rc_context(_SETTINGS):
        for name, file in zip(formats, files, strict=True):
            figure.savefig(file, format=name, metadata=_METADATA.get(name))
    return files


def _load(file: Path) -> FigureModule:
    spec = importlib.util.spec_from_file_location(f"osgap.figures.{file.stem}", file)
    if spec is None or spec.loader is None:
        raise FigureError(f"{file}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tables, draw = getattr(module, "TABLES", None), getattr(module, "draw", None)
    if not isinstance(tables, list | tuple) or not callable(draw):
        raise FigureError(f"{file}: declares no TABLES or no draw(tables)")
    return FigureModule(file.stem, tuple(tables), draw)
