# SPDX-License-Identifier: BSD-3-Clause
"""What an interval rests on: other points, another run, and what the disk leaves open."""

import math
from pathlib import Path

import pytest

from osgap.base.paths import project_root
from osgap.machines.machine import load_fitted
from osgap.machines.system import System, system
from osgap.predict.borrowed_errors import is_apart, is_beyond, load_prior
from osgap.predict.busy_time import Place, Seen
from osgap.predict.disk_wait import waiting
from osgap.predict.observations import Observed
from osgap.predict.prediction import predict

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
    assert not is_apart([_at(80), _at(160, "scaled")], used)
    assert is_apart([_at(80, latency_ns=400)], used)
    assert not is_apart([_at(80, latency_ns=400)], [*used, _at(320, latency_ns=100)])


@pytest.mark.parametrize(
    ("asked", "beyond"),
    [
        ({}, False),
        ({"latency_ns": 400}, True),
        ({"bandwidth_mb_s": 100}, True),
        ({"latency_ns": 100, "bandwidth_mb_s": 800}, False),
    ],
)
def test_what_waits_longer_than_all_that_was_simulated_is_beyond(
    asked: dict[str, float], beyond: bool
) -> None:
    assert is_beyond([_at(320, **asked)], [_at(20), _at(320)]) is beyond
    assert is_beyond([_at(20)], [_at(80), _at(320)])


def _seen(busy_turns: float, idle_turns: float, least_share: float) -> Observed:
    busy, idle = busy_turns * TURN_NS, idle_turns * TURN_NS
    return Observed(
        Seen(Place(4, 1), busy, 0, 0), busy + idle, idle, 1, TURN_NS, least_share=least_share
    )


def test_a_busier_processor_leaves_open_how_much_of_a_wait_it_hides() -> None:
    made = waiting([_seen(1, 2, 0.25), _seen(4, 2, 0.25)])
    assert not made.whole and (made.turns, made.least, made.busiest) == (2, 0.5, 4)
    assert made.unsettled_ns(4 * TURN_NS, DISK) == 0
    twice = made.unsettled_ns(8 * TURN_NS, DISK)
    assert twice == pytest.approx(TURN_NS * 0.5 * (2 - 0.5) / math.sqrt(12))
    tenth = DISK.model_copy(update={"rotation_ns": TURN_NS // 10})
    # A disk ten times as fast turns ten times in the same time.
    faster = made.unsettled_ns(4 * TURN_NS, tenth)
    assert faster == pytest.approx(TURN_NS / 10 * 0.9 * 1.5 / math.sqrt(12))


def test_what_waits_for_nothing_or_for_transfers_alone_leaves_nothing_open() -> None:
    assert waiting([_seen(1, 0, 0.0)]).unsettled_ns(99 * TURN_NS, DISK) == 0
    assert waiting([_seen(1, 2, 1.0)]).unsettled_ns(99 * TURN_NS, DISK) == 0


def test_another_runs_errors_are_of_the_same_engine(tmp_path: Path) -> None:
    run = LOCKED / "memory-apart" / "rvsim"
    assert load_prior(LOCKED / "memory-apart", "rvsim") == run
    assert load_prior(tmp_path, "rvsim") is None and load_prior(None, "rvsim") is None


@pytest.mark.slow
def test_the_ends_are_left_out_for_machines_beyond_them_alone() -> None:
    inside = predict(LOCKED / "default", {"clock_mhz": [100]}, (), MACHINES)
    outside = predict(LOCKED / "default", {"clock_mhz": [1280]}, (), MACHINES)
    assert inside.errors["key"].nunique() == 19 and outside.errors["key"].nunique() == 21
    ends = set(outside.errors["key"]) - set(inside.errors["key"])
    assert {key.partition("-")[0] for key in ends} == {"20mhz", "640mhz"}
