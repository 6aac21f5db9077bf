# SPDX-License-Identifier: BSD-3-Clause
"""Finds, renders and saves figures, one module each: TABLES lists its tables, draw(tables) draws
it.

OPTIONAL lists further tables that the figure reads where a run has them, ENGINES the engines whose
runs it shows, if these are not all simulators.

A module whose name begins with _ is no figure.  An entry of TABLES is a declared Table
(osgap.analysis.table), the name of a table of osgap.analysis, or `reference/NAME` for a table of
results/reference.
"""

import importlib.util
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from osgap.analysis.reference import load_reference
from osgap.analysis.table import Table
from osgap.analysis.tables import read_tables
from osgap.base import durable
from osgap.base.errors import OsgapError
from osgap.base.quoting import visible
from osgap.machines.host import is_simulator
from osgap.rundir.output import claim_part

Tables = Mapping[str, pd.DataFrame]
FORMATS = ("svg", "png")
_REFERENCE = "reference/"
# Fixed ids and no dates, so that equal tables give equal files; text stays text in SVG.
_SETTINGS: Any = {"svg.hashsalt": "osgap", "svg.fonttype": "none", "font.family": "DejaVu Sans"}
_METADATA: dict[str, str | None] = {"Date": None}
PNG_DPI = 200
"""1500 pixels for figures of 7.5 inches, which pages show at half that width."""


class FigureError(OsgapError):
    """A figure without data, or a module that declares no figure."""


class NothingToDraw(FigureError):
    """A figure that only some runs have: drawing all figures of a run passes over it."""


@dataclass(frozen=True)
class FigureModule:
    """One figure: its name (the module's), the tables it reads, and its drawing function."""

    name: str
    tables: Sequence[str]
    draw: Callable[[Tables], Figure]
    optional: Sequence[str] = ()
    engines: Sequence[str] = ()
    declared: Sequence[Table] = ()

    def shows(self, engine: str) -> bool:
        """Returns whether the figure is for runs on `engine`, by default any simulator."""
        return engine in self.engines if self.engines else is_simulator(engine)


def discover(directory: Path) -> dict[str, FigureModule]:
    """Every figure module of a directory, by name in alphabetical order. Raises FigureError."""
    files = sorted(file for file in directory.glob("*.py") if not file.name.startswith("_"))
    return {file.stem: _load(file) for file in files}


def render(
    figure: FigureModule,
    tables: Path,
    output: Path,
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Draw a figure from the tables' directory and save it as output/NAME.FORMAT.

    Raises ResultsError, FigureError, or OsgapError for a directory of other files.
    """
    names = [name for name in figure.tables if not name.startswith(_REFERENCE)]
    names += [name for name in figure.optional if (tables / f"{name}.csv").is_file()]
    read = read_tables(tables, names, figure.declared)
    claim_part(output)
    durable.clear_leftovers(output)
    with _settings():
        return save(drawn(figure, read), output / figure.name, formats)


def drawn(figure: FigureModule, tables: Tables) -> Figure:
    """Draw a figure from its tables, by name. Raises FigureError for a missing or useless one."""
    frames = {}
    for name in (*figure.tables, *figure.optional):
        if name.startswith(_REFERENCE):
            frames[name] = load_reference(name.removeprefix(_REFERENCE))
        elif name in tables:
            frames[name] = _drawable(tables[name].copy())
        elif name in figure.tables:
            raise FigureError(f"figure {figure.name}: found no table {name}; allowed: with it")
    with _settings():
        return figure.draw(frames)


def render_all(directory: Path, output: Path) -> Iterator[Path]:
    """Draws every figure of `directory` from output/tables into output/figures; yields the files.

    Raises as `discover` and `render` do.
    """
    for figure in discover(directory).values():
        if figure.engines:
            continue
        with suppress(NothingToDraw):
            yield from render(figure, output / "tables", output / "figures")


def save(figure: Figure, stem: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Save a figure as STEM.FORMAT for each format; equal figures give equal bytes."""
    files = [stem.with_name(f"{stem.name}.{name}") for name in formats]
    FigureCanvasAgg(figure)
    with _settings():
        for name, file in zip(formats, files, strict=True):
            with durable.whole_file(file) as pending:
                pixels = io.BytesIO()
                target, kind, metadata = (
                    (pixels, "rgba", None) if name == "png" else (pending, name, _METADATA)
                )
                figure.savefig(target, format=kind, dpi=PNG_DPI, metadata=metadata)
                if name == "png":
                    _write_palette(figure, pixels.getvalue(), pending)
    return files


def _write_palette(figure: Figure, pixels: bytes, file: Path) -> None:
    """Writes a figure's pixels as PNG with 256 colours, which takes a third of the bytes."""
    width, height = (int(PNG_DPI * inches) for inches in figure.get_size_inches())
    image = Image.frombytes("RGBA", (width, height), pixels).convert("RGB")
    image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
        file, format="png", optimize=True
    )


def _drawable(table: pd.DataFrame) -> pd.DataFrame:
    """Makes texts of a table safe to draw: no control characters for SVG, no formulas."""
    texts = table.select_dtypes(["object", "string"])
    table[texts.columns] = texts.map(_plain)
    return table


def _plain(cell: object) -> object:
    return visible(cell).replace("$", r"\$") if isinstance(cell, str) else cell


@contextmanager
def _settings() -> Iterator[None]:
    """Applies our settings to matplotlib's defaults, without a matplotlibrc."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def _load(file: Path) -> FigureModule:
    spec = importlib.util.spec_from_file_location(f"osgap_figure_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise FigureError(f"{file}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tables, draw = getattr(module, "TABLES", None), getattr(module, "draw", None)
    if not isinstance(tables, list | tuple) or not callable(draw):
        raise FigureError(f"{file}: declares no TABLES or no draw(tables)")
    optional, engines = (tuple(getattr(module, name, ())) for name in ("OPTIONAL", "ENGINES"))
    declared = tuple(table for table in (*tables, *optional) if isinstance(table, Table))
    return FigureModule(file.stem, _names(tables), draw, _names(optional), engines, declared)


def _names(tables: Iterable[Table | str]) -> tuple[str, ...]:
    return tuple(table.name if isinstance(table, Table) else table for table in tables)
