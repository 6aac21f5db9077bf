# SPDX-License-Identifier: BSD-3-Clause
"""Systems whose DRAM keeps rows open."""

from osgap.machines.memory_rows import MemoryRowsSystem
from osgap.machines.system import System


def with_rows(simulated: System, **changes: float) -> System:
    """The system with rows of 14 ns each, and with other figures of its memory."""
    rows = MemoryRowsSystem(column_ns=14, activate_ns=14, precharge_ns=14)
    memory = simulated.memory.model_copy(update={"rows": rows, **changes})
    return simulated.model_copy(update={"memory": memory})
