# SPDX-License-Identifier: BSD-3-Clause
"""Measured times that tell of a memory hierarchy: pointer chases, and copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from osgap.analysis.constants import CHASE_L1, CHASE_MEMORY, STREAM_COPY
from osgap.base import units
from osgap.guest.records import Sample
from osgap.native.text import size_text

PAGE_BYTES = 4096
MEMCPY = "memcpy"
CHASES: Mapping[str, int] = {
    "chase_16k": 16 << 10,
    "chase_128k": 128 << 10,
    "chase_512k": 512 << 10,
    "chase_1m": 1 << 20,
    "chase_4m": 4 << 20,
    "chase_16m": 16 << 20,
}
"""Benchmarks of workloads/boards/chase.c -> the bytes that one chase goes over."""
EIGHT = {"chase8_128k": "chase_128k", "chase8_16m": "chase_16m"}
"""Eight chases at once -> one chase over as many bytes."""
ROWS = tuple(f"boards/{name}" for name in (*CHASES, *EIGHT, MEMCPY))
"""The benchmarks that a machine file is made of."""
_L1_BYTES = 2048  # of workloads/checks/pointer_chase.c


@dataclass(frozen=True)
class MeasuredChase:
    """A chase over so many bytes, and the ns of one of its loads."""

    size_bytes: int
    ns: float

    @property
    def words(self) -> str:
        """The words of a figure's source."""
        return f"chase over {size_text(self.size_bytes)}: {self.ns:.4g} ns, measured here"

    @property
    def brief(self) -> str:
        """The words of a sentence."""
        return f"{self.ns:.3g} ns over {size_text(self.size_bytes)}"

    @property
    def pages(self) -> int:
        """The pages that it goes over."""
        return self.size_bytes // PAGE_BYTES


@dataclass(frozen=True)
class MeasuredTimes:
    """The measured times of a machine.

    `chases` has those of the suite boards from the smallest on, then those of checks, whose order
    is another. `eight` has the bytes of eight chases at once, and how many times as long as one
    they take. `copy_mb_s` is None where no copy was measured. `ns` has the median time of one
    operation of every benchmark.
    """

    chases: Sequence[MeasuredChase]
    eight: Mapping[int, float]
    copy_mb_s: float | None
    ns: Mapping[str, float]


def measured_times(samples: Iterable[Sample], uncached_bytes: int) -> MeasuredTimes:
    """The times of a measurement; `uncached_bytes` is its working set that no cache holds."""
    batches: dict[str, list[Sample]] = {}
    for sample in samples:
        batches.setdefault(sample.benchmark, []).append(sample)
    ns = {name: median(s.guest_ns / s.count for s in group) for name, group in batches.items()}
    sizes = {**CHASES, CHASE_L1: _L1_BYTES, CHASE_MEMORY: uncached_bytes}
    rates = [
        batches[name][0].bytes * units.NS_PER_S / units.BYTES_PER_MB / ns[name]
        for name in (MEMCPY, STREAM_COPY)
        if name in ns
    ]
    return MeasuredTimes(
        chases=[MeasuredChase(size, ns[name]) for name, size in sizes.items() if name in ns],
        eight={
            CHASES[alone]: ns[name] / ns[alone]
            for name, alone in EIGHT.items()
            if name in ns and alone in ns
        },
        copy_mb_s=rates[0] if rates else None,
        ns=ns,
    )
