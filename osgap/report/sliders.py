# SPDX-License-Identifier: BSD-3-Clause
"""The page's sliders: their ranges, and the machines at their values."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from osgap.analysis.analysed import AnalysedRun
from osgap.machines.axes import CLOCK, DISK_SPEED, Quantity
from osgap.machines.system import System
from osgap.predict.axes import quantities
from osgap.predict.grid import GridMachine

_MARGIN = 4.0
"""Factor by which the sliders exceed the simulated range at either end."""
_FASTEST_DISK = 64.0
Setting = Mapping[str, float]
"""The values of the sliders, by the key of the quantity."""


def system_at(reference: System, setting: Setting) -> System:
    """The machine `reference` with other speeds; its disk's times are whole ns."""
    system = reference
    for quantity in quantities(reference):
        if quantity.key in setting:
            system = quantity.applied(system, setting[quantity.key], reference)
    return system


def slider_quantities(run: AnalysedRun, reference: System) -> list[Quantity]:
    """The quantities that have a slider; its scale has no 0, as that of a network without delay."""
    systems = [point.record.system for point in run.run.points.values()]
    return [
        quantity
        for quantity in quantities(reference)
        if all(quantity.of(system, reference) > 0 for system in systems)
    ]


def simulated_ranges(run: AnalysedRun, reference: GridMachine) -> dict[str, tuple[float, float]]:
    """Slider -> least and largest value in the run's systems, on simulated time."""
    systems = [point.record.system for point in run.run.points.values()]
    values = {
        quantity.key: [quantity.of(system, reference.system) for system in systems]
        for quantity in slider_quantities(run, reference.system)
    }
    return {key: (min(numbers), max(numbers)) for key, numbers in values.items()}


def ranges(run: AnalysedRun, reference: GridMachine) -> dict[str, tuple[float, float]]:
    """Slider -> its least and largest value: the simulated range and a margin."""
    simulated = simulated_ranges(run, reference)
    wide = {key: (low / _MARGIN, high * _MARGIN) for key, (low, high) in simulated.items()}
    slowest, fastest = simulated[CLOCK.key]
    disk_low, disk_high = wide[DISK_SPEED.key]
    return {
        **wide,
        # R is relative to the slowest clock, if there are several.
        CLOCK.key: (slowest if slowest < fastest else slowest / _MARGIN, 2 * fastest),
        DISK_SPEED.key: (disk_low, max(_FASTEST_DISK, disk_high)),
    }


def corner_systems(run: AnalysedRun, reference: GridMachine) -> list[System]:
    """The machines at all combinations of the sliders' ends."""
    limits = ranges(run, reference)
    settings = [dict(zip(limits, corner, strict=True)) for corner in product(*limits.values())]
    return [system_at(reference.system, setting) for setting in settings]
