# SPDX-License-Identifier: BSD-3-Clause
"""The measured core: its clock, its TLB, its page tables, and the width that it shows."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from osgap.analysis.constants import INTEGER_MIX
from osgap.machines.figure import Figure
from osgap.machines.host import HostMachine
from osgap.native.output import NativeError
from osgap.native.template.reports import TREE, tree_figure
from osgap.native.template.times import MeasuredTimes
from osgap.native.text import Facts, fact, pairs

CLOCK_STEP_MHZ = 10
"""rvsim's clocks are multiples of this."""
_MOST_MHZ = 20000
LEAST_TLB, _MOST_TLB = 8, 4096
"""Limits of a machine file."""
_USUAL_TLB = Figure(value=32, source="assumed: nothing tells it; the P550 has 32")
_LEVELS = {"sv39": 3, "sv48": 4, "sv57": 5}
_MOST_WIDTH = 8
_TRAP_CYCLES = 50
"""A misaligned load that takes more cycles traps: a processor that has such loads takes a few, and
entry to and return from the firmware alone take more."""
_NOISE = 0.05
"""Instructions a cycle that may be too many by the error of clock and time."""


@dataclass(frozen=True)
class MeasuredCore:
    """The clock as measured and as a machine file has it, and the first data TLB's entries."""

    measured_mhz: float
    written_mhz: float
    tlb: Figure | None

    def cycles(self, ns: float) -> float:
        """The time in cycles of the measured clock."""
        return ns * self.measured_mhz / 1000

    @property
    def clock(self) -> Figure:
        """The clock, which rvsim can have."""
        source = (
            f"{self.measured_mhz:.1f} MHz, measured here; rvsim has multiples of "
            f"{CLOCK_STEP_MHZ} MHz"
        )
        return Figure(value=self.written_mhz, source=source)

    @property
    def tlb_entries(self) -> Figure:
        """The entries of each first TLB, or as many as another machine has."""
        return self.tlb or _USUAL_TLB


def measured_core(machine: HostMachine, facts: Facts) -> MeasuredCore:
    """The core that was measured. Raises NativeError for a clock that no machine file may have."""
    written = max(round(machine.clock_mhz / CLOCK_STEP_MHZ), 1) * CLOCK_STEP_MHZ
    if written > _MOST_MHZ:
        raise NativeError(
            f"--machine-file: found a clock of {machine.clock_mhz:g} MHz; allowed: {_MOST_MHZ} MHz"
        )
    sizes = [tree_figure(facts, "cpu", f"{kind}tlb-size") for kind in ("d-", "", "i-")]
    entries = (size for size in sizes if size and LEAST_TLB <= size.value <= _MOST_TLB)
    return MeasuredCore(machine.clock_mhz, float(written), next(entries, None))


def page_table_levels(facts: Facts) -> tuple[int, str] | None:
    """The levels of page tables and the place that tells them; None where nothing does."""
    cpuinfo = pairs(facts.get("cpuinfo", "")).get("mmu", "")
    tree = fact(facts, f"{TREE}/cpu/mmu-type")
    for text, place in ((cpuinfo, "/proc/cpuinfo: mmu"), (tree, "device tree: mmu-type")):
        mode = re.fullmatch(r"(?:riscv,)?(sv39|sv48|sv57)", text.strip())
        if mode:
            return _LEVELS[mode[1]], f"{place} {mode[1]}"
    return None


def misaligned_traps(facts: Facts, core: MeasuredCore) -> tuple[bool, str] | None:
    """True if a misaligned load traps, and its measured time; None where that is unknown."""
    text = fact(facts, "misaligned")
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        return None
    traps = core.cycles(float(text)) > _TRAP_CYCLES
    return traps, f"a misaligned load takes {text} ns, measured here"


def width_of(machine: HostMachine, times: MeasuredTimes) -> tuple[int, str]:
    """The least width of a core that executes integer_mix as fast as this one, and its source."""
    ns = times.ns.get(INTEGER_MIX)
    if ns is None:
        return 1, "assumed"
    rate = machine.mix.instructions / (ns * machine.clock_mhz / 1000)
    width = min(max(math.ceil(rate - _NOISE), 1), _MOST_WIDTH)
    if width == 1:
        return 1, "assumed"
    return width, f"assumed, the least: integer_mix has {rate:.2f} instructions a cycle here"
