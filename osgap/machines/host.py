# SPDX-License-Identifier: BSD-3-Clause
"""A real machine that was measured: what it says of itself (osgap.native reads it)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from osgap.base.frozen import Frozen

NATIVE = "native"
"""Engine name of a point that was measured on a real machine."""


def is_simulator(engine: str) -> bool:
    """Returns whether `engine` is a simulator; the only other name is NATIVE."""
    return engine != NATIVE


class HostCache(Frozen):
    """A cache of the core that was measured; `ways` 0 where the machine does not say."""

    level: int = Field(ge=1, le=9)
    kind: str
    size_bytes: int = Field(gt=0)
    line_bytes: int = Field(ge=0)
    ways: int = Field(ge=0)


class HostMemory(Frozen):
    """Its memory."""

    size_mib: int = Field(gt=0)


class HostFiles(Frozen):
    """The file system that the benchmarks used.

    `synchronous`: it can have a directory in which every change is on the disk before the call
    returns, as on the paper's UNIX. `rotational` is what the kernel says of its disk, "" for
    nothing.
    """

    type: str
    options: str
    rotational: str
    write_cache: str
    synchronous: bool


class HostMix(Frozen):
    """User instructions of one operation of integer_mix, and how they were counted: by `perf`, by
    `steps`, or `guest`: as the same program was counted in a simulation."""

    instructions: int = Field(gt=0)
    counted_by: Literal["perf", "steps", "guest"]


class HostMachine(Frozen):
    """What a machine says of itself; "" and 0 where it does not.

    `clock_mhz` is measured, by additions that wait for each other. Everything was run on the one
    CPU `cpu`. `uncached_bytes` is the working set that no cache should hold, `load_before` and
    `load_after` are the mean numbers of processes that wanted to run in the minute up to then.
    """

    kind: Literal["host"] = "host"
    processor: str
    architecture: str
    board: str
    cores: int = Field(ge=1)
    cpu: int = Field(ge=0)
    clock_mhz: float = Field(gt=0)
    caches: tuple[HostCache, ...]
    memory: HostMemory
    kernel: str
    governor: str
    turbo: Literal["on", "off", ""]
    smt: Literal["on", "off", ""]
    mitigations: dict[str, str]
    virtual: str
    container: str
    files: HostFiles
    mix: HostMix
    uncached_bytes: int = Field(gt=0)
    compiler: str
    load_before: float = Field(ge=0)
    load_after: float = Field(ge=0)

    @property
    def harts(self) -> int:
        """CPUs that the benchmarks had."""
        return 1

    @property
    def last_cache_bytes(self) -> int:
        """Of its largest cache; 0 where it tells none."""
        return max((cache.size_bytes for cache in self.caches), default=0)
