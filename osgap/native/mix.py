# SPDX-License-Identifier: BSD-3-Clause
"""How many instructions the rating's operation is on a machine."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

from osgap.analysis.constants import INTEGER_MIX
from osgap.machines.host import HostMix
from osgap.native.returned import NativeError, Returned
from osgap.rundir.load import load_run

_SAME_PROGRAM = "riscv64"
"""The guest's architecture: for it a bundle is built by the same compiler from the same file."""


def mix_of(returned: Returned, committed: Path, where: str) -> HostMix:
    """What integer_mix executes on the machine that was measured.

    As it was counted there; on a riscv64 machine that counts neither by perf nor by steps, as in
    the simulated run `committed`, whose program differs at most by the compiler's version. Raises
    NativeError for another machine that does not count.
    """
    if returned.mix is not None:
        instructions, how = returned.mix
        return HostMix(instructions=instructions, counted_by=cast(Literal["perf", "steps"], how))
    if returned.facts.get("uname", "").split()[-1:] != [_SAME_PROGRAM]:
        raise NativeError(
            f"{where}: instructions: the machine counts them neither by perf nor step by step, so "
            "it has no MIPS; allowed: kernel.perf_event_paranoid of 2 or less there, or riscv64"
        )
    return HostMix(instructions=_simulated(committed), counted_by="guest")


def _simulated(committed: Path) -> int:
    """Instructions of an operation in a simulated run: of its batches the one with the fewest."""
    run = load_run(committed)
    counts = [
        float((own["insts"] / own["count"]).min())
        for point in run.points.values()
        for own in [point.samples[point.samples["benchmark"] == INTEGER_MIX]]
        if len(own)
    ]
    if not counts:
        raise NativeError(f"{committed}: has no batch of {INTEGER_MIX}")
    return round(min(counts))
