# SPDX-License-Identifier: BSD-3-Clause
"""The cores, all alike: gem5's atomic CPU to boot, its timing, Minor or O3 CPU to measure."""

from core import furnish
from gem5.components.processors.abstract_core import AbstractCore
from gem5.components.processors.base_cpu_core import BaseCPUCore
from gem5.components.processors.base_cpu_processor import BaseCPUProcessor
from gem5.isas import ISA
from m5.objects import (
    RiscvAtomicSimpleCPU,
    RiscvMinorCPU,
    RiscvO3CPU,
    RiscvTimingSimpleCPU,
)

_CPUS = {
    "atomic": RiscvAtomicSimpleCPU,
    "in-order": RiscvTimingSimpleCPU,
    "in-order-pipelined": RiscvMinorCPU,
    "out-of-order": RiscvO3CPU,
}
# Not wbWidth: with 1, v24.0's O3 runs over the end of its writeback queue.
_WIDTHS = {
    "in-order-pipelined": (
        "decodeInputWidth", "executeInputWidth", "executeIssueLimit", "executeCommitLimit",
    ),
    "out-of-order": (
        "fetchWidth", "decodeWidth", "renameWidth", "dispatchWidth", "issueWidth",
        "commitWidth", "squashWidth",
    ),
}  # fmt: skip
_MINOR_ACCESSES, _ACCESS_BYTES = 2, 8
"""How many accesses Minor has in its memory system at once, by its default; the largest store."""


class OsgapCore(BaseCPUCore):
    """A BaseCPUCore for any build: v24.0's own constructor refuses one without Ruby."""

    def __init__(self, cpu) -> None:
        AbstractCore.__init__(self)
        self._isa = ISA.RISCV
        self.core = cpu
        self.core.createThreads()


def build_processor(system):
    """A processor of `system.harts` cores of the kind `system.core`."""
    return BaseCPUProcessor(cores=[_core(system, number) for number in range(system.harts)])


def _accesses(line_bytes: int) -> int:
    """So many that they cannot write a whole line.

    A miss that they write whole is answered without data, and v24.0 counts an atomic access among
    them, which reads: a store beside it, and it reads nothing. Linux then hangs.
    """
    return max(1, min(_MINOR_ACCESSES, (line_bytes - 1) // _ACCESS_BYTES))


def tlb_entries(system) -> int:
    """The entries of each TLB: the second one's where there is one, since gem5 24.0 has one level.

    A walk takes far longer than a hit of the second TLB, which so costs nothing.
    """
    second = system.second_tlb
    return system.tlb_entries if second is None else max(system.tlb_entries, second.entries)


def _core(system, number: int) -> OsgapCore:
    """A core with the system's width and TLBs."""
    cpu = _CPUS[system.core](cpu_id=number)
    for name in _WIDTHS.get(system.core, ()):
        setattr(cpu, name, system.width)
    # The boot's atomic core has no pipeline.
    if system.core == "in-order-pipelined":
        limit = system.l1d.mshrs or _MINOR_ACCESSES
        cpu.executeMaxAccessesInMemory = min(limit, _accesses(system.l1d.line_bytes))
        if system.refill_cycles is not None:
            cpu.fetch1ToFetch2BackwardDelay = system.refill_cycles
    furnish(cpu, system)
    cpu.mmu.itb.size = cpu.mmu.dtb.size = tlb_entries(system)
    core = OsgapCore(cpu)
    for isa in cpu.isa:
        # v24.0 has no senvcfg, which a kernel writes that finds these; and the guest has no V.
        isa.enable_Zicbom_fs = isa.enable_Zicboz_fs = isa.enable_rvv = False
    return core
