# SPDX-License-Identifier: BSD-3-Clause
"""Lists the keys that no fact and no measured time tells, for a reader with the core's manual."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from osgap.native.template.caches import ShapedCache
from osgap.native.template.memory import MemoryTimes

ALWAYS = (
    "[cpu] core and width: the kind of core, and how many instructions it starts in a cycle",
    "[pipeline] trap_cycles, redirect_cycles, multiply_cycles and divide_cycles; of a core out of "
    "order also reorder_buffer, issue_queue, load_queue, store_queue, integer_registers, "
    "float_registers, integer_units and memory_ports",
    "[predictor] all its keys: the tables of the branch predictor",
    "[second_tlb] entries, ways and cycles, if there is a second TLB",
    "prefetch and prefetch_lines of each cache that loads lines before they are asked for",
)
"""The keys of which nothing tells on any machine."""
_NO_L2 = "[l2] and [l3]: the machine reports no cache behind the first ones; add those that it has"


def todo_lines(
    caches: Sequence[ShapedCache], memory: MemoryTimes, missing: Iterable[str]
) -> Iterator[str]:
    """The keys to look up, in words; `missing` are those of [cpu] that this machine does not tell.

    First come remarks on facts that contradict what was measured.
    """
    yield from memory.remarks
    for cache in caches:
        figures = {"size_kib": cache.size, "ways": cache.ways, "line_bytes": cache.line}
        if cache.name in memory.load_cycles:
            figures["load_cycles"] = memory.load_cycles[cache.name]
        assumed = [key for key, figure in figures.items() if figure.source.startswith("assumed")]
        if assumed:
            yield f"[{cache.name}] {', '.join(assumed)}: assumed"
    if all(cache.name != "l2" for cache in caches):
        yield _NO_L2
    yield from (f"[cpu] {key}" for key in missing)
    yield from ALWAYS
