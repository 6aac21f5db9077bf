# SPDX-License-Identifier: BSD-3-Clause
"""Reads a resolved system: nested namespaces, complete with what most systems leave out."""

import json
from types import SimpleNamespace

_ABSENT = ("refill_cycles", "l3", "pipeline", "predictor", "second_tlb")
_ABSENT_OF_CACHE = ("load_cycles", "mshrs", "prefetch", "prefetch_lines")


def parse(text: str) -> SimpleNamespace:
    """The system that the JSON `text` describes. Raises ValueError."""
    system = json.loads(text, object_hook=lambda fields: SimpleNamespace(**fields))
    _complete(system.memory, ("model", "rows", "bus_latency_ns"))
    system.harts = getattr(system, "harts", 1)
    system.misaligned_traps = getattr(system, "misaligned_traps", False)
    _complete(system, _ABSENT)
    for cache in (system.l1i, system.l1d, system.l2, system.l3):
        if cache is not None:
            _complete(cache, _ABSENT_OF_CACHE)
    return system


def _complete(part: SimpleNamespace, names: tuple[str, ...]) -> None:
    for name in names:
        setattr(part, name, getattr(part, name, None))
