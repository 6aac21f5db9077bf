# SPDX-License-Identifier: BSD-3-Clause
"""Simulated times of the boards: of each benchmark by engine, image and layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from osgap.analysis.analysed import AnalysedRun
from osgap.analysis.layouts.groups import image_of
from osgap.analysis.layouts.spread import Spread, spread
from osgap.analysis.layouts.starts import system_of
from osgap.analysis.runs import DIRECT
from osgap.rundir.csvfile import ResultsError
from osgap.suites.boards.rows import BoardRow
from osgap.suites.boards.units import unit_of

FOLDER = "boards/"
"""Machine files of boards lie in this folder of configs/machines."""
_LAYOUT = re.compile(r"^(?:(?P<image>.+)-)?layout-[0-9]+$")
_DEFAULT = "default"
_ENGINES = ("rvsim", "gem5")
_IMAGES = (_DEFAULT, "boards", "distro")
Place = tuple[str, str]
"""A benchmark's name without its suite, and its file system; "" for its first one."""


@dataclass(frozen=True)
class BenchmarkTime:
    """The ns of one operation, the bytes that it moves, and the benchmark's own unit."""

    ns: float
    bytes: float
    metric: str


Times = Mapping[Place, BenchmarkTime]


@dataclass(frozen=True, eq=False)
class SimulatedBoard:
    """A board on one engine with one image: the times in each layout of the image."""

    board: str
    engine: str
    image: str
    layouts: Mapping[int, Times]

    @property
    def name(self) -> str:
        """The engine and the image, as tables and figures call them."""
        return f"{self.engine}, {self.image}"

    def prediction(self, row: BoardRow) -> Spread | None:
        """The spread over layouts of the logarithm of a row's time, ns of one published operation.

        Of a rate of bytes it is the ns of one byte. None where no layout has all benchmarks of the
        row, or where one gives no time above 0, as a difference may.
        """
        logs = self.logs_by_layout(row)
        return spread([np.array([value]) for value in logs.values()]) if logs else None

    def logs_by_layout(self, row: BoardRow) -> dict[int, float]:
        """The logarithm of a row's time in each layout; empty where `prediction` has none."""
        times = {
            layout: time
            for layout, of_layout in sorted(self.layouts.items())
            if (time := _row_time(row, of_layout)) is not None
        }
        if not all(time > 0 for time in times.values()):
            return {}
        return {layout: float(np.log(time)) for layout, time in times.items()}

    def time(self, place: Place) -> Spread | None:
        """The same of one benchmark, of one of its operations or, where it moves bytes, a byte."""
        of_place = [times[place] for _, times in sorted(self.layouts.items()) if place in times]
        times = [time.ns / (time.bytes or 1) for time in of_place]
        if not times or not all(value > 0 for value in times):
            return None
        return spread([np.array([value]) for value in np.log(times)])


def _row_time(row: BoardRow, times: Times) -> float | None:
    """The ns of one published operation or byte; None where a benchmark is missing."""
    places = [(name.partition("/")[2], row.fs) for name in row.terms]
    if not places or not all(place in times for place in places):
        return None
    terms = [times[place] for place in places]
    ns = sum(factor * time.ns for factor, time in zip(row.terms.values(), terms, strict=True))
    if not unit_of(row.measured.unit).is_of_bytes:
        return ns * row.operations
    moved = terms[0].bytes
    if not moved:
        raise ResultsError(
            f"row {row.name} of {row.board}: {row.benchmark} moves no bytes; allowed: a benchmark "
            "with a rate in MB/s"
        )
    return ns / moved


def board_of(run: AnalysedRun) -> str:
    """The board whose machine file the run has; "" for another machine, and reflected calls."""
    is_board = run.machine.startswith(FOLDER) and run.is_simulated and run.calls == DIRECT
    return run.machine.removeprefix(FOLDER) if is_board else ""


def image_group(variant: str) -> str:
    """The image variant without its layout: distro of distro-layout-2, default of layout-2."""
    match = _LAYOUT.match(variant)
    return variant if match is None else match["image"] or _DEFAULT


def simulated_boards(runs: Sequence[AnalysedRun], boards: Sequence[str]) -> list[SimulatedBoard]:
    """Each of `boards` on each engine with each image that `runs` have, in the boards' order.

    Runs of one layout are taken together, and so are starts: a benchmark that they share has the
    mean of its times. Raises ResultsError where the runs of a board and an engine have two systems.
    """
    groups: dict[tuple[str, str, str], dict[int, list[AnalysedRun]]] = {}
    for run in runs:
        board = board_of(run)
        if board in boards:
            key = board, run.engine, image_group(run.variant)
            groups.setdefault(key, {}).setdefault(image_of(run).layout, []).append(run)
    _check_systems(groups)
    order = sorted(groups, key=lambda key: (boards.index(key[0]), _rank(key[1:])))
    return [
        SimulatedBoard(*key, {layout: _times(same) for layout, same in groups[key].items()})
        for key in order
    ]


def _rank(condition: tuple[str, str]) -> tuple[tuple[int, str], ...]:
    return engine_rank(condition[0]), image_rank(condition[1])


def engine_rank(name: str) -> tuple[int, str]:
    """A sort key of engines: rvsim, gem5, then others by name."""
    return (_ENGINES.index(name) if name in _ENGINES else len(_ENGINES)), name


def image_rank(name: str) -> tuple[int, str]:
    """A sort key of image variants: default, boards, distro, then others by name."""
    return (_IMAGES.index(name) if name in _IMAGES else len(_IMAGES)), name


def _check_systems(groups: Mapping[tuple[str, str, str], Mapping[int, list[AnalysedRun]]]) -> None:
    """Raises ResultsError where two points of a board and an engine differ in their machine."""
    first: dict[tuple[str, str], tuple[str, AnalysedRun]] = {}
    for (board, engine, _), layouts in groups.items():
        for run in (run for same in layouts.values() for run in same):
            for key in run.run.points:
                system = system_of(run, key)
                earlier, where = first.setdefault((board, engine), (system, run))
                if earlier != system:
                    raise ResultsError(
                        f"{run.path}: found another system of {board} on {engine} than in "
                        f"{where.path}; allowed: one, so give runs of one machine file and clock"
                    )


def _times(runs: Sequence[AnalysedRun]) -> Times:
    """The mean time of each benchmark over the points of runs of one layout."""
    by_place: dict[Place, list[BenchmarkTime]] = {}
    for place, time in (row for run in runs for row in _rows(run)):
        by_place.setdefault(place, []).append(time)
    return {
        place: BenchmarkTime(
            float(np.mean([time.ns for time in times])), times[0].bytes, times[0].metric
        )
        for place, times in by_place.items()
    }


def _rows(run: AnalysedRun) -> Iterator[tuple[Place, BenchmarkTime]]:
    """Each benchmark of each point on each file system, and once more as its first one's."""
    times = run.machine_time["times"]
    columns = ["key", "benchmark", "fs", "ns_per_op", "bytes", "metric"]
    begun: set[tuple[str, str]] = set()
    for key, name, fs, ns, moved, metric in times[columns].itertuples(index=False, name=None):
        time = BenchmarkTime(float(ns), float(moved), str(metric))
        yield (str(name), str(fs)), time
        if (str(key), str(name)) not in begun:
            begun.add((str(key), str(name)))
            yield (str(name), ""), time
