# SPDX-License-Identifier: BSD-3-Clause
"""Loads runs in notebooks and scripts: `osgap.load_run(path)` (docs/tutorial/notebooks.md)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pandas as pd

from osgap.analysis.runs import analyze_run
from osgap.analysis.tables import run_tables
from osgap.base.paths import project_root
from osgap.base.quoting import counted, quoted
from osgap.base.suggestions import hint, no_directory, unknown
from osgap.drawing.display_names import display_names, series_name
from osgap.printing.formats import VIEWS, table_rows
from osgap.printing.selection import select, with_positions
from osgap.rundir import load, manifest
from osgap.rundir.csvfile import ResultsError
from osgap.rundir.directory import MANIFEST, runs_below
from osgap.suites import suites

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from osgap.analysis.analysed import AnalysedRun

_R_COLUMNS = ("series", "clock_mhz", "benchmark", "fs", "relative")
_LISTED = 40
"""Runs that an error lists."""
_SHOWN = 12
"""Names in a line of a run that prints itself."""


class MissingRunError(ResultsError, FileNotFoundError):
    """A path that holds no run, or several."""


class UnknownTableError(ResultsError, KeyError):
    """A name that no table of a run has."""

    __str__ = Exception.__str__  # a KeyError quotes its text


class RunTables(dict[str, pd.DataFrame]):
    """A run's tables by name; a wrong name is an UnknownTableError that lists the names."""

    def __missing__(self, name: str) -> NoReturn:
        problem = f"there is no table {quoted(name)}"
        raise UnknownTableError(f"{problem}; {hint(name, list(self))}known: {', '.join(self)}")

    def __repr__(self) -> str:
        """The names with their rows and columns, in place of all their cells."""
        sizes = (
            f"{name} ({counted(len(f), 'row')}, {counted(len(f.columns), 'column')})"
            for name, f in self.items()
        )
        return "tables: " + ", ".join(sizes)


@dataclass(frozen=True, eq=False, repr=False)
class LoadedRun:
    """A run and its tables; `run` is the checked content of its directory or archive."""

    run: load.Run

    @property
    def name(self) -> str:
        """The run's name."""
        return self.run.name

    @property
    def path(self) -> Path:
        """The run's directory."""
        return self.run.path

    @property
    def unfinished(self) -> tuple[str, ...]:
        """Keys of the unfinished points, which the tables lack."""
        return self.run.unfinished

    @property
    def points(self) -> pd.DataFrame:
        """A row for each point and series, with the point's key, clock, policies and rating."""
        return self.tables["points"]

    @cached_property
    def tables(self) -> RunTables:
        """Every table by name, computed on first access (docs/reference/run-directory.md).

        Raises ResultsError if no point is finished.
        """
        return RunTables(self._analysed.tables)

    @cached_property
    def _analysed(self) -> AnalysedRun:
        return analyze_run(self.run, suites())

    def rows(self, table: str, columns: Sequence[str] = (), **conditions: object) -> pd.DataFrame:
        """Returns the rows of a table that meet all conditions: those of `osgap show`.

        `columns` are the columns to return, by default all. A condition is a column's name with a
        value or a list of values: `run.rows("times", benchmark="cswitch", clock_mhz=[20, 320])`.
        A table with keys of points can be selected by the columns of the table points too. Raises
        ResultsError, which lists what there is, for an unknown name or value.
        """
        frame = table_rows(self.tables, table) if table in VIEWS else self.tables[table]
        values = {name: _values(value) for name, value in conditions.items()}
        return select(with_positions(frame, self.points), values, columns)

    def R(self, **conditions: object) -> pd.DataFrame:
        """Returns R, the MIPS-relative speed, with series, clock, benchmark and file system.

        Conditions are those of `rows`: `run.R(benchmark="cswitch", series="fixed")`.
        """
        return self.rows("relative", _R_COLUMNS, **conditions).rename(columns={"relative": "R"})

    def plot(self, figure: str = "scaling") -> Figure:
        """Draws one of the run's figures (`osgap list figures`). Raises FigureError."""
        import matplotlib.pyplot  # noqa: F401  (a notebook shows figures once it is imported)

        from osgap.drawing.figure import FigureError, drawn
        from osgap.figures import run_figures

        figures = run_figures()
        if figure not in figures:
            raise FigureError(unknown("figure", figure, figures))
        return drawn(figures[figure], self.tables)

    def predict(
        self,
        table: str = "predicted",
        *,
        use: Sequence[str] = (),
        machines: Sequence[str] = (),
        layouts: Sequence[str | PathLike[str]] = (),
        **axes: object,
    ) -> pd.DataFrame:
        """Predicts machines that were not simulated, as `osgap predict` does.

        Axes are the keys of a sweep file, each with a value or a list:
        `run.predict(clock_mhz=[30, 100], latency_ns=50)`; without any the grid is the run's own.
        `table` is "predicted", "means" or "errors". `use` are beginnings of the keys of the points
        to predict from, `machines` names of machine files in place of axes, `layouts` folders of
        runs of several layouts. Raises OsgapError.
        """
        from osgap.predict import grid
        from osgap.predict.borrowed_errors import committed_prior
        from osgap.predict.prediction import predict_run

        if table not in ("predicted", "means", "errors"):
            problem = f"table: found {quoted(table)}"
            raise ResultsError(f"{problem}; allowed: 'predicted', 'means', 'errors'")
        values = {key: _values(value) for key, value in axes.items()}
        grid.check(values)
        if machines and values:
            raise ResultsError(f"machines: found beside {', '.join(values)}; allowed: one of them")
        files = project_root() / "configs" / "machines"
        folders = [Path(folder) for folder in layouts]
        prediction = predict_run(
            self._analysed, values, use, files, folders, machines, committed_prior()
        )
        frame: pd.DataFrame = getattr(prediction, table)
        return frame

    def __repr__(self) -> str:
        """The run in five lines: its points, clocks, series, benchmarks and tables."""
        return "\n".join(f"{name}: {text}" for name, text in self._summary().items())

    def _repr_html_(self) -> str:
        """The same as a table, for notebooks."""
        rows = (
            f'<tr><th style="text-align: left">{escape(name)}</th>'
            f'<td style="text-align: left">{escape(text)}</td></tr>'
            for name, text in self._summary().items()
        )
        return f"<table>{''.join(rows)}</table>"

    def _summary(self) -> Mapping[str, str]:
        points = self.run.points.values()
        clocks = sorted({point.record.axes.clock_mhz for point in points})
        benchmarks = [name for point in points for name in point.samples["benchmark"]]
        tables = [name for name, table in run_tables().items() if not table.absent]
        return {
            f"run {self.name}": ", ".join(self._parts()),
            "clocks in MHz": _listed(f"{clock:g}" for clock in clocks),
            "series": _listed(
                f"{name} ({series_name(name)})" for name in _ordered(self.run.series)
            ),
            "benchmarks": _listed(benchmarks),
            "tables": _listed(tables),
        }

    def _parts(self) -> Iterator[str]:
        """The run's points, machine, engine, and its unfinished points if there are any."""
        records = [point.record for point in self.run.points.values()]
        yield counted(len(records), "point")
        for record in records[:1]:
            yield f"machine {record.machine}"
            yield f"engine {record.engine}"
        if self.unfinished:
            yield f"{len(self.unfinished)} not finished"


