# SPDX-License-Identifier: BSD-3-Clause
"""How large a working set has to be so that no cache holds it, and how large it can be here."""

from __future__ import annotations

from pathlib import Path

import psutil

from osgap.base import inputs
from osgap.base.errors import OsgapError
from osgap.native.facts import CACHE_FILES, caches
from osgap.native.returned import NativeError

TIMES_LAST_CACHE = 4
"""A cache that throws away the line used longest ago holds nothing of a set twice its size which is
read round and round; others hold a part."""
LEAST_BYTES = 8 << 20
"""Where the machine tells no cache, or a small one."""
MOST_BYTES = 256 << 20
_MEMORY_PART = 8
"""Two sets, a file and its check are in memory at once."""
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


def uncached_bytes() -> int:
    """A working set for this machine: TIMES_LAST_CACHE its largest cache, within what is free.

    Raises NativeError where not even LEAST_BYTES are.
    """
    largest = max((cache.size_bytes for cache in caches(_cache_facts())), default=0)
    room = int(psutil.virtual_memory().available) // _MEMORY_PART
    if room < LEAST_BYTES:
        raise NativeError(
            f"memory: found {room * _MEMORY_PART >> 20} MiB free; allowed: "
            f"{LEAST_BYTES * _MEMORY_PART >> 20} or more"
        )
    wanted = max(LEAST_BYTES, TIMES_LAST_CACHE * largest)
    # Whole MiB, so that the same machine has the same program.
    return min(wanted, MOST_BYTES, room) >> 20 << 20


def _cache_facts() -> dict[str, str]:
    files = (folder / name for folder in sorted(_CACHES.glob("index*")) for name in CACHE_FILES)
    return {str(file): _read(file) for file in files}


def _read(file: Path) -> str:
    try:
        return inputs.read_text(file).strip()
    except (OSError, OsgapError):
        return ""
