# SPDX-License-Identifier: BSD-3-Clause
"""Main memory: one latency and one bandwidth, DRAM with open rows, or gem5's model by its name."""

from gem5.components.memory import single_channel
from gem5.components.memory.memory import ChanneledMemory
from gem5.components.memory.simple import SingleChannelSimpleMemory
from latencies import device_cycles
from m5.objects import DRAMInterface

_PREFIX = "SingleChannel"
_BURST_BYTES = 64
_REFRESH_CYCLES, _REFRESH_PERIOD_CYCLES = 350, 7800  # rvsim's, which its options cannot change
_PS_PER_NS = 1000


def build_memory(system):
    """The memory of a resolved system. Raises ValueError for a model that gem5 has not."""
    size = f"{system.memory.size_mib}MiB"
    if system.memory.rows is not None:
        return _rows(system, size)
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


def _rows(system, size: str):
    """One channel of 8 banks; a miss that closes a row and opens another takes the latency."""
    rows = system.memory.rows
    ps = {name: round(getattr(rows, name) * _PS_PER_NS) for name in vars(rows)}
    burst = round(_BURST_BYTES / system.memory.bandwidth_mb_s * 1e6)
    outside = device_cycles(system) * period_ps(system) - sum(ps.values()) - burst
    if outside < 0:
        raise ValueError(
            f"memory.latency_ns: found {system.memory.latency_ns:g}; allowed: "
            f"{-outside / _PS_PER_NS:g} ns more, which the caches, memory.rows and a line take"
        )
    memory = ChanneledMemory(_interface(system, ps, burst), 1, _BURST_BYTES, size=size)
    (controller,) = memory.get_memory_controllers()
    controller.static_frontend_latency = f"{outside}ps"
    controller.static_backend_latency = "0ps"
    return memory


def _interface(system, ps: dict, burst: int) -> type:
    """gem5's interface to DRAM with these times in ps; what they do not say is without effect."""
    cycle = period_ps(system)
    times = {
        "tCK": cycle,
        "tBURST": burst,
        "tCL": ps["column_ns"],
        "tRCD": ps["activate_ns"],
        "tRP": ps["precharge_ns"],
        "tRAS": ps["activate_ns"],
        "tRFC": _REFRESH_CYCLES * cycle,
        "tREFI": _REFRESH_PERIOD_CYCLES * cycle,
        **dict.fromkeys(("tWR", "tRTP", "tWTR", "tRTW", "tCS", "tRRD", "tXAW"), 0),
    }
    geometry = {
        # A line is a burst of 8 beats of 8 devices, and a row has 2 KiB.
        "device_size": f"{system.memory.size_mib // 8}MiB",
        "device_bus_width": 8,
        "devices_per_rank": 8,
        "burst_length": 8,
        "device_rowbuffer_size": "256B",
        "ranks_per_channel": 1,
        "banks_per_rank": 8,
        "activation_limit": 0,
        "page_policy": "open",
        "max_accesses_per_row": 0,
        "addr_mapping": "RoRaBaCoCh",
    }
    return type("Rows", (DRAMInterface,), {**geometry, **{n: f"{v}ps" for n, v in times.items()}})


def period_ps(system) -> int:
    """The clock's period in gem5's ticks of 1 ps, of which it is a whole number."""
    return int(1e6 / system.clock_mhz + 0.5)
