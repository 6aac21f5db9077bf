# SPDX-License-Identifier: BSD-3-Clause
"""Main memory: one latency and one bandwidth, or a DRAM model of gem5 by its name."""

from gem5.components.memory import single_channel
from gem5.components.memory.simple import SingleChannelSimpleMemory
from latencies import device_cycles

_PREFIX = "SingleChannel"


def build_memory(system):
    """The memory of a resolved system. Raises ValueError for a model that gem5 has not."""
    size = f"{system.memory.size_mib}MiB"
    if system.memory.model is None:
        return _simple(system, size)
    models = sorted(n.removeprefix(_PREFIX) for n in dir(single_channel) if n.startswith(_PREFIX))
    if system.memory.model not in models:
        raise ValueError(
            f"memory.model: found {system.memory.model!r}; allowed: {', '.join(models)}"
        )
    return getattr(single_channel, _PREFIX + system.memory.model)(size=size)


def _simple(system, size: str):
    """The configured latency is that of a whole miss, so the caches' own part is taken off.

    Both are whole cycles: gem5's events would round a fraction up, a tick less than a cycle down.
    """
    bandwidth = round(system.memory.bandwidth_mb_s * 1e6)
    return SingleChannelSimpleMemory(
        latency=f"{device_cycles(system) * period_ps(system)}ps",
        latency_var="0ps",
        bandwidth=f"{bandwidth}B/s",
        size=size,
    )


def period_ps(system) -> int:
    """The clock's period in gem5's ticks of 1 ps, of which it is a whole number."""
    return int(1e6 / system.clock_mhz + 0.5)
