# SPDX-License-Identifier: BSD-3-Clause
"""What an interval rests on: other points, another run, and what the disk leaves open."""

import math
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.machines.machine import load_fitted
from osgap.machines.system import System, system
from osgap.predict.borrowed_errors import load_prior
from osgap.predict.busy_time import CycleCounts, MemoryPosition
from osgap.predict.disk_wait import disk_wait
from osgap.predict.grid import extrapolation
from osgap.predict.observations import Measurement
from osgap.predict.prediction import only_run, predict_run

ROOT = project_root()
LOCKED, MACHINES = ROOT / "results" / "locked", ROOT / "configs" / "machines"
BASE, REFERENCE = load_fitted(MACHINES / "base.toml", "rvsim", MACHINES)
TURN_NS = 10_000_000
DISK = system(BASE, 20, "fixed", "fixed", REFERENCE).disk.model_copy(
    update={"rotation_ns": TURN_NS}
)


def _at(clock: float, memory: str = "fixed", **more: float) -> System:
    return system(BASE, clock, memory, "fixed", REFERENCE, **more)


def test_memories_that_vary_apart_are_told_from_those_that_do_not() -> None:
    used = [_at(20), _at(640), _at(640, "scaled")]
    assert not extrapolation([_at(80), _at(160, "scaled")], used).varies_apart
    assert extrapolation([_at(80, latency_ns=400)], used).varies_apart
    assert not extrapolation(
        [_at(80, latency_ns=400)], [*used, _at(320, latency_ns=100)]
    ).varies_apart


@pytest.mark.parametrize(
    ("memory", "beyond"),
    [
        ({}, False),
        ({"latency_ns": 400}, True),
        ({"bandwidth_mb_s": 100}, True),
        ({"latency_ns": 100, "bandwidth_mb_s": 800}, False),
    ],
)
def test_what_waits_longer_than_all_that_was_simulated_is_beyond(
    memory: dict[str, float], beyond: bool
) -> None:
    assert extrapolation([_at(320, **memory)], [_at(20), _at(320)]).is_beyond is beyond
    assert extrapolation([_at(20)], [_at(80), _at(320)]).is_beyond


def _measurement(busy_turns: float, idle_turns: float, least_share: float) -> Measurement:
    busy, idle = busy_turns * TURN_NS, idle_turns * TURN_NS
    counts = CycleCounts(MemoryPosition(4, 1), busy, 0, 0)
    return Measurement(counts, busy + idle, idle, 1, TURN_NS, least_share=least_share)


def test_a_busier_processor_leaves_open_how_much_of_a_wait_it_hides() -> None:
    wait = disk_wait([_measurement(1, 2, 0.25), _measurement(4, 2, 0.25)])
    assert not wait.takes_whole_turns
    assert (wait.turns, wait.least_turns, wait.most_busy_turns) == (2, 0.5, 4)
    assert wait.operation_time(4 * TURN_NS, DISK).sd_ns == 0
    twice = wait.operation_time(8 * TURN_NS, DISK).sd_ns
    assert twice == pytest.approx(TURN_NS * 0.5 * (2 - 0.5) / math.sqrt(12))
    tenth = DISK.model_copy(update={"rotation_ns": TURN_NS // 10})
    # A disk ten times as fast turns ten times in the same time.
    faster = wait.operation_time(4 * TURN_NS, tenth).sd_ns
    assert faster == pytest.approx(TURN_NS / 10 * 0.9 * 1.5 / math.sqrt(12))


def test_what_waits_for_nothing_or_for_transfers_alone_leaves_nothing_open() -> None:
    assert disk_wait([_measurement(1, 0, 0.0)]).operation_time(99 * TURN_NS, DISK).sd_ns == 0
    assert disk_wait([_measurement(1, 2, 1.0)]).operation_time(99 * TURN_NS, DISK).sd_ns == 0


def test_another_runs_errors_are_of_the_same_engine(tmp_path: Path) -> None:
    run = LOCKED / "prediction/latency-bandwidth" / "rvsim"
    assert load_prior(LOCKED / "prediction/latency-bandwidth", "rvsim") == run
    assert load_prior(tmp_path, "rvsim") is None and load_prior(None, "rvsim") is None


@pytest.mark.long
def test_the_ends_are_left_out_for_machines_beyond_them_alone() -> None:
    run = only_run(LOCKED / "curve/default")
    inside = predict_run(run, {"clock_mhz": [100]}, (), MACHINES)
    outside = predict_run(run, {"clock_mhz": [1280]}, (), MACHINES)
    assert inside.errors["key"].nunique() == 19 and outside.errors["key"].nunique() == 21
    ends = set(outside.errors["key"]) - set(inside.errors["key"])
    assert {key.partition("-")[0] for key in ends} == {"20mhz", "640mhz"}
