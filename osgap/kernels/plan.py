# SPDX-License-Identifier: BSD-3-Clause
"""Says before a comparison starts what it costs, and how small a difference it will tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isnan
from pathlib import Path

from osgap.base.quoting import counted
from osgap.image.variants import image_directory, is_built
from osgap.kernels.committed import COMMITTED, committed_point_s
from osgap.kernels.comparison import KernelComparison, places_of
from osgap.points import record
from osgap.points.record import State
from osgap.rundir.directory import runs_below
from osgap.sweep.estimate import MeanCosts, mean_costs
from osgap.sweep.spec import SweepFile
from osgap.sweep.status import duration


@dataclass(frozen=True)
class KernelPlan:
    """The points and images that a comparison still needs; seconds of a point, NaN if unknown.

    `source` says whose they are.
    """

    layouts: int
    points: int
    finished: int
    images: int
    point_s: float
    source: str
    at_once: int

    @property
    def pair_s(self) -> float:
        """Seconds of the points of one pair of layouts, one after another."""
        return self.point_s * self.points / self.layouts

    @property
    def seconds(self) -> float:
        """Seconds of the points that are not finished."""
        return self.point_s * (self.points - self.finished) / self.at_once


def make_plan(
    comparison: KernelComparison, sweep: SweepFile, output: Path, runs: Path, at_once: int
) -> KernelPlan:
    """Returns the plan; points cost what finished ones below `output` and `runs` took.

    Best are points with the same benchmarks, then the committed comparison's if it has the same,
    then the engine's mean. `at_once` points run at once. Raises OsgapError for a wrong record.
    """
    costs = mean_costs(runs, output)
    point_s, source = _point_s(costs, sweep)
    images = sum(not is_built(image_directory(name)) for name in comparison.variants)
    points = len(comparison.variants) * places_of(sweep)
    layouts = len(comparison.base_layouts)
    finished = _finished(comparison, output)
    return KernelPlan(layouts, points, finished, images, point_s, source, at_once)


def _point_s(costs: MeanCosts, sweep: SweepFile) -> tuple[float, str]:
    """The seconds of a point, NaN if unknown, and whose they are."""
    alike = costs.alike.get((sweep.engine, sweep.run))
    if alike is not None:
        return alike, "finished points with the same benchmarks"
    committed = committed_point_s(sweep)
    if not isnan(committed):
        return committed, f"those of {COMMITTED} on another host"
    return costs.engine.get(sweep.engine, float("nan")), "this engine's finished points"


def _finished(comparison: KernelComparison, output: Path) -> int:
    folders = runs_below(output) if output.is_dir() else []
    matching = [run for run in folders if run.name.rpartition(".")[2] in comparison.variants]
    files = [(run, file.stem) for run in matching for file in (run / "records").glob("*.json")]
    return sum(record.read(run, key).state is State.DONE for run, key in files)


def lines(plan: KernelPlan, comparison: KernelComparison) -> Iterator[str]:
    """Sentences: the two kernels, what there is to do, and how long it takes."""
    yield f"base: {comparison.base_label}"
    yield f"changed: {comparison.changed_label}"
    left = plan.points - plan.finished
    yield (
        f"{counted(plan.layouts, 'layout')} of each kernel: {counted(plan.images, 'image')} to "
        f"build, {left} of {counted(plan.points, 'point')} to run, {plan.at_once} at a time"
    )
    if not left:
        return
    if isnan(plan.point_s):
        yield "no finished point tells how long they take"
        return
    yield (
        f"the points: about {duration(plan.seconds)}, if they take as long as {plan.source}; "
        "compiling and booting come on top (docs/guide/kernel-ab.md)"
    )
