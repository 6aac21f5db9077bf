# SPDX-License-Identifier: BSD-3-Clause
"""The number of instructions in one operation of the rating (integer_mix) on a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

from osgap.analysis.constants import INTEGER_MIX
from osgap.machines.host import HostMix
from osgap.native.output import MeasureOutput, NativeError
from osgap.rundir.load import load_run

_SAME_PROGRAM = "riscv64"
"""The guest's architecture: a bundle for it has integer_mix from the same compiler and source."""


def mix_of(output: MeasureOutput, committed: Path, where: str) -> HostMix:
    """The instructions of one operation of integer_mix on the measured machine.

    They are counted there, or, on riscv64, those of the simulated run `committed`, whose program
    differs at most by the compiler's version. Raises NativeError.
    """
    if output.mix is not None:
        instructions, how = output.mix
        return HostMix(instructions=instructions, counted_by=cast(Literal["perf", "steps"], how))
    if output.facts.get("uname", "").split()[-1:] != [_SAME_PROGRAM]:
        raise NativeError(
            f"{where}: instructions: the machine counts them neither by perf nor step by step, so "
            "it has no MIPS; allowed: kernel.perf_event_paranoid of 2 or less there, or riscv64"
        )
    return HostMix(instructions=_simulated(committed), counted_by="guest")


def _simulated(committed: Path) -> int:
    """Instructions of an operation in a simulated run: the fewest of any batch."""
    run = load_run(committed)
    counts = [
        float((rows["insts"] / rows["count"]).min())
        for point in run.points.values()
        for rows in [point.samples[point.samples["benchmark"] == INTEGER_MIX]]
        if len(rows)
    ]
    if not counts:
        raise NativeError(f"{committed}: has no batch of {INTEGER_MIX}")
    return round(min(counts))
