# SPDX-License-Identifier: BSD-3-Clause
"""The informed null model: the null model with the facts that the simulation was given.

Nothing is simulated, and nothing is fitted.  The facts are kernel entry by processor (`[entry]` of
the machine files in configs/machines/period), and that Sprite waits for one turn of the disk in
creating and deleting a file.  An operation of the reference machine takes as many instructions as
its printed time holds at its MIPS.  A machine executes in addition what its entry costs more than
that of a VAX, as the simulated machines do.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from osgap.base.paths import project_root
from osgap.machines.machine import Machine, load_machine
from osgap.machines.system import kernel_entry
from osgap.suites.ousterhout.published import REFERENCE_MACHINE, SPRITE, Paper


class Events(NamedTuple):
    """The system calls and context switches of an operation, and the unit of its time, s."""

    calls: int
    switches: int
    unit_s: float


EVENTS = {
    "getpid": Events(1, 0, 1e-6),
    "cswitch_roundtrip": Events(4, 2, 1e-3),
    "select_1_pipe": Events(1, 0, 1e-6),
    "select_10_empty": Events(1, 0, 1e-6),
    "select_10_full": Events(1, 0, 1e-6),
    "open_close_foo": Events(2, 0, 1e-3),
    "open_close_a/b/c/foo": Events(2, 0, 1e-3),
}
"""The paper's metric -> its events: those whose operation does little else than enter the kernel.

A round trip is two reads and two writes on pipes, and two switches.
"""
_CREATES = "create_delete_"


def informed_speed(paper: Paper, metric: str, machine: str, os: str, null: float) -> float:
    """R of a cell on local files; `null`, the null model's R, where the facts say nothing.

    Raises ConfigError for a machine file that cannot be read.
    """
    if metric in EVENTS:
        events = EVENTS[metric]
        printed_s = paper.reference_value(metric, os) * events.unit_s
        instructions = printed_s * paper.mips(paper.reference_machine) * 1e6
        calls, switches = _entry_costs(machine, paper.source)
        more = events.calls * calls + events.switches * switches
        return 1 / (1 + more / instructions)
    is_delayed = os == SPRITE != paper.reference_system(metric, os)
    if metric.startswith(_CREATES) and is_delayed:
        turn_ms = 60e3 / period_machine(machine, paper.source).disk.rpm.value
        faster = paper.mips(machine) / paper.mips(paper.reference_machine)
        return paper.reference_value(metric, os) / turn_ms / faster
    return null


def _entry_costs(name: str, source: int) -> tuple[int, int]:
    """Returns the instructions beyond a VAX's of a system call and of a context switch."""
    machine = period_machine(name, source)
    vax = period_machine(REFERENCE_MACHINE[1990], source)
    more = kernel_entry(machine.entry, vax) if machine.entry and machine.reference else None
    return (more.call_instructions, more.switch_instructions) if more else (0, 0)


@cache
def period_machine(name: str, source: int) -> Machine:
    """Returns the machine with the costs of 1990, with the rating of the paper of `source`."""
    folder = project_root() / "configs" / "machines"
    rated = folder / f"period-{source}" / f"{name}.toml"
    return load_machine(rated if rated.is_file() else folder / "period" / f"{name}.toml")
