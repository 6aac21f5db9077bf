# SPDX-License-Identifier: BSD-3-Clause
"""The axes over which machines can be predicted: those whose fields of System the formula has."""

from __future__ import annotations

from typing import Any

from osgap.analysis.columns import CLOCK_MHZ, MACHINE, SERIES, figure_column
from osgap.analysis.table import Column
from osgap.machines import axes
from osgap.machines.axes import FigureAxis, PolicyAxis, Quantity
from osgap.machines.system import System

FORMULA = ("clock_mhz", *(f"memory.{key}" for key in axes.MEMORY_KEYS), "disk.")
"""The fields of a system, or beginnings of them, from which the formula follows."""
PARTS = frozenset(field.partition(".")[0] for field in FORMULA)
"""The parts of a system that predicted machines of a run may differ in."""


def _is_in_formula(quantity: Quantity) -> bool:
    return all(field.startswith(FORMULA) for field in quantity.fields)


QUANTITIES = tuple(filter(_is_in_formula, axes.QUANTITIES))
FIGURES = tuple(axis for axis in QUANTITIES if isinstance(axis, FigureAxis))
FIGURE_COLUMNS = tuple(map(figure_column, FIGURES))
"""Columns of predicted tables: the figures as simulated, which is after scaling."""
POSITION_COLUMNS = (
    MACHINE,
    SERIES,
    CLOCK_MHZ,
    *FIGURE_COLUMNS,
    Column("rotation_ns", "time of one turn of the disk", "ns"),
)
"""The columns of predicted tables that tell which machine of the grid a row is about."""
AXES = tuple(
    axis.key
    for axis in axes.IN_PLAN
    if (isinstance(axis, Quantity) and _is_in_formula(axis))
    or (isinstance(axis, PolicyAxis) and axis.key in PARTS)
)
"""The axes of a grid, by their keys in a sweep file."""


def figures_of(system: System) -> dict[str, float]:
    """A row's FIGURE_COLUMNS for a simulated system."""
    return {axis.key: axis.of(system) for axis in FIGURES}


def fixed_parts(system: System) -> dict[str, Any]:
    """The parts of a system that the formula cannot vary, by name: caches, TLB, core."""
    return {name: value for name, value in system.model_dump().items() if name not in PARTS}
