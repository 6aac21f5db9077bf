# SPDX-License-Identifier: BSD-3-Clause
"""Elasticities of a machine's times: how they follow its clock, memory, disk and network, each
alone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from osgap.analysis.columns import BENCHMARK, FS, names
from osgap.analysis.suite import Suite
from osgap.analysis.table import Column, Table
from osgap.machines.axes import CLOCK, Quantity
from osgap.predict.axes import (
    NETWORK_COLUMNS,
    NETWORK_QUANTITIES,
    POSITION_COLUMNS,
    QUANTITIES,
    figures_of,
    quantities,
)
from osgap.predict.busy_time import MemoryPosition
from osgap.predict.grid import GridMachine
from osgap.predict.model import Model, Operands
from osgap.predict.observations import Benchmark, exact_memory_position, memory_position
from osgap.predict.tables import time_rows


def _slope(quantity: Quantity) -> Column:
    return Column(quantity.name, f"d log(time) / d log({quantity.name})")


ELASTICITY = Table(
    "elasticity",
    "of predicted machines: how each time follows the clock, memory, the disk and the network",
    (
        *POSITION_COLUMNS,
        BENCHMARK,
        FS,
        *map(_slope, QUANTITIES),
    ),
    optional=(*NETWORK_COLUMNS, *map(_slope, NETWORK_QUANTITIES)),
)
_STEP_FACTOR = 1.05
"""Finite difference, as a factor to either side. A disk's times are whole ns, of which a smaller
step would lose some."""


def elasticities(
    model: Model, machines: Sequence[GridMachine], suites: Sequence[Suite]
) -> pd.DataFrame:
    """d log(time) / d log(x) of each benchmark of each machine (rows of ELASTICITY).

    If all four speeds grew by one factor, all times would fall by it: clock - latency + bandwidth +
    disk = -1. Where files are on a server, + network_bandwidth - network_delay is in the sum.
    """
    rows: list[dict[str, object]] = []
    for machine in machines:
        slopes = {
            quantity.name: _slopes(model, machine, quantity, suites)
            for quantity in quantities(machine.system)
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
    has_network = any(machine.system.network for machine in machines)
    return ELASTICITY.frame(rows, names(*ELASTICITY.optional) if has_network else ())


def _slopes(
    model: Model, machine: GridMachine, quantity: Quantity, suites: Sequence[Suite]
) -> dict[Benchmark, float]:
    times = (
        time_rows("", model.times(_operands(machine, quantity, factor)), model, suites)
        for factor in (_STEP_FACTOR, 1 / _STEP_FACTOR)
    )
    more, less = (
        {(str(row["benchmark"]), str(row["fs"])): float(str(row["ns_per_op"])) for row in rows}
        for rows in times
    )
    return {
        name: math.log(more[name] / less[name]) / math.log(_STEP_FACTOR**2)
        for name in more
        if more[name] > 0 and less[name] > 0
    }


def _operands(machine: GridMachine, quantity: Quantity, factor: float) -> Operands:
    """The machine with a quantity times `factor`; memory's cycles need not be whole any more."""
    before = machine.system
    value = quantity.of(before, before)
    # A delay of 0 stays 0.
    after = quantity.applied(before, value * factor, before) if value else before
    position = memory_position(before)
    old, new = exact_memory_position(before), exact_memory_position(after)
    return Operands(
        after.clock_mhz,
        MemoryPosition(
            position.latency * (new.latency / old.latency),
            position.transfer * (new.transfer / old.transfer),
        ),
        after.disk,
        after.network,
    )
