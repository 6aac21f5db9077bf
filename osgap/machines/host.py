# SPDX-License-Identifier: BSD-3-Clause
"""A measured real machine, as it describes itself (osgap.native reads it)."""

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
    """A cache of the measured core; `ways` is 0 if the machine does not report it."""

    level: int = Field(ge=1, le=9)
    kind: str
    size_bytes: int = Field(gt=0)
    line_bytes: int = Field(ge=0)
    ways: int = Field(ge=0)


class HostMemory(Frozen):
    """The memory of the machine."""

    size_mib: int = Field(gt=0)


class HostFiles(Frozen):
    """The file system that the benchmarks used.

    `synchronous`: a directory can be such that every change is on the disk before the call
    returns, as on the paper's UNIX. `rotational` is the kernel's value for the disk, or "".
    """

    type: str
    options: str
    rotational: str
    write_cache: str
    synchronous: bool


class HostCores(Frozen):
    """Cores of one kind: their name, their CPUs, and the kernel's figure of their speed, or 0."""

    name: str
    cpus: tuple[int, ...]
    speed: float = Field(ge=0)


class HostMix(Frozen):
    """User instructions of an operation of integer_mix; `guest`: counted in a simulation."""

    instructions: int = Field(gt=0)
    counted_by: Literal["perf", "steps", "guest"]


class HostMachine(Frozen):
    """The description that a machine gives of itself; "" and 0 for unknown values.

    `clock_mhz` is measured by dependent additions. All benchmarks ran on the CPU `cpu`.
    `uncached_bytes` is a working set larger than the caches. `load_before` and `load_after` are
    load averages over the minute before and at the end of the benchmarks. `core_kinds` has the
    kinds of cores, fastest first, where there are several. `hybrid`: it has several, and nothing
    says which is which. `allowed` are the CPUs that the measurement could use. `quota` is the time
    of CPUs that the cgroup allows in a second, `throttled` how often that stopped the benchmarks.
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
    core_kinds: tuple[HostCores, ...] = ()
    hybrid: bool = False
    allowed: tuple[int, ...] = ()
    quota: float = Field(default=0, ge=0)
    throttled: int = Field(default=0, ge=0)
    clock_source: str = ""

    @property
    def harts(self) -> int:
        """The number of CPUs that the benchmarks used."""
        return 1

    @property
    def last_cache_bytes(self) -> int:
        """The size of its largest cache; 0 if it reports none."""
        return max((cache.size_bytes for cache in self.caches), default=0)
