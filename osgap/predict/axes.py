# SPDX-License-Identifier: BSD-3-Clause
"""The axes over which machines can be predicted: those whose fields of System the formula has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from osgap.analysis.columns import CLOCK_MHZ, MACHINE, SERIES, figure_column
from osgap.analysis.table import Column
from osgap.machines import axes
from osgap.machines.axes import FigureAxis, PolicyAxis, Quantity
from osgap.machines.system import System

FORMULA = ("clock_mhz", *(f"memory.{key}" for key in axes.MEMORY_KEYS), "disk.")
_OF_NETWORK = ("bytes_per_s", "delay_ns")
"""The fields of a network that the formula has, where files are on a server."""
"""The fields of a system, or beginnings of them, from which the formula follows."""
PARTS = frozenset(field.partition(".")[0] for field in FORMULA)
"""The parts of a system that predicted machines of a run may differ in."""


def _is_in_formula(quantity: Quantity) -> bool:
    return all(field.startswith(FORMULA) for field in quantity.fields)


QUANTITIES = tuple(filter(_is_in_formula, axes.QUANTITIES))
NETWORK_QUANTITIES = tuple(
    quantity for quantity in axes.QUANTITIES if quantity.fields[0].startswith("network.")
)
"""The network's quantities, beside QUANTITIES, of points whose files are on a server."""
FIGURES = tuple(axis for axis in QUANTITIES if isinstance(axis, FigureAxis))
FIGURE_COLUMNS = tuple(map(figure_column, FIGURES))
"""Columns of predicted tables: the figures as simulated, which is after scaling."""
NETWORK_COLUMNS = tuple(
    figure_column(axis) for axis in NETWORK_QUANTITIES if isinstance(axis, FigureAxis)
)
"""The network's columns, beside FIGURE_COLUMNS, where files are on a server."""
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
NETWORK_AXES = tuple(axis.key for axis in axes.NETWORK)
"""The network's axes, beside AXES, where files are on a server."""


def quantities(system: System) -> tuple[Quantity, ...]:
    """The quantities that the formula of a run of such systems has."""
    return (*QUANTITIES, *(NETWORK_QUANTITIES if system.network else ()))


def network_columns(systems: Iterable[System]) -> tuple[Column, ...]:
    """NETWORK_COLUMNS for systems with a network, else none."""
    return NETWORK_COLUMNS if any(system.network for system in systems) else ()


def figures_of(system: System) -> dict[str, float]:
    """A row's FIGURE_COLUMNS for a simulated system, and NETWORK_COLUMNS for one with a network."""
    return {axis.key: axis.of(system) for axis in quantities(system) if axis in axes.FIGURES}


def fixed_parts(system: System, mode: Literal["json", "python"] = "python") -> dict[str, Any]:
    """The parts of a system that the formula cannot vary, by name: caches, TLB, core."""
    if system.network is None:
        return system.model_dump(mode=mode, exclude=set(PARTS))
    excluded: dict[str, Any] = dict.fromkeys(PARTS, True)
    return system.model_dump(mode=mode, exclude={**excluded, "network": set(_OF_NETWORK)})
