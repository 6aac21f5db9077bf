# SPDX-License-Identifier: BSD-3-Clause
"""Sentences about conditions of a measured machine that distort its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from osgap.base.quoting import counted
from osgap.machines.host import HostMachine
from osgap.native.text import cpu_list

_BUSY = 0.5
"""Load average above which the machine counts as busy; read before the benchmarks start."""
_SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit")
"""Clocks that are read by a system call, or that tick too seldom."""


def warnings(machine: HostMachine) -> list[str]:
    """Sentences about conditions of the machine that distort its numbers."""
    lines = [
        (machine.virtual, f"a virtual machine ({machine.virtual}): its host may take its time"),
        (
            machine.container,
            f"in a container ({machine.container}): every system call may be filtered",
        ),
        (machine.quota, _quota(machine)),
        (
            machine.clock_source in _SLOW_CLOCKS,
            f"the clock source is {machine.clock_source}: each time includes a slow read of it",
        ),
        (
            machine.governor not in ("", "performance"),
            f"the governor is {machine.governor}: the clock may not be the highest",
        ),
        (machine.smt == "on", "SMT is on: a busy sibling slows the core that was measured"),
        (
            "PTI" in machine.mitigations.get("meltdown", ""),
            "the kernel's page tables are kept apart (PTI): every system call changes them",
        ),
        (
            machine.load_before > _BUSY,
            f"the load was {machine.load_before:g} before it began: other programs ran beside it",
        ),
        (
            not machine.files.synchronous,
            f"files are on {machine.files.type}, where nothing can be "
            "synchronous: there are no rows of `unix` files",
        ),
        (machine.files.type == "tmpfs", "files are on tmpfs: in memory, on no disk"),
        (
            machine.last_cache_bytes > 0 and machine.uncached_bytes < 2 * machine.last_cache_bytes,
            f"working sets of {machine.uncached_bytes >> 20} MiB are no larger than twice the last "
            "cache: the rows called uncached are partly cached",
        ),
        (not machine.caches, "the caches are unknown: the rows called uncached may be cached"),
        (
            not machine.compiler or machine.compiler == "none",
            "there is no tcc: Andrew's compile phase is left out, and with it the total",
        ),
    ]
    return [*_cores(machine), *(line for holds, line in lines if holds)]


def _quota(machine: HostMachine) -> str:
    cpus = f"a quota of {counted(machine.quota, 'CPU')}"
    if machine.throttled:
        times = counted(machine.throttled, "time")
        return f"{cpus} (cgroup) stopped the benchmarks {times}: outliers come from it"
    return f"{cpus} (cgroup): a benchmark that uses it up is stopped, which makes outliers"


def _cores(machine: HostMachine) -> Iterator[str]:
    """The kinds of cores and the kind of the measured one."""
    core = next((kind for kind in machine.core_kinds if machine.cpu in kind.cpus), None)
    if core is None:
        if machine.hybrid:
            yield (
                "the processor has cores of several kinds (hybrid), and nothing tells of which "
                f"kind CPU {machine.cpu} is: it may be a slow one (see --cpu)"
            )
        return
    listed = "; ".join(
        f"{cpu_list(kind.cpus)}{': ' if kind.name else ''}{kind.name}"
        for kind in machine.core_kinds
    )
    fastest = machine.core_kinds[0]
    place = "one of the fastest" if core == fastest else "a slower one"
    yield (
        f"the processor has cores of {len(machine.core_kinds)} kinds ({listed}): the "
        f"numbers are of CPU {machine.cpu}, {place}"
    )
    if core != fastest and machine.allowed and not set(fastest.cpus) & set(machine.allowed):
        yield (
            f"the measurement could use {cpu_list(machine.allowed)} alone, which leaves out the "
            "fastest cores"
        )
