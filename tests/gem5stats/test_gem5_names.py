# SPDX-License-Identifier: BSD-3-Clause
"""Where gem5 keeps what the analysis reads, and what it leaves out."""

import math

import pytest

from osgap.gem5stats import names

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


def test_several_cores_are_summed_under_one_cores_names_and_time_is_not() -> None:
    cores, caches = "board.processor.cores", "board.cache_hierarchy.l1dcache"
    dump = {
        "board.clk_domain.clock": 500.0,
        "simTicks": 50000.0,
        **{f"{cores}{n}.core.numCycles": 100.0 for n in range(2)},
        **{f"{cores}{n}.core.commitStats0.numInsts": 30.0 + n for n in range(2)},
        # A wait from long before, booked where it ended, and each core's part of this region.
        **{f"{cores}{n}.core.exec_context.thread_0.numIdleCycles": 900.0 for n in range(2)},
        **{f"{cores}{n}.core.exec_context.thread_0.notIdleFraction": 0.75 * n for n in range(2)},
        **{f"{caches}{n}.overallMissLatency::total": 1000.0 for n in range(2)},
    }
    summed = names.sum_cores(dump)
    assert names.find(summed, names.REQUIRED["insts"]) == 61
    assert names.find(summed, names.OPTIONAL["idle_cycles"]) == 125
    assert names.miss_cycles(summed, 500) == 4
    cycles = names.find(summed, names.REQUIRED["cycles"])
    assert cycles is not None and names.elapsed_cycles(summed, cycles) == 100
    assert names.sum_cores(GEM5) is GEM5


def test_several_cores_that_do_not_tell_when_they_were_idle_tell_no_idle_cycles() -> None:
    core = "board.processor.cores0.core"
    dump = {"board.clk_domain.clock": 500.0, "simTicks": 50000.0, f"{core}.numCycles": 100.0}
    summed = names.sum_cores({**dump, f"{core}.quiesceCycles": 900.0})
    assert math.isnan(names.find(summed, names.OPTIONAL["idle_cycles"]) or 0)
    assert names.elapsed_cycles(summed, 100) == 100


def test_rvsims_several_harts_are_read_from_their_totals() -> None:
    dump = {
        "system.cpu0.numCycles": 9.0,
        "osgap.cycles.user::0": 1.0,
        "osgap.cycles.user::total": 3.0,
    }
    assert names.sum_cores(dump) is dump
    assert names.find(dump, names.OPTIONAL["user_cycles"]) == 3
    assert names.find(dump, names.REQUIRED["cycles"]) == 9
