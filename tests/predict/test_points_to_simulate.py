# SPDX-License-Identifier: BSD-3-Clause
"""Which points of a grid are simulated first, and which next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.base.paths import project_root
from osgap.machines.machine import load_fitted
from osgap.machines.system import System, system
from osgap.predict.points_to_simulate import farthest, first_keys

MACHINES = project_root() / "configs" / "machines"
BASE, REFERENCE = load_fitted(MACHINES / "base.toml", "rvsim", MACHINES)


def _at(clock: float, memory: str = "fixed", **more: float) -> System:
    return system(BASE, clock, memory, "fixed", REFERENCE, **more)


def _grid(**axes: list[float]) -> dict[str, System]:
    return {
        f"{clock}-{latency}-{bandwidth}": _at(clock, latency_ns=latency, bandwidth_mb_s=bandwidth)
        for clock in axes["clocks"]
        for latency in axes["latencies"]
        for bandwidth in axes["bandwidths"]
    }


def test_of_clocks_alone_the_two_ends_are_simulated() -> None:
    systems = {
        f"{clock}-{memory}": _at(clock, memory)
        for clock in (20, 80, 640)
        for memory in ("fixed", "scaled")
    }
    assert first_keys(systems) == ["20-fixed", "640-fixed"]


def test_apart_one_waits_for_neither_one_for_latency_and_one_for_the_bus() -> None:
    systems = _grid(clocks=[40, 320], latencies=[100, 200, 400], bandwidths=[200, 400, 800])
    assert first_keys(systems) == ["40-200-400", "320-100-200", "320-400-800"]


def test_one_clock_is_enough_to_start_from() -> None:
    assert first_keys({"only": _at(20)}) == ["only"]
    systems = _grid(clocks=[40], latencies=[200, 400], bandwidths=[400])
    assert set(first_keys(systems)) == set(systems)


@given(st.integers(1, 8), st.integers(0, 17))
def test_the_next_are_the_farthest_and_each_is_chosen_once(count: int, known: int) -> None:
    systems = _grid(clocks=[40, 320], latencies=[100, 200, 400], bandwidths=[200, 400, 800])
    keys = list(systems)
    left = [key for key in keys if key != keys[known]]
    chosen = farthest(left, [keys[known]], systems, count)
    assert len(chosen) == len(set(chosen)) == count and set(chosen) <= set(left)
    assert farthest(left, keys[:1], systems, 99)[-1] in left


def test_the_farthest_of_a_line_is_its_other_end() -> None:
    systems = {str(clock): _at(clock) for clock in (20, 40, 80, 160, 320, 640)}
    assert farthest(["40", "80", "160", "320"], ["20", "640"], systems, 1) == ["80"]
    assert farthest(["40", "640"], ["20"], systems, 2) == ["640", "40"]
    assert farthest([], ["20"], systems, 2) == []


@pytest.mark.parametrize("memory", ["fixed", "scaled"])
def test_a_disk_that_is_faster_counts(memory: str) -> None:
    slow, fast = (system(BASE, 320, memory, disk, REFERENCE) for disk in ("fixed", "scaled"))
    systems = {"known": slow, "same": slow, "fast": fast}
    assert farthest(["same", "fast"], ["known"], systems, 1) == ["fast"]
