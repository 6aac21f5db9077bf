# SPDX-License-Identifier: BSD-3-Clause
"""How a machine's times follow its clock, memory and disk, each alone: elasticities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from osgap.analysis.columns import names
from osgap.analysis.suite import Suite
from osgap.machines.axes import CLOCK, Quantity
from osgap.machines.system import DiskSystem
from osgap.predict.axes import FIGURE_COLUMNS, QUANTITIES, figures_of
from osgap.predict.busy_time import Place
from osgap.predict.observations import Benchmark, exact_place, place_of
from osgap.predict.tables import Machine, Model, time_rows, whole_times

ELASTICITY_COLUMNS = [
    "machine",
    "series",
    "clock_mhz",
    *names(*FIGURE_COLUMNS),
    "rotation_ns",
    "benchmark",
    "fs",
    *(quantity.name for quantity in QUANTITIES),
]
_STEP = 1.05
"""Factor to either side. A disk's times are whole ns, of which a smaller step would lose some."""


@dataclass(frozen=True)
class _Operands:
    """The operands of the formula that a machine gives: clock, memory in cycles, and disk."""

    clock_mhz: float
    place: Place
    disk: DiskSystem


def _operands(machine: Machine, quantity: Quantity, factor: float) -> _Operands:
    """The machine with a quantity times `factor`; memory's cycles need not be whole any more."""
    before = machine.system
    after = quantity.applied(before, quantity.of(before, before) * factor, before)
    place, old, new = place_of(before), exact_place(before), exact_place(after)
    return _Operands(
        machine.clock_mhz * (after.clock_mhz / before.clock_mhz),
        Place(
            place.latency * (new.latency / old.latency),
            place.transfer * (new.transfer / old.transfer),
        ),
        after.disk,
    )


def elasticities(made: Model, machines: Sequence[Machine], suites: Sequence[Suite]) -> pd.DataFrame:
    """d log(time) / d log(x) of each benchmark of each machine (columns ELASTICITY_COLUMNS).

    x is the clock, latency (ns), bandwidth or the disk's speed, the others as they are: -1 for a
    time that falls as x grows, 0 for one that does not follow it. Were all four speeds to grow by
    one factor, all times would fall by it: clock - latency + bandwidth + disk = -1.
    """
    rows: list[dict[str, object]] = []
    for machine in machines:
        slopes = {
            quantity.name: _slopes(made, machine, quantity, suites) for quantity in QUANTITIES
        }
        rows += [
            {
                "machine": machine.name,
                "series": machine.series,
                "clock_mhz": machine.clock_mhz,
                **figures_of(machine.system),
                "rotation_ns": machine.system.disk.rotation_ns,
                "benchmark": name,
                "fs": fs,
                **{axis: values[name, fs] for axis, values in slopes.items()},
            }
            for name, fs in slopes[CLOCK.name]
        ]
    return pd.DataFrame(rows, columns=ELASTICITY_COLUMNS)


def _slopes(
    made: Model, machine: Machine, quantity: Quantity, suites: Sequence[Suite]
) -> dict[Benchmark, float]:
    more, less = (
        _times(made, _operands(machine, quantity, factor), suites) for factor in (_STEP, 1 / _STEP)
    )
    return {
        name: math.log(more[name] / less[name]) / math.log(_STEP**2)
        for name in more
        if more[name] > 0 and less[name] > 0
    }


def _times(made: Model, operands: _Operands, suites: Sequence[Suite]) -> dict[Benchmark, float]:
    """ns of an operation, by benchmark; composites too."""
    whole = whole_times(made, operands.clock_mhz, operands.place, operands.disk)
    return {
        (str(row["benchmark"]), str(row["fs"])): float(str(row["ns_per_op"]))
        for row in time_rows("", whole, made, suites)
    }
