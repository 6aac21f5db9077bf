# SPDX-License-Identifier: BSD-3-Clause
"""What the guest told of a run (docs/protocol.md), line by line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """One region as the guest saw it: `guest_ns` for `count` operations of `bytes` bytes each."""

    region: int
    benchmark: str
    fs: str
    batch: int
    count: int
    bytes: int
    metric: str
    guest_ns: int
    timer_irqs: int


@dataclass(frozen=True)
class DiskUse:
    """What the disk did during one benchmark; waits in ns."""

    benchmark: str
    fs: str
    reads: int
    writes: int
    sectors: int
    seek_ns: int
    rotation_ns: int
    transfer_ns: int
    overhead_ns: int
    queue_ns: int


@dataclass(frozen=True)
class ModeTimes:
    """Where the system's time went during one region, and a little around it; ns."""

    region: int
    benchmark: str
    fs: str
    batch: int
    user_ns: int
    kernel_ns: int
    idle_ns: int


@dataclass(frozen=True)
class CounterValue:
    """What the guest's kernel counted during one region, and a little around it."""

    region: int
    benchmark: str
    fs: str
    batch: int
    counter: str
    value: int


@dataclass(frozen=True)
class Transcript:
    """A whole run: samples in the order of their regions, the rest in the order it was told."""

    samples: tuple[Sample, ...]
    disk: tuple[DiskUse, ...]
    modes: tuple[ModeTimes, ...] = ()
    counters: tuple[CounterValue, ...] = ()