def _ordered(series: Iterable[str]) -> list[str]:
    """The series in the order in which tables have them."""
    order = list(display_names().series)
    return sorted(series, key=lambda name: order.index(name) if name in order else len(order))


def _listed(names: Iterable[str]) -> str:
    """The names, each once; of many the first, and their number."""
    each = list(dict.fromkeys(names))
    return ", ".join(each[:_SHOWN]) + (f", ... ({len(each)})" if len(each) > _SHOWN else "")


def load_run(path: str | PathLike[str]) -> LoadedRun:
    """Loads the run in directory `path`, live or accepted; an archive is read in place.

    Raises MissingRunError (a ResultsError and a FileNotFoundError) for a path that is no run: it
    lists the runs below a folder. Raises ResultsError or ConfigError (both OsgapError), naming the
    file, for a damaged run.
    """
    directory = Path(path)
    if not (directory / MANIFEST).is_file():
        raise MissingRunError(_no_run(directory))
    return LoadedRun(load.load_run(directory))


def runs(folder: str | PathLike[str] | None = None) -> pd.DataFrame:
    """Returns the runs in and below `folder`: path, name, machine, image variant and points.

    The default is the folder results of the checkout: `results/runs` has new runs,
    `results/locked` the accepted ones. Raises MissingRunError for a folder without runs.
    """
    directory = project_root() / "results" if folder is None else Path(folder)
    paths = runs_below(directory)
    if not paths:
        raise MissingRunError(_no_run(directory))
    rows = []
    for path in paths:
        record = manifest.read(path)
        request = record.request(path)
        where = os.path.relpath(path) if folder is None else str(path)
        rows.append((where, record.name, request.machine, request.variant, len(record.points)))
    return pd.DataFrame(rows, columns=["path", "name", "machine", "variant", "points"])


def _no_run(directory: Path) -> str:
    """The error's text for a path that is no run: similar names, or the runs below it."""
    if not directory.is_dir():
        return no_directory(directory)
    below = [str(path.relative_to(directory)) for path in runs_below(directory)]
    if not below:
        return f"{directory}: has no {MANIFEST} in or below it"
    more = ", ..." if len(below) > _LISTED else ""
    listed = ", ".join(below[:_LISTED])
    count = counted(len(below), "run")
    return f"{directory}: is a folder of {count}; allowed: one of {listed}{more}"


def _values(value: object) -> list[Any]:
    """A value, or the values of a list, as a list."""
    is_several = isinstance(value, list | tuple | set | range | pd.Series)
    return list(value) if is_several else [value]  # type: ignore[call-overload]
