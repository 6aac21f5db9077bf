# SPDX-License-Identifier: BSD-3-Clause
"""Chooses a working set that is too large for this machine's caches and fits its memory."""

from __future__ import annotations

from pathlib import Path

import psutil

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.native.facts import CACHE_FILES, caches
from osgap.native.output import NativeError

TIMES_LAST_CACHE = 4
"""A cache with LRU replacement keeps no line of a set twice its size that is read cyclically; other
policies keep some."""
LEAST_BYTES = 8 << 20
"""The working set if no cache is known, or only a small one."""
MOST_BYTES = 256 << 20
_MEMORY_PART = 8
"""The divisor of free memory: two working sets, a file and its copy are in memory at once."""
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def uncached_bytes() -> int:
    """TIMES_LAST_CACHE the largest cache, limited by this machine's memory. Raises NativeError."""
    files = (folder / name for folder in sorted(_CACHES.glob("index*")) for name in CACHE_FILES)
    facts = {str(file): _read(file) for file in files}
    largest = max((cache.size_bytes for cache in caches(facts)), default=0)
    room = int(psutil.virtual_memory().available) // _MEMORY_PART
    if room < LEAST_BYTES:
        raise NativeError(
            f"memory: found {room * _MEMORY_PART >> 20} MiB free; allowed: "
            f"{LEAST_BYTES * _MEMORY_PART >> 20} or more"
        )
    size = max(LEAST_BYTES, TIMES_LAST_CACHE * largest)
    # Whole MiB, so that the same machine has the same program.
    return min(size, MOST_BYTES, room) >> 20 << 20


def _read(file: Path) -> str:
    try:
        return inputs.read_text(file).strip()
    except (OSError, OsgapError):
        return ""
