# SPDX-License-Identifier: BSD-3-Clause
"""Where gem5 keeps what the analysis reads, and what it leaves out."""

import pytest

from osgap.stats import names

CORE = "board.processor.cores.core"
GEM5 = {
    "board.clk_domain.clock": 500.0,
    "simInsts": 9000.0,
    f"{CORE}.commitStats0.numInsts": 40.0,
    f"{CORE}.exec_context.thread_0.numIdleCycles": 5.0,
}


def test_gem5s_instructions_are_those_since_the_last_reset() -> None:
    assert names.find(GEM5, names.REQUIRED["insts"]) == 40
    assert names.find({"simInsts": 7.0}, names.REQUIRED["insts"]) == 7


def test_what_gem5_left_out_as_zero_is_zero_and_the_rest_is_missing() -> None:
    assert names.find(GEM5, names.OPTIONAL["bytes_read"]) == 0
    assert names.find(GEM5, names.OPTIONAL["user_cycles"]) is None
    assert names.find({"simInsts": 7.0}, names.OPTIONAL["bytes_read"]) is None
    assert names.find({"board.clk_domain.clock": 5.0}, names.OPTIONAL["idle_cycles"]) == 0
    assert names.find(GEM5, names.OPTIONAL["idle_cycles"]) == 5


def test_a_blocking_cores_stall_is_what_its_misses_took() -> None:
    missed = {**GEM5, "board.cache_hierarchy.l1dcache.overallMissLatency::total": 2000.0}
    assert names.miss_cycles(GEM5, 500) == 0
    assert names.miss_cycles(missed, 500) == 4


def test_a_core_that_stops_counting_while_it_waits_has_its_idle_cycles_added() -> None:
    stopped = {"board.clk_domain.clock": 500.0, f"{CORE}.quiesceCycles": 60.0}
    assert names.elapsed_cycles(stopped, 40) == 100
    assert names.elapsed_cycles(GEM5, 40) == 40


@pytest.mark.parametrize("idle", ["quiesceCycles", "idleCycles"])
def test_a_core_that_overlaps_misses_has_no_stall(idle: str) -> None:
    other = {"board.clk_domain.clock": 500.0, f"{CORE}.{idle}": 5.0}
    assert names.miss_cycles(other, 500) is None
    assert names.find(other, (f"{CORE}.{idle}",)) == 5
