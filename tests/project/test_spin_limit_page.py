# SPDX-License-Identifier: BSD-3-Clause
"""The page on extractions at once says of a limit to spinning what the committed tables say."""

import pytest
from extractions_tables import (
    PAGE,
    PROSE,
    committed_table,
    interval,
    matching_rows,
    spinning_differences,
)


@pytest.mark.parametrize(("harts", "limits_us"), [(4, (10, 40, 100)), (12, (40, 100))])
def test_what_a_limit_to_spinning_changes_is_the_tables(
    harts: int, limits_us: tuple[int, ...]
) -> None:
    table = committed_table("kennaway-causes", "concurrency")
    case = {"fs": "tmpfs", "machine": f"smp-{harts}", "clock_mhz": 80, "copies": harts, "layout": 0}
    locks = [*(f"adaptive-{limit}us" for limit in limits_us), "adaptive"]
    for lock, limit in zip(locks, (*limits_us, "none"), strict=True):
        gain = interval(matching_rows(table, {**case, "lock": lock}))
        real, system = spinning_differences(case, lock)
        percents = f"{-real.percent:.0f} % | {system.percent:.0f} %"
        assert f"\n| {harts} | {limit} | {gain} | {percents} |" in PAGE


def test_what_a_limit_leaves_of_the_contradiction_is_the_tables() -> None:
    case = {"fs": "tmpfs", "machine": "smp-12", "clock_mhz": 80, "copies": 12, "layout": 0}
    (forty, forty_system), (hundred, hundred_system) = (
        spinning_differences(case, f"adaptive-{limit}us") for limit in (40, 100)
    )
    left = f"40 us leaves {-forty.percent:.0f} %, one of 100 us leaves {-hundred.percent:.0f} %"
    system = f"{forty_system.percent:.0f} % and {hundred_system.percent:.0f} % longer, not 200 %"
    assert f"{left}. But then system time is {system}." in PROSE


def test_what_is_not_certain_of_a_limit_to_spinning_is_the_tables() -> None:
    case = {"fs": "tmpfs", "clock_mhz": 80, "layout": 0}
    _, system = spinning_differences({**case, "machine": "smp-4", "copies": 4}, "adaptive-40us")
    real, _ = spinning_differences({**case, "machine": "smp-12", "copies": 12}, "adaptive-40us")
    words = f"not certain, {system.percent:.1f} % +/- {system.percent_error:.1f} %"
    assert words in PAGE and abs(system.percent - 15) < system.percent_error
    words = f"not certain, {-real.percent:.1f} % +/- {real.percent_error:.1f} %"
    assert words in PAGE and abs(-real.percent - 10) < real.percent_error


def test_how_often_waiters_sleep_under_a_limit_is_the_tables() -> None:
    table = committed_table("kennaway-causes", "concurrency")
    case = {"fs": "tmpfs", "machine": "smp-4", "clock_mhz": 80, "copies": 4, "layout": 0}
    ten, forty, hundred, none = (
        f"{float(matching_rows(table, {**case, 'lock': lock})['sleeps_each'].iloc[0]):.0f}"
        for lock in ("adaptive-10us", "adaptive-40us", "adaptive-100us", "adaptive")
    )
    sleeps = f"sleeps {ten}, {forty} and {hundred} times for the lock, without a limit {none} times"
    assert sleeps in PROSE
