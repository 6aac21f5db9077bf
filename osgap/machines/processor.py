# SPDX-License-Identifier: BSD-3-Clause
"""The processor of a machine file: its cores, and the caches and TLBs of each core."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from osgap.base.frozen import Frozen
from osgap.machines.figure import Figure, between, left_out

Core = Literal["in-order", "in-order-pipelined", "out-of-order"]
Harts = Literal[1, 2, 4, 8, 12]
PageTableLevels = Literal[3, 4, 5]
Prefetch = Literal["next-line", "stride"]
RefillCycles = Annotated[int, Field(ge=1, le=16)]
"""Cycles, of gem5's pipelined core alone."""
Entries = Annotated[Figure, between(1, 65536, "entries", integer=True)]
Cycles = Annotated[Figure, between(1, 1000, "cycles", integer=True)]
Count = Annotated[Figure, between(1, 16, "", integer=True)]
Bits = Annotated[Figure, between(1, 20, "bits", integer=True)]


class Cpu(Frozen):
    """The cores, which are all alike."""

    core: Core = Field(
        description="kind of core: one instruction at a time, a pipeline, or out of order"
    )
    harts: Harts = Field(default=1, description="cores")
    width: Annotated[int, Field(ge=1, le=8)] = Field(
        description="instructions a cycle; gem5's `in-order` core has 1"
    )
    clock_mhz: Annotated[Figure, between(1, 20000, "MHz")] = Field(
        description="clock; a sweep's `clock_mhz` replaces it"
    )
    tlb_entries: Annotated[Figure, between(8, 4096, "entries", integer=True)] = Field(
        description="entries of each TLB"
    )
    refill_cycles: RefillCycles | None = left_out(
        None, "cycles that a taken branch waits for its target, on gem5's pipelined core"
    )
    page_table_levels: PageTableLevels | None = left_out(
        None, "3 is Sv39, 4 Sv48, 5 Sv57; without it the most that the simulator has"
    )
    misaligned_traps: bool = left_out(
        False, "a misaligned access traps to the firmware, which does it in pieces"
    )


class Cache(Frozen):
    """A cache. Each hart has an l1i and an l1d of its own; all share the last cache behind them.

    With an l3 each hart has an l2 of its own too.
    """

    size_kib: Annotated[Figure, between(1, 65536, "KiB", integer=True)] = Field(
        description="size; size / (ways x line) has to be a power of two"
    )
    ways: Annotated[Figure, between(1, 32, "ways", integer=True)] = Field(
        description="associativity"
    )
    line_bytes: Annotated[Figure, between(4, 256, "bytes", integer=True)] = Field(
        description="length of a line"
    )
    hit_cycles: Annotated[int, Field(ge=1, le=100)] = Field(
        default=1, description="cycles of a hit"
    )
    load_cycles: Cycles | None = left_out(
        None,
        "cycles from a load to its use where this cache has the data; in place of `hit_cycles`, "
        "in l1d and all caches behind it, or in none",
    )
    mshrs: Annotated[Figure, between(1, 256, "misses", integer=True)] | None = left_out(
        None, "misses that it waits for at once; without it the simulator's own number"
    )
    prefetch: Prefetch | None = left_out(None, "lines that it loads before they are asked for")
    prefetch_lines: Annotated[Figure, between(1, 32, "lines", integer=True)] | None = left_out(
        None, "how many lines, with `prefetch`"
    )
    write: Literal["back", "through"] = Field(
        default="back", description="the real cache's policy; the simulators write back"
    )


class Pipeline(Frozen):
    """The inside of a core. All but the first two keys and the cycles are of cores out of order."""

    trap_cycles: Cycles | None = Field(
        default=None, description="cycles from a trap to its handler's first instruction"
    )
    redirect_cycles: Cycles | None = Field(
        default=None, description="cycles from a mispredicted branch to the fetch of its target"
    )
    reorder_buffer: Entries | None = Field(default=None, description="instructions in flight")
    issue_queue: Entries | None = Field(
        default=None, description="instructions that wait for their operands"
    )
    load_queue: Entries | None = Field(default=None, description="loads in flight")
    store_queue: Entries | None = Field(default=None, description="stores in flight")
    integer_registers: Entries | None = Field(
        default=None, description="physical integer registers"
    )
    float_registers: Entries | None = Field(
        default=None, description="physical floating-point registers"
    )
    integer_units: Count | None = Field(default=None, description="units for integers")
    memory_ports: Count | None = Field(default=None, description="loads a cycle; stores likewise")
    multiply_cycles: Cycles | None = Field(default=None, description="cycles of a multiplication")
    divide_cycles: Cycles | None = Field(default=None, description="cycles of a division")


class Predictor(Frozen):
    """A branch predictor: a tournament of a global and a local one, and where branches lead to."""

    global_bits: Bits = Field(
        description="the global predictor and the choice have 2^this counters"
    )
    local_history_bits: Bits = Field(description="the table of local histories has 2^this entries")
    local_bits: Bits = Field(description="the local predictor has 2^this counters")
    btb_entries: Entries = Field(description="branches whose targets it knows; a power of two")
    return_stack: Annotated[Figure, between(1, 64, "entries", integer=True)] = Field(
        description="calls whose returns it knows"
    )


class SecondTlb(Frozen):
    """A TLB behind a hart's two first ones."""

    entries: Entries = Field(description="entries")
    ways: Annotated[Figure, between(1, 32, "ways", integer=True)] = Field(
        description="associativity"
    )
    cycles: Cycles = Field(description="cycles of a hit")
