# SPDX-License-Identifier: BSD-3-Clause
"""Makes and compares the selected runs, one after the other; one that fails ends no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from osgap import engines
from osgap.base.errors import OsgapError
from osgap.base.progress import say
from osgap.image.scons import scons
from osgap.image.variants import DEFAULT, image_directory, is_built
from osgap.reproduce.declared import DeclaredRun
from osgap.reproduce.difference import Lenders, RunDifference, Verdict, difference
from osgap.reproduce.selection import variants
from osgap.reproduce.work import Perform, Places, make_run


@dataclass(frozen=True)
class Reproduction:
    """Surroundings of the work: `options` of each sweep, and obstacles by run, "" without."""

    places: Places
    perform: Perform
    options: Sequence[str]
    obstacles: Mapping[str, str]

    def results(self, runs: Sequence[DeclaredRun]) -> list[RunDifference]:
        """Makes each run without an obstacle, and compares it with the committed one."""
        lenders = Lenders(self.places.locked)
        return [self._result(run, lenders) for run in runs]

    def _result(self, run: DeclaredRun, lenders: Lenders) -> RunDifference:
        if reason := self.obstacles[run.name]:
            return RunDifference(run.name, Verdict.SKIPPED, reason)
        say(f"Making {run.name} again")
        if reason := make_run(run, self.places, self.perform, self.options):
            return RunDifference(run.name, Verdict.FAILED, reason)
        try:
            return difference(run, self.places, lenders)
        except OsgapError as error:
            return RunDifference(run.name, Verdict.FAILED, str(error))


def build_images(runs: Iterable[DeclaredRun], perform: Perform) -> None:
    """Builds the images of the runs' variants that are not built. Raises OsgapError.

    A variant that cannot be built is named by the runs that need it.
    """
    booting = [run for run in runs if run.engine and engines.load(run.engine).boots_image]
    names = dict.fromkeys(name for run in booting for name in variants(run))
    if DEFAULT in names:
        scons("image")
    absent = [name for name in names if name != DEFAULT and not is_built(image_directory(name))]
    for name in absent:
        try:
            perform(["variants", name])
        except OsgapError as error:
            say(f"image variant {name}: {error}")


def status_of(results: Iterable[RunDifference]) -> int:
    """The exit status: 0 equal or within layouts, 1 some differ, 2 some failed."""
    outcomes = {result.outcome for result in results}
    if Verdict.FAILED in outcomes:
        return 2
    return 1 if Verdict.DIFFERS in outcomes else 0
