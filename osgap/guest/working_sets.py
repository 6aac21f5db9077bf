# SPDX-License-Identifier: BSD-3-Clause
"""Working sets that no cache may hold: those of the benchmarks, and the order that enlarges them.

The guest runs a benchmark with the larger of its own working set and the orders' (`uncached`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from osgap.base import units
from osgap.base.config import ConfigError

WORKING_SETS: Mapping[str, int] = {
    "boards/memcpy": 262144,
    "boards/memset": 262144,
    "checks/pointer_chase_memory": 131072,
    "checks/stream_copy": 262144,
    "mcvoy/latency_memory": 1048576,
    "mcvoy/memory_read": 524288,
    "mcvoy/memory_write": 524288,
    "ousterhout/bcopy_uncached": 131072,
    "ousterhout/read": 262144,
}
"""Bytes: `.uncached` of each benchmark in workloads/ that declares one."""
LEAST_BYTES = 131072
"""MIN_UNCACHED in workloads/lib/runner.h."""
MOST_BYTES = 256 << 20
"""MAX_UNCACHED in workloads/lib/runner.h."""
STEP_BYTES = 16384
"""UNCACHED_STEP in workloads/lib/runner.h."""
TIMES_LAST_CACHE = 4
"""An order is this many times the last cache. measure.sh takes the same for a real machine."""
LEAST_TIMES = 2
"""A cache with LRU replacement keeps no line of a set twice its size that is read cyclically; other
policies keep some."""
_ON_DISK = {"ousterhout/read": 4 << 20}
"""The largest file: the guest's disk has 8 MiB (osgap_disk/disk_main.c), also for ext2's tables."""
_MEMORY_PART = 4
"""The divisor of the guest's memory: two working sets and the system are in it at once."""


def is_order(size: int) -> bool:
    """Returns whether the guest takes an order of so many bytes."""
    return LEAST_BYTES <= size <= MOST_BYTES and size % STEP_BYTES == 0


def uncached_order(run: Sequence[str], last_cache_bytes: int, memory_mib: int) -> int:
    """The order's bytes for a run of these benchmarks or suites on a simulated machine; 0 for none.

    No order is needed where each benchmark's working set is LEAST_TIMES the last cache or more.
    Raises ConfigError for a cache for which no working set of the guest is so large.
    """
    chosen = [name for name in WORKING_SETS if name in run or name.partition("/")[0] in run]
    needed = LEAST_TIMES * last_cache_bytes
    if all(WORKING_SETS[name] >= needed for name in chosen):
        return 0
    limits = {"memory limits working sets": (memory_mib << 20) // _MEMORY_PART}
    for name in _ON_DISK.keys() & set(chosen):
        limits[f"disk limits the file of {name}"] = _ON_DISK[name]
    limit, most = min(limits.items(), key=lambda item: item[1])
    if most < needed:
        raise ConfigError(
            f"last cache: found {last_cache_bytes // units.BYTES_PER_KIB} KiB; allowed: "
            f"{most // LEAST_TIMES // units.BYTES_PER_KIB} KiB or less, since the guest's {limit}"
        )
    steps = -(-min(TIMES_LAST_CACHE * last_cache_bytes, most) // STEP_BYTES)
    return steps * STEP_BYTES
