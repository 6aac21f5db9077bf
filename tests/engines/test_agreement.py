# SPDX-License-Identifier: BSD-3-Clause
"""The same guest on rvsim and on a real gem5: what it executes must not depend on the simulator."""

import pytest
from outcomes import regions

from osgap.engines import load

pytestmark = [pytest.mark.gem5, pytest.mark.usefixtures("real_gem5")]

ORDERS = tuple(
    f"ousterhout/{name}" for name in ("getpid", "open_close_path", "read", "andrew_make")
)


def test_both_execute_the_same_instructions_and_move_the_same_lines(make_job) -> None:
    """At 640 MHz few timer ticks fall in; each engine's firmware has its own timer."""
    rvsim, gem5 = (
        regions(load(name).run(make_job(name, 640, *ORDERS, fs=("sprite",))).stats)
        for name in ("rvsim", "gem5")
    )
    assert len(rvsim) == len(gem5)
    for number, (a, b) in enumerate(zip(rvsim, gem5, strict=True)):
        count = b["board.processor.cores.core.commitStats0.numInsts"]
        assert count == pytest.approx(a["simInsts"], rel=0.10), number
        written = b.get("board.memory.module.bytesWritten::total", 0)
        assert written == pytest.approx(a["system.mem_ctrls.bytesWritten::total"], rel=0.2, abs=3e4)
