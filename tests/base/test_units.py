# SPDX-License-Identifier: BSD-3-Clause
"""Conversions between units, against figures worked out by hand."""

import pytest

from osgap.base import units


def test_a_bandwidth_in_gib_is_of_two_to_the_thirtieth() -> None:
    assert units.gib_per_s(1073.741824) == 1
    assert units.gib_per_s(1000) == pytest.approx(0.931323, rel=1e-6)


@pytest.mark.parametrize(
    ("latency_ns", "clock_mhz", "expected"),
    [(200, 20, 4), (200, 640, 128), (6.25, 640, 4), (74, 20, 1), (0, 640, 0)],
)
def test_a_latency_is_whole_cycles(latency_ns: float, clock_mhz: float, expected: int) -> None:
    assert units.cycles(latency_ns, clock_mhz) == expected


def test_a_disk_of_3600_rpm_turns_sixty_times_a_second() -> None:
    assert units.rotation_ns(3600) == pytest.approx(1e9 / 60)
