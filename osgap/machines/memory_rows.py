# SPDX-License-Identifier: BSD-3-Clause
"""DRAM whose banks keep a row open: the keys of a machine file, and what is simulated."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from osgap.base.config import ConfigError
from osgap.base.frozen import Frozen
from osgap.machines.figure import Figure, between

_Time = Annotated[Figure, between(0.1, 10000, "ns")]


class MemoryRows(Frozen):
    """Times of DRAM; each of its 8 banks keeps open the row of 2 KiB that was read last."""

    column_ns: _Time = Field(description="time to read a line of an open row (tCL)")
    activate_ns: _Time = Field(description="time to open a row (tRCD)")
    precharge_ns: _Time = Field(description="time to close the row that is open (tRP)")


class MemoryRowsSystem(Frozen):
    """The same times as simulated, after scaling."""

    column_ns: float
    activate_ns: float
    precharge_ns: float

    @property
    def all_ns(self) -> float:
        """The time to close a row, to open another, and to read a line of it."""
        return self.column_ns + self.activate_ns + self.precharge_ns


def rows_system(
    rows: MemoryRows | None, latency_ns: float, faster: float
) -> MemoryRowsSystem | None:
    """The rows of memory that is `faster` times as fast; None without any.

    Raises ConfigError unless a whole miss, `latency_ns`, takes longer than they do.
    """
    if rows is None:
        return None
    times = {name: getattr(rows, name).value / faster for name in MemoryRowsSystem.model_fields}
    simulated = MemoryRowsSystem(**times)
    if simulated.all_ns >= latency_ns:
        raise ConfigError(
            f"memory.rows: found {simulated.all_ns:g} ns for all three; allowed: less than "
            f"memory.latency_ns, {latency_ns:g} ns"
        )
    return simulated
