# SPDX-License-Identifier: BSD-3-Clause
"""Latencies of gem5's caches and memory, which give the load_cycles of a machine file.

Measured by random chases: a first cache of latency h and an O3 core take h + 1 cycles from a load
to its use, and Minor takes 2, or 1 more than its memory unit; a second cache of latency l takes
h + l + 3; each cache behind it its latency and 2; memory its latency and 2 (behind the first
cache alone h and 3).
"""

RESPONSE_CYCLES = 1
"""What a fill takes on its way from the cache to the core."""
_FIRST, _NEXT = 3, 2


def data_caches(system) -> list:
    """The caches that a load passes through, from the first on."""
    return [cache for cache in (system.l1d, system.l2, system.l3) if cache is not None]


def hit_latencies(system) -> list[int]:
    """gem5's latency of each data cache. Raises ValueError for load_cycles that are too few."""
    caches = data_caches(system)
    if system.l1d.load_cycles is None:
        return [cache.hit_cycles for cache in caches]
    pipelined = system.core == "in-order-pipelined"
    latencies = [1 if pipelined else system.l1d.load_cycles - 1]
    before = latencies[0] + _FIRST
    for cache in caches[1:]:
        latencies.append(cache.load_cycles - before)
        before = cache.load_cycles + _NEXT
    if min(latencies) < 1:
        found = ", ".join(str(cache.load_cycles) for cache in caches)
        raise ValueError(f"load_cycles: found {found}; allowed: enough for a cycle in each cache")
    return latencies


def bus_cycles(system) -> int:
    """Cycles of the bus between harts that have an l2 each; 0 without a latency."""
    return round((system.memory.bus_latency_ns or 0) * system.clock_mhz / 1000)


def device_cycles(system) -> int:
    """Cycles of the memory itself. Raises ValueError when caches and bus alone take more."""
    latency = round(system.memory.latency_ns * system.clock_mhz / 1000)
    own = _cache_cycles(system) + bus_cycles(system)
    if latency < own:
        raise ValueError(
            f"memory.latency_ns: found {system.memory.latency_ns:g}; allowed: {own} cycles of "
            f"{system.clock_mhz:g} MHz or more, which a miss spends in the caches and on the bus"
        )
    return latency - own


def _cache_cycles(system) -> int:
    """Cycles of a miss in the caches, beside a hit of the first where load_cycles say it."""
    caches = data_caches(system)
    if system.l1d.load_cycles is None:
        return sum(cache.hit_cycles + RESPONSE_CYCLES for cache in caches)
    if len(caches) == 1:
        return hit_latencies(system)[0] + _FIRST - system.l1d.load_cycles
    return caches[-1].load_cycles + _NEXT - system.l1d.load_cycles
