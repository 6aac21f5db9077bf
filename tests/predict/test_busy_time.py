# SPDX-License-Identifier: BSD-3-Clause
"""The formula of busy cycles: exact where it must be, near where it interpolates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osgap.predict.busy_time import BusyTime, CycleCounts, MemoryPosition, fit

SLOW, MIDDLE, FAST = MemoryPosition(4, 3.2), MemoryPosition(16, 12.8), MemoryPosition(64, 51.2)


def _seen(position: MemoryPosition, busy: float, waited: float, lines: float) -> CycleCounts:
    return CycleCounts(position, busy, waited * position.latency, lines)


def test_a_core_that_waits_for_each_line() -> None:
    seen = [_seen(position, 1000 + 10 * position.latency, 10, 10.5) for position in (SLOW, FAST)]
    surface = fit(seen)
    assert surface.cycles(MIDDLE) == pytest.approx(1160, rel=0.005)
    assert surface.cycles(MemoryPosition(64, 3.2)) == pytest.approx(1640, rel=0.01)


def test_one_point_is_enough_where_the_engine_counts_what_waits() -> None:
    surface = fit([_seen(SLOW, 1040, 10, 10)])
    assert surface.cycles(FAST) == pytest.approx(1640, rel=0.02)


def test_a_loop_without_memory_takes_its_cycles_anywhere() -> None:
    surface = fit([_seen(SLOW, 400, 0, 0), _seen(FAST, 400, 0, 0)])
    assert surface.cycles(MemoryPosition(300, 900)) == pytest.approx(400, rel=1e-3)


@pytest.mark.parametrize("latency", [8, 32, 128])
def test_a_stream_that_fills_the_bus(latency: float) -> None:
    """rvsim's stream_copy: half of its fills are loads that wait; the bus is full from 16 on."""

    def busy(position: MemoryPosition) -> float:
        return max(78000 + 4115 * position.latency, 16000 + 12309 * position.transfer)

    seen = [_seen(position, busy(position), 8232, 12309) for position in (SLOW, FAST)]
    position = MemoryPosition(latency, 0.8 * latency)
    assert fit(seen).cycles(position) == pytest.approx(busy(position), rel=0.08)


@given(
    a=st.floats(1, 1e6),
    b=st.floats(0, 1e4),
    part=st.floats(0, 1),
    lines=st.floats(0, 1e4),
    latency=st.floats(1, 1000),
    transfer=st.floats(0.1, 1000),
)
def test_slower_memory_never_makes_it_faster(
    a: float, b: float, part: float, lines: float, latency: float, transfer: float
) -> None:
    surface = BusyTime(a, b, part * a, part * b, lines)
    here = surface.cycles(MemoryPosition(latency, transfer))
    assert here >= a
    assert surface.cycles(MemoryPosition(latency + 1, transfer)) >= here * (1 - 1e-9)
    assert surface.cycles(MemoryPosition(latency, transfer + 1)) >= here * (1 - 1e-9)
